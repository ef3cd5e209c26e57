/** The PDUs of one connection for the log of steps: which message each is about, as far as it can be told. */
import type { TraceFields, TraceLog } from "../../core/steps.ts";
import { decodePdu, type Pdu } from "../../smpp/pdu.ts";
import { numbersAgree } from "./number-key.ts";
import { pduFields, pduHex } from "./pdu-steps.ts";

export type PduTrace = {
  /** The next submit_sm that is written is of this message. */
  readonly leaving: (message: number) => void;
  /** Octets of a PDU that is written, or was read. */
  readonly seen: (way: "sent" | "received", octets: Uint8Array) => void;
};

/** Submits whose response is told with its message. */
const MAX_REMEMBERED = 10_000;

/** `of` are the fields of a line at its moment: the operator and the connection. */
export function pduTrace(steps: TraceLog, of: () => TraceFields): PduTrace {
  const waiting = new Map<number, number>();
  const unanswered = new Map<number, readonly number[]>();
  let next: number | undefined;

  const messageOf = (pdu: Pdu): number | undefined => {
    switch (pdu.command) {
      case "submit_sm": {
        const message = next;
        next = undefined;
        if (message === undefined) return undefined;
        // The numbers of a new link begin anew.
        waiting.delete(pdu.sequence);
        waiting.set(pdu.sequence, message);
        const oldest = waiting.keys().next().value;
        if (waiting.size > MAX_REMEMBERED && oldest !== undefined) waiting.delete(oldest);
        return message;
      }
      case "submit_sm_resp":
      case "generic_nack": {
        const message = waiting.get(pdu.sequence);
        waiting.delete(pdu.sequence);
        return message;
      }
      default:
        return undefined;
    }
  };

  /** What comes from the number of a message that is followed, or is addressed to it, may be about it; so may its answer. */
  const aboutNumberOf = (pdu: Pdu): readonly number[] => {
    if (pdu.command === "deliver_sm_resp" || pdu.command === "data_sm_resp") {
      const about = unanswered.get(pdu.sequence) ?? [];
      unanswered.delete(pdu.sequence);
      return about;
    }
    if (pdu.command !== "deliver_sm" && pdu.command !== "data_sm") return [];
    const spellings = [pdu.message.sourceAddr, pdu.message.destinationAddr];
    const about = [...steps.followed]
      .filter(([, { msisdn }]) => spellings.some((spelling) => numbersAgree(msisdn, spelling)))
      .map(([message]) => message);
    if (about.length > 0) unanswered.set(pdu.sequence, about);
    return about;
  };

  return {
    leaving: (message) => {
      next = message;
    },
    seen: (way, octets) => {
      const decoded = decodePdu(octets);
      const message = decoded.ok ? messageOf(decoded.pdu) : undefined;
      const about = decoded.ok ? aboutNumberOf(decoded.pdu) : [];
      const follows = message !== undefined && steps.followed.has(message);
      if (!follows && about.length === 0 && !steps.shows("smpp")) return;
      const fields = { ...of(), ...pduFields(decoded) };
      const hex = follows || about.length > 0 ? { hex: pduHex(octets) } : {};
      if (about.length === 0) steps.tell("smpp", `PDU ${way}`, { message, ...fields, ...hex });
      for (const each of about) {
        steps.tell("smpp", `PDU ${way}, with the number of the message`, {
          message: each,
          ...fields,
          ...hex,
        });
      }
    },
  };
}
