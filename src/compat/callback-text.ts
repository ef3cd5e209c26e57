/** A callback as its client reads it: Kannel's escapes filled in, Jasmin's arguments. Pure. */
import type { Telling } from "./told.ts";

/** What is known of a message when something is to be told of it. Times are epoch milliseconds. */
export type ToldCallback = {
  readonly telling: Telling;
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

/** The states of receipts (SMPP 3.4 appendix B) by our errors; the rest is UNDELIV. */
const STATES: Readonly<Record<string, string>> = {
  EXPIRED_AT_OPERATOR: "EXPIRED",
  EXPIRED_IN_QUEUE: "EXPIRED",
  DELETED_AT_OPERATOR: "DELETED",
  REJECTED_AT_OPERATOR: "REJECTD",
  OPERATOR_REJECTED: "REJECTD",
};

function stateOf({ telling, errorCode }: ToldCallback): string {
  if (telling === 1) return "DELIVRD";
  return STATES[errorCode ?? ""] ?? "UNDELIV";
}

/** `YYMMDDhhmm` of UTC, as receipts have it. */
function minuteText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\D/g, "").slice(2, 12);
}

/** What Kannel calls the answer of the SMSC. */
function answerOf(told: ToldCallback): string {
  const { telling, remoteId, operatorCode, errorCode, atMs } = told;
  if (telling === 8) return "ACK/";
  if (telling === 16) return `NACK/${operatorCode ?? errorCode ?? ""}`;
  const delivered = telling === 1 ? "001" : "000";
  const date = minuteText(atMs);
  return `id:${remoteId} sub:001 dlvrd:${delivered} submit date:${date} done date:${date} stat:${stateOf(told)} err:${operatorCode ?? "000"} text:`;
}

/** As Kannel encodes: letters and digits stay, a space is `+`. */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~._-]/g, (one) =>
      /[._-]/.test(one) ? one : `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll("%20", "+");
}

/** A number that begins with 00 is written with a plus where Kannel's `%p` would keep it. */
function withPlus(number: string): string {
  return encoded(number.startsWith("00") ? `+${number.slice(2)}` : number);
}

/** `YYYY-MM-DD+hh:mm:ss` of UTC. */
function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", "+");
}

/** What each escape stands for. One that is not here stays as it is written; those that say nothing of a report are empty. */
function escapeOf(letter: string, told: ToldCallback, url: string): string | null {
  const answer = answerOf(told);
  switch (letter) {
    case "d":
      return String(told.telling);
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
      return encoded(answer.split(" ")[0] ?? "");
    case "r":
      return encoded(answer.split(" ").slice(1).join(" "));
    case "F":
      return encoded(told.remoteId);
    case "f":
    case "i":
      return encoded(told.operator);
    case "I":
      return told.messageUlid;
    case "n":
      return encoded(told.user);
    case "R":
      return encoded(url);
    case "c":
      return "0";
    case "%":
      return "%";
    default:
      return "sSumCBDvVoO".includes(letter) ? "" : null;
  }
}

/** The address of a callback of Kannel. */
export function kannelUrl(url: string, told: ToldCallback): string {
  return url.replace(/%(.)/g, (written, letter: string) => escapeOf(letter, told, url) ?? written);
}

/** The arguments of a callback of Jasmin, as a form. */
export function jasminForm(told: ToldCallback, level: number): string {
  const { telling, messageUlid: id, remoteId, operator: connector, operatorCode, atMs } = told;
  const isOfOperator = telling === 8 || (telling === 16 && level !== 2);
  const form = isOfOperator
    ? { id, level: "1", message_status: telling === 8 ? "ESME_ROK" : "ESME_RSUBMITFAIL", connector }
    : {
        ...{ id, level: String(level), message_status: stateOf(told), connector, id_smsc: remoteId },
        ...{ sub: "001", dlvrd: telling === 1 ? "001" : "000", subdate: minuteText(atMs) },
        ...{ donedate: minuteText(atMs), err: operatorCode ?? "000", text: "" },
      };
  return new URLSearchParams(form).toString();
}
