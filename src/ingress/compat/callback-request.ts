/** Renders callbacks as clients read them: Kannel's escapes filled in, Jasmin's arguments. Pure. */

import { type HttpsTarget, parseTarget } from "../../https/https-request.ts";
import { statusMeaning } from "../../smpp/status.ts";

/** The facts of a message that a callback tells. Times are epoch milliseconds. */
export type CallbackContent = {
  readonly event: CallbackEvent;
  readonly messageUlid: string;
  /** As its client wrote it. */
  readonly receiver: string;
  readonly sender: string;
  readonly user: string;
  readonly operator: string;
  readonly remoteId: string;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly atMs: number;
};

/** The states of receipts (SMPP 3.4 appendix B) by our error codes; others are UNDELIV. */
const STATES: Readonly<Record<string, string>> = {
  EXPIRED_AT_OPERATOR: "EXPIRED",
  EXPIRED_IN_QUEUE: "EXPIRED",
  DELETED_AT_OPERATOR: "DELETED",
  REJECTED_AT_OPERATOR: "REJECTD",
  OPERATOR_REJECTED: "REJECTD",
};

function stateOf({ event: telling, errorCode }: CallbackContent): string {
  if (telling === 1) return "DELIVRD";
  return STATES[errorCode ?? ""] ?? "UNDELIV";
}

/** `YYMMDDhhmm` of UTC, as receipts have it. */
function minuteText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\D/g, "").slice(2, 12);
}

/** A refusal that an operator gave as a command_status; null for any other error. */
function refusalIn({
  operatorCode,
}: CallbackContent): { readonly status: number; readonly name: string } | null {
  if (operatorCode === null || !/^0x[0-9A-F]+$/.test(operatorCode)) return null;
  const status = Number(operatorCode);
  const { name } = statusMeaning(status);
  return { status, name: name === operatorCode ? "ESME_RUNKNOWNERR" : `ESME_${name}` };
}

/** The answer of the SMSC in Kannel's form. */
function answerOf(told: CallbackContent): string {
  const { event: telling, remoteId, operatorCode, errorCode, atMs } = told;
  if (telling === 8) return "ACK/";
  if (telling === 16) {
    const refusal = refusalIn(told);
    const number = refusal?.status.toString(16).padStart(8, "0");
    return refusal ? `NACK/0x${number}/${refusal.name}` : `NACK/${operatorCode ?? errorCode ?? ""}`;
  }
  const delivered = telling === 1 ? "001" : "000";
  const date = minuteText(atMs);
  return `id:${remoteId} sub:001 dlvrd:${delivered} submit date:${date} done date:${date} stat:${stateOf(told)} err:${operatorCode ?? "000"} text:`;
}

/** Encodes as Kannel does: letters and digits stay, a space is `+`. */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~._-]/g, (one) =>
      /[._-]/.test(one) ? one : `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll("%20", "+");
}

/** Writes a number that begins with 00 with a plus, where Kannel's `%p` would keep the 00. */
function withPlus(number: string): string {
  return encoded(number.startsWith("00") ? `+${number.slice(2)}` : number);
}

/** `YYYY-MM-DD+hh:mm:ss` of UTC. */
function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", "+");
}

/** Returns a function that gives the value of each escape of one address, from left to right. */
function escapes(told: CallbackContent, url: string): (letter: string) => string | null {
  const answer = answerOf(told);
  const words = answer.split(" ");
  let next = 1;
  return (letter) => {
    switch (letter) {
      case "d":
        return String(told.event);
      case "p":
        return encoded(told.receiver);
      case "P":
        return encoded(told.sender);
      case "q":
        return withPlus(told.receiver);
      case "Q":
        return withPlus(told.sender);
      case "t":
        return timeText(told.atMs);
      case "T":
        return String(Math.floor(told.atMs / 1000));
      case "A":
      case "a":
      case "b":
        return encoded(answer);
      case "k":
        return encoded(words[0] ?? "");
      case "r":
        return encoded(words.slice(next).join(" "));
      case "s":
        return encoded(words[next++] ?? "");
      case "S":
        return encoded((words[next++] ?? "").replaceAll("*", "~")).replaceAll("%3A", ":");
      case "F":
        return encoded(told.remoteId);
      case "i":
        return encoded(told.operator);
      case "I":
        return told.messageUlid;
      case "n":
        return encoded(told.user);
      case "R":
        return encoded(url);
      case "C":
        return "UTF-8";
      case "O":
        return "00";
      case "c":
      case "m":
      case "M":
        return "-1";
      case "%":
        return "%";
      default:
        return "BDfouvV".includes(letter) ? "" : null;
    }
  };
}

/** An escape: a letter, or the name of an operator's parameter, whose value is unknown. */
const ESCAPE = /%(?:#[^#]*#[^#]*#|(.))/gs;

/** The address of a callback of Kannel: its escapes filled in, others as they are written. */
export function renderKannelUrl(url: string, told: CallbackContent): string {
  const fill = escapes(told, url);
  return url.replace(ESCAPE, (written, letter: string | undefined) =>
    letter === undefined ? "" : (fill(letter) ?? written),
  );
}

/** The arguments of a callback of Jasmin, as a form. */
export function renderJasminForm(told: CallbackContent, level: number): string {
  const { event: telling, messageUlid: id, remoteId, operator: connector, operatorCode, atMs } = told;
  const isOfOperator = telling === 8 || (telling === 16 && level !== 2);
  const refusal = refusalIn(told)?.name ?? "ESME_RSUBMITFAIL";
  const form = isOfOperator
    ? { id, level: "1", message_status: telling === 8 ? "ESME_ROK" : refusal, connector }
    : {
        // The level of this callback, whatever level was asked for.
        id,
        level: "2",
        message_status: stateOf(told),
        connector,
        id_smsc: remoteId,
        sub: "001",
        dlvrd: telling === 1 ? "001" : "000",
        subdate: minuteText(atMs),
        donedate: minuteText(atMs),
        err: operatorCode ?? "000",
        text: "",
      };
  return new URLSearchParams(form).toString();
}

/**
 * The event of a callback, pure (docs/behaviour.md#callbacks). In Kannel's numbers: 8 the operator accepted the message, 16 it did
 * not, 1 delivered, 2 not delivered. The feed shows the last status alone, so 8 may be told late, just before 1 or 2.
 */
type CallbackEvent = 1 | 2 | 8 | 16;

type CallbackProgress = {
  readonly status: string;
  readonly isFinal: boolean;
  /** An operator accepted it, or a part of it. */
  readonly isTaken: boolean;
};

/** The new events of a message, in order; `isSent`: that an operator accepted it was seen before. */
export function listCallbackEvents(
  { status, isFinal, isTaken }: CallbackProgress,
  isSent: boolean,
): CallbackEvent[] {
  const taken: CallbackEvent[] = isSent ? [] : [8];
  switch (status) {
    case "SENT":
      return taken;
    case "DELIVERED":
      return [...taken, 1];
    case "FAILED":
    case "CANCELLED":
      if (!isFinal) return [];
      return isSent || isTaken ? [...taken, 2] : [16];
    default:
      return [];
  }
}

/** Whether a client wants an event: Kannel's mask has its number; Jasmin's level is 1 for the operator, 2 for the end, 3 for both. */
export function isWanted(protocol: "kannel" | "jasmin", mask: number, telling: CallbackEvent): boolean {
  if (protocol === "kannel") return (mask & telling) !== 0;
  return telling === 8 ? mask !== 2 : telling === 16 || mask !== 1;
}

/** The longest callback address, as for webhook endpoints. Filled-in escapes may make it longer. */
const MAX_URL_LENGTH = 2048;

/** Whether an address may be used for callbacks. */
export function isCallbackUrlAllowed(text: string, mayBePlain: boolean): boolean {
  return text.length <= MAX_URL_LENGTH && readCallbackUrl(text, mayBePlain) !== null;
}

/** Parses a callback address; null for a text that is none. `mayBePlain`: http is accepted as well. */
export function readCallbackUrl(text: string, mayBePlain: boolean): HttpsTarget | null {
  if (/[\s\p{Cc}\\]/u.test(text)) return null;
  const target = parseTarget(text);
  return target?.isPlain === true && !mayBePlain ? null : target;
}
