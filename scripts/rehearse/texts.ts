import { SENDER } from "./appliance.ts";

/** A batch to submit: its class, its text, and how many parts an operator gets of each message. */
type Kind = { readonly messageClass: string; readonly body: string; readonly parts: number };

const LONG = "La pharmacie de garde de votre quartier reste ouverte toute la nuit, jours de fete compris; ";

/** GSM and UCS-2, short and in parts, in all three classes. The second text has an escape pair on its border. */
export const KINDS: readonly Kind[] = [
  { messageClass: "OTP", body: "Votre code est {n}", parts: 1 },
  { messageClass: "TRANSACTIONAL", body: `${"a".repeat(152)}€ commande {n} est prete? [ok]`, parts: 2 },
  { messageClass: "TRANSACTIONAL", body: "Où êtes-vous, {n}? Ça va 😀", parts: 1 },
  { messageClass: "MARKETING", body: `${LONG}${LONG}promotion {n}`, parts: 2 },
  { messageClass: "MARKETING", body: "Grande foire ce samedi, ticket {n}", parts: 1 },
];

/** What was asked for one number. */
export type Asked = { readonly messageClass: string; readonly text: string; readonly parts: number };

export type Submission = {
  readonly bodies: readonly unknown[];
  /** By number, without +. */
  readonly asked: ReadonlyMap<string, Asked>;
};

/** `count` messages to as many numbers, spread over the kinds. */
export function submissionOf(count: number): Submission {
  const asked = new Map<string, Asked>();
  const bodies = KINDS.map(({ messageClass, body, parts }, kind) => {
    const recipients = [];
    for (let index = kind; index < count; index += KINDS.length) {
      const national = `70${String(index).padStart(6, "0")}`;
      asked.set(`226${national}`, { messageClass, parts, text: body.replace("{n}", String(index)) });
      recipients.push({ msisdn: national, attributes: { n: index } });
    }
    return { sender: SENDER, body, message_class: messageClass, recipients };
  });
  return { bodies: bodies.filter(({ recipients }) => recipients.length > 0), asked };
}
