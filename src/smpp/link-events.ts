import type { Phrase } from "../i18n/phrase.ts";
import type { ShortMessage } from "./short-message.ts";

/* What a link tells its owner. */

export type SubmitResponse = {
  readonly ref: number;
  /** command_status; 0 is accepted. */
  readonly status: number;
  /** Null when the operator gave none. */
  readonly messageId: string | null;
};

/** Answers a deliver_sm or data_sm, once; 0 (ROK) unless told otherwise. After the link is lost it does nothing. */
export type Answer = (status?: number) => void;

/** What is told of messages. */
export type MessageEvents = {
  readonly response: (response: SubmitResponse) => void;
  /** The response to a submit that was told as unanswered before. */
  readonly lateResponse: (response: SubmitResponse) => void;
  /** Written, and no response in time or before the link went: the operator may or may not have them. */
  readonly unanswered: (refs: readonly number[]) => void;
  /** Never wholly written: the operator cannot have them. */
  readonly unsent: (refs: readonly number[]) => void;
  /** `sequence`: the PDU's number on this link. Each has to be answered: no more are read while many are not. */
  readonly deliver: (message: ShortMessage, answer: Answer, sequence: number) => void;
  /** Octets of each PDU that is written or was read, which must not be kept; missing where nobody looks. */
  readonly seen?: ((way: "sent" | "received", octets: Uint8Array) => void) | undefined;
};

/** What is told of the link itself. */
export type SessionEvents = MessageEvents & {
  readonly bound: () => void;
  /** There are free places although nothing was answered or released: the link is no longer in doubt. */
  readonly resumed: () => void;
  /** Submits are not answered any more, one after the other. */
  readonly doubted: () => void;
  readonly unexpected: (what: string, detail: string | null) => void;
  /** An error of our own, which ends the link. */
  readonly failed: (error: unknown) => void;
  /** After everything else that is told. */
  readonly ended: (reason: Phrase) => void;
};
