/**
 * What the sessions of both sides share: states with the commands that each side accepts in them (SMPP 3.4 table 2-1,
 * with three allowances), answers to what is not accepted, and the requests that wait for a response.
 */
import { assert } from "../core/assert.ts";
import type { Phrase } from "../i18n/phrase.ts";
import {
  type BindKind,
  broken,
  type Command,
  isResponseId,
  type Pdu,
  toCommand,
  type UndecodablePdu,
} from "./pdu.ts";
import { STATUS } from "./status.ts";
import { RINVOPTPARSTREAM } from "./wire-format.ts";

/**
 * The state of a session (SMPP 3.4 section 2.2), seen from one side: OPEN once connected, BOUND by one of the three binds,
 * UNBINDING after this side's unbind left, CLOSED when the connection is gone.
 */
export type SessionState = "OPEN" | "BOUND_TX" | "BOUND_RX" | "BOUND_TRX" | "UNBINDING" | "CLOSED";

export const BOUND_STATE: Record<BindKind, SessionState> = {
  transmitter: "BOUND_TX",
  receiver: "BOUND_RX",
  transceiver: "BOUND_TRX",
};

/** Every command that an SMSC may send a client; all others are answered with generic_nack. */
type CommandToEsme = Exclude<
  Command,
  | "bind_receiver"
  | "bind_transmitter"
  | "bind_transceiver"
  | "submit_sm"
  | "deliver_sm_resp"
  | `${"query" | "cancel"}_sm`
  | NotAsked
>;

/** Responses to commands that neither side sends here. */
type NotAsked = `${"query_sm" | "cancel_sm" | "replace_sm" | "submit_multi"}_resp`;

const LINKED: readonly SessionState[] = ["OPEN", "BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING"];
const BOUND: readonly SessionState[] = ["BOUND_TX", "BOUND_RX", "BOUND_TRX", "UNBINDING"];

/**
 * The states in which a client accepts a command from the SMSC: SMPP 3.4 table 2-1, with three allowances. After our unbind
 * everything of the bound states may still be on its way. enquire_link and generic_nack are accepted as soon as there is a
 * connection (SMPP 5.0 table 2-1). Some operators send receipts over a transmitter bind.
 */
export const ESME_ACCEPTS: Record<CommandToEsme, readonly SessionState[]> = {
  bind_receiver_resp: ["OPEN"],
  bind_transmitter_resp: ["OPEN"],
  bind_transceiver_resp: ["OPEN"],
  outbind: ["OPEN"],
  unbind: BOUND,
  unbind_resp: ["UNBINDING"],
  submit_sm_resp: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  deliver_sm: BOUND,
  data_sm: BOUND,
  data_sm_resp: [],
  enquire_link: LINKED,
  enquire_link_resp: LINKED,
  alert_notification: ["BOUND_RX", "BOUND_TRX", "UNBINDING"],
  generic_nack: LINKED,
};

export function isForEsme(command: string): command is CommandToEsme {
  return Object.hasOwn(ESME_ACCEPTS, command);
}

/** Every command that a client may send an SMSC; all others are answered with generic_nack. */
type CommandToSmsc = Exclude<
  Command,
  `bind_${BindKind}_resp` | "submit_sm_resp" | "deliver_sm" | "outbind" | NotAsked
>;

/**
 * The states in which an SMSC accepts a command from the client: SMPP 3.4 table 2-1, with the same allowances.
 * alert_notification, which no client has to send, is ignored.
 */
export const SMSC_ACCEPTS: Record<CommandToSmsc, readonly SessionState[]> = {
  bind_receiver: ["OPEN"],
  bind_transmitter: ["OPEN"],
  bind_transceiver: ["OPEN"],
  unbind: BOUND,
  unbind_resp: ["UNBINDING"],
  submit_sm: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  data_sm: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  query_sm: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  cancel_sm: ["BOUND_TX", "BOUND_TRX", "UNBINDING"],
  deliver_sm_resp: ["BOUND_RX", "BOUND_TRX", "UNBINDING"],
  data_sm_resp: ["BOUND_RX", "BOUND_TRX", "UNBINDING"],
  enquire_link: LINKED,
  enquire_link_resp: LINKED,
  alert_notification: LINKED,
  generic_nack: LINKED,
};

export function isForSmsc(command: string): command is CommandToSmsc {
  return Object.hasOwn(SMSC_ACCEPTS, command);
}

/** What a session of either side asks for. */
export type SessionOutput =
  /** `ref` is the owner's name for a message; null for any other PDU. */
  | { readonly kind: "write"; readonly pdu: Pdu; readonly ref: number | null }
  /** Write what is still to be written, then close. */
  | { readonly kind: "close"; readonly reason: Phrase }
  /**
   * Out of place or unreadable: dealt with, and worth reporting. `what` is one of few kinds, however the other side varies the
   * PDU; what varies is the detail.
   */
  | { readonly kind: "unexpected"; readonly what: string; readonly detail: string | null };

export function write(pdu: Pdu, ref: number | null = null): SessionOutput {
  return { kind: "write", pdu, ref };
}

export function closing(reason: Phrase): SessionOutput {
  return { kind: "close", reason };
}

export function unexpected(what: string, detail: string | null = null): SessionOutput {
  return { kind: "unexpected", what, detail };
}

/**
 * Answers a command that could not be read with the status that says why: with its own response where `isForUs` says that this
 * side takes such messages, else with generic_nack. A response has no answer.
 */
export function refuseUnreadable(
  { commandId, sequence, status, reason }: UndecodablePdu,
  isForUs: (command: string) => boolean,
): SessionOutput[] {
  const fault = unexpected(reason);
  if (isResponseId(commandId)) return [fault];
  const command = toCommand(commandId);
  const isMessage = command === "submit_sm" || command === "deliver_sm" || command === "data_sm";
  if (!isMessage || !isForUs(command)) return [write({ command: "generic_nack", sequence, status }), fault];
  return [write({ command: `${command}_resp`, sequence, status, messageId: null }), fault];
}

/** Refuses a message that a broken optional parameter makes unreadable to this side. */
export function refuseBroken(pdu: Pdu, isForUs: (command: string) => boolean): SessionOutput[] {
  assert(pdu.command !== "unsupported", "of what is not spoken no parameter is read");
  return refuseUnreadable(broken(pdu.command, pdu.sequence, RINVOPTPARSTREAM), isForUs);
}

/**
 * Answers a command that is not for this side, or that nobody knows, with generic_nack, and replace_sm and submit_multi with their own
 * responses, reported as `what`; a response has no answer.
 */
export function refuseUnknown(pdu: Pdu, what: string): SessionOutput[] {
  const { command, sequence } = pdu;
  const isResponse = command === "unsupported" ? isResponseId(pdu.commandId) : command.endsWith("_resp");
  if (isResponse) return [unexpected("a response to a command that was not sent")];
  const detail = command === "unsupported" ? `0x${pdu.commandId.toString(16).padStart(8, "0")}` : command;
  const answer = (command === "unsupported" && OWN_RESPONSES.get(pdu.commandId)) || "generic_nack";
  return [write({ command: answer, sequence, status: STATUS.RINVCMDID }), unexpected(what, detail)];
}

/** Commands of the standard that are known and not spoken here, by their ids, and the responses that refuse them. */
const OWN_RESPONSES: ReadonlyMap<number, "replace_sm_resp" | "submit_multi_resp"> = new Map([
  [0x07, "replace_sm_resp"],
  [0x21, "submit_multi_resp"],
]);

const LAST_SEQUENCE = 0x7fff_ffff;
/** How many timed-out requests are remembered, so that a late response still finds its request. */
const REMEMBERED = 10_000;

/**
 * The requests of one session that wait for their response, by sequence number: a client's submit_sm, an SMSC's deliver_sm. They
 * all wait equally long, so the order of sending is the order in which they time out.
 *
 * One that timed out keeps its slot on the wire for as long again, unless a late response comes: to the other side, if it is only
 * slow, it is still unanswered.
 */
export type PendingRequests = {
  readonly count: () => number;
  /** Slots that timed-out requests still hold. */
  readonly held: () => number;
  /** `ref` is the caller's name for it. */
  readonly add: (sequence: number, ref: number, sentAtMs: number) => void;
  readonly has: (sequence: number) => boolean;
  /** Removes the request that a response answers. `late` when it had timed out before; null when there is none. */
  readonly settle: (sequence: number) => { readonly ref: number; readonly late: boolean } | null;
  /** Removes what was sent by then, remembers it for a late response, and holds its slot until `heldUntilMs`. */
  readonly expire: (sentByMs: number, heldUntilMs: number) => number[];
  /** Releases the slots that were held long enough; how many. */
  readonly letGo: (nowMs: number) => number;
  /** When the oldest one was sent; Infinity when nothing waits. */
  readonly oldestSentMs: () => number;
  /** When the next held slot is released; Infinity when none is held. */
  readonly heldUntilMs: () => number;
  /** Removes those with these refs. */
  readonly withdraw: (refs: readonly number[]) => void;
  /** Removes everything, oldest first. */
  readonly drain: () => number[];
};

export function pendingRequests(): PendingRequests {
  const waiting = new Map<number, { readonly ref: number; readonly sentAtMs: number }>();
  const timedOut = new Map<number, number>();
  const heldUntil = new Map<number, number>();

  return {
    count: () => waiting.size,
    held: () => heldUntil.size,
    add: (sequence, ref, sentAtMs) => {
      assert(!waiting.has(sequence), "a sequence number is in use");
      timedOut.delete(sequence);
      heldUntil.delete(sequence);
      waiting.set(sequence, { ref, sentAtMs });
    },
    has: (sequence) => waiting.has(sequence),
    settle: (sequence) => {
      const request = waiting.get(sequence);
      if (request !== undefined) {
        waiting.delete(sequence);
        return { ref: request.ref, late: false };
      }
      const ref = timedOut.get(sequence);
      if (ref === undefined) return null;
      timedOut.delete(sequence);
      heldUntil.delete(sequence);
      return { ref, late: true };
    },
    expire: (sentByMs, heldUntilMs) => {
      const refs: number[] = [];
      for (const [sequence, { ref, sentAtMs }] of waiting) {
        if (sentAtMs > sentByMs) break;
        waiting.delete(sequence);
        timedOut.set(sequence, ref);
        heldUntil.set(sequence, heldUntilMs);
        refs.push(ref);
      }
      for (const sequence of timedOut.keys()) {
        if (timedOut.size <= REMEMBERED) break;
        timedOut.delete(sequence);
      }
      return refs;
    },
    letGo: (nowMs) => {
      const before = heldUntil.size;
      for (const [sequence, untilMs] of heldUntil) {
        if (untilMs > nowMs) break;
        heldUntil.delete(sequence);
      }
      return before - heldUntil.size;
    },
    heldUntilMs: () => heldUntil.values().next().value ?? Number.POSITIVE_INFINITY,
    oldestSentMs: () => waiting.values().next().value?.sentAtMs ?? Number.POSITIVE_INFINITY,
    withdraw: (refs) => {
      const gone = new Set(refs);
      for (const [sequence, { ref }] of waiting) if (gone.has(ref)) waiting.delete(sequence);
    },
    drain: () => {
      const refs = [...waiting.values()].map(({ ref }) => ref);
      waiting.clear();
      return refs;
    },
  };
}

/** The next free number of a session whose last one was `last`. */
export function freeSequence(last: number, requests: PendingRequests): number {
  let sequence = sequenceAfter(last);
  while (requests.has(sequence)) sequence = sequenceAfter(sequence);
  return sequence;
}

/** The number after `sequence`, from 1 to 0x7FFFFFFF and round again (SMPP 3.4 section 5.1.4). */
export function sequenceAfter(sequence: number): number {
  return sequence >= LAST_SEQUENCE ? 1 : sequence + 1;
}
