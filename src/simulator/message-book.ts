import type { ShortMessage } from "../smpp/short-message.ts";
import type { HandsetPart } from "./handset-part.ts";
import type { Receiver } from "./mailbox.ts";
import type { MessageId } from "./message-ids.ts";
import type { ReceiptStat } from "./states.ts";

/** What was accepted: the text as a handset takes it, the id, and the link it came on. */
export type SubmittedMessage = {
  readonly message: ShortMessage;
  readonly part: HandsetPart;
  readonly id: MessageId;
  readonly systemId: string;
  readonly receiver: Receiver;
  readonly submittedAtMs: number;
  /** What those of one submit_multi share. */
  readonly request: object;
};

/** An accepted message and how far it is. */
export type SmscMessage = {
  /** As it was submitted, or as replace_sm left it. */
  submitted: SubmittedMessage;
  /** ENROUTE until it met its end. */
  state: ReceiptStat;
  doneAtMs: number | null;
};

/** The messages that this operator has taken: what query_sm, cancel_sm and replace_sm are about. */
export type MessageStore = {
  readonly add: (submitted: SubmittedMessage) => SmscMessage;
  /** The messages of a system_id under an id: one, or of a submit_multi one for each destination. */
  readonly find: (systemId: string, id: string) => readonly SmscMessage[];
  /** Those of a system_id that are still under way. */
  readonly underWay: (systemId: string) => SmscMessage[];
  readonly end: (message: SmscMessage, state: ReceiptStat, atMs: number) => void;
};

/** Ids of which no message is under way that are still known, the newest. */
const ENDED_KEPT = 10_000;

export function createMessageStore(): MessageStore {
  const byId = new Map<string, SmscMessage[]>();
  const ended = new Set<string>();
  const keyOf = (systemId: string, id: string): string => JSON.stringify([systemId, id]);
  const keyOfMessage = ({ submitted }: SmscMessage): string =>
    keyOf(submitted.systemId, submitted.id.response);

  return {
    add: (submitted) => {
      const message: SmscMessage = { submitted, state: "ENROUTE", doneAtMs: null };
      const key = keyOfMessage(message);
      const sharing = byId.get(key)?.filter((one) => one.submitted.request === submitted.request) ?? [];
      byId.set(key, [...sharing, message]);
      ended.delete(key);
      return message;
    },
    find: (systemId, id) => byId.get(keyOf(systemId, id)) ?? [],
    underWay: (systemId) =>
      [...byId.values()]
        .flat()
        .filter(({ state, submitted }) => state === "ENROUTE" && submitted.systemId === systemId),
    end: (message, state, atMs) => {
      message.state = state;
      message.doneAtMs = atMs;
      const key = keyOfMessage(message);
      if (byId.get(key)?.some((one) => one.state === "ENROUTE")) return;
      ended.add(key);
      for (const oldest of ended) {
        if (ended.size <= ENDED_KEPT) break;
        ended.delete(oldest);
        byId.delete(oldest);
      }
    },
  };
}
