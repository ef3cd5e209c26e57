/** Events and counters of the simulated SMSC: submits, texts on handsets, receipts, quirks and broken protocol rules. */
import { type Phrase, written } from "../i18n/phrase.ts";
import type { BindKind } from "../smpp/pdu.ts";
import type { GarbageKind } from "./garbage.ts";
import type { HandsetText } from "./handset.ts";
import type { Stat } from "./message-states.ts";

/** What the simulated operator sees and does, as it happens. */
export type SmscEvent = { readonly atMs: number } & (
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "bound"; readonly link: number; readonly systemId: string; readonly bind: BindKind }
  | {
      readonly kind: "bind_refused";
      readonly link: number;
      readonly systemId: string;
      readonly status: number;
    }
  | {
      readonly kind: "closed";
      readonly link: number;
      readonly systemId: string | null;
      readonly why: Phrase;
      /** By the unbind of either side. */
      readonly isUnbound: boolean;
    }
  /** A submit_sm was answered, or never will be: `status` null. Emitted when the answer is written, or its session has ended. */
  | ({ readonly kind: "submit"; readonly id: string | null; readonly status: number | null } & SubmitEvent)
  /** A whole text is on a handset. */
  | ({ readonly kind: "text" } & HandsetText)
  /** A message reached its final state, whether a receipt tells so or not. */
  | {
      readonly kind: "outcome";
      readonly to: string;
      readonly id: string;
      readonly stat: Stat;
      readonly receipts: number;
    }
  /** A receipt was acknowledged; `status` is that of the deliver_sm_resp. */
  | { readonly kind: "acknowledged"; readonly link: number; readonly status: number }
  /** The quirks did something to a session. */
  | { readonly kind: "quirk"; readonly link: number; readonly how: QuirkOfLink; readonly what: Phrase }
  | { readonly kind: "garbage"; readonly link: number; readonly garbage: GarbageKind }
  /** The other side broke a rule of the protocol. */
  | { readonly kind: "violation"; readonly link: number; readonly what: Phrase }
  /** The operator stopped. */
  | { readonly kind: "stopped"; readonly stats: SmscStats }
);

/** Dropped, not read for a while or any more, asked to unbind. */
export type QuirkOfLink = "dropped" | "stalled" | "asked to unbind";

/** A rule of the protocol that the other side broke, and how often. */
type BrokenRule = { readonly what: Phrase; readonly times: number };

export type SubmitEvent = {
  readonly link: number;
  readonly from: string;
  readonly to: string;
  /** The number of this part, and of all parts. */
  readonly part: number;
  readonly parts: number;
};

/** Sums since the start. */
export type SmscStats = {
  readonly links: number;
  readonly submits: number;
  readonly accepted: number;
  readonly refused: number;
  /** Accepted, and the answer never written. */
  readonly unanswered: number;
  /** Whole texts on handsets. */
  readonly texts: number;
  /** Texts of which a part is missing. */
  readonly incompleteTexts: number;
  readonly receiptsSent: number;
  readonly receiptsAcknowledged: number;
  /** Receipts and replies that wait for a session that can receive, or for their acknowledgement. */
  readonly receiptsWaiting: number;
  /** Sessions dropped by a quirk. */
  readonly dropped: number;
  /** Times that garbage was written. */
  readonly garbage: number;
  readonly violations: number;
  /** Each rule that was broken, in the order in which it first was. */
  readonly broken: readonly BrokenRule[];
  /** The most submit_sm that waited for an answer on one session. */
  readonly mostUnansweredOnLink: number;
  /** The most submit_sm that came within a second on one session. */
  readonly mostInASecondOnLink: number;
};

/** Sums that the sessions write (SmscStats says what each means). */
export type SmscCounters = ReturnType<typeof createSmscCounters>;

export function createSmscCounters() {
  return {
    submits: 0,
    accepted: 0,
    refused: 0,
    unanswered: 0,
    texts: 0,
    receiptsSent: 0,
    receiptsAcknowledged: 0,
    dropped: 0,
    garbage: 0,
    mostUnansweredOnLink: 0,
    mostInASecondOnLink: 0,
    /** By rule and its parameters. */
    broken: new Map<string, BrokenRule>(),
  };
}

/** The sums at this moment, with those counted elsewhere. */
export function toSmscStats(
  tally: SmscCounters,
  others: Pick<SmscStats, "links" | "incompleteTexts" | "receiptsWaiting">,
): SmscStats {
  const { broken: byRule, ...sums } = tally;
  const broken = [...byRule.values()];
  const violations = broken.reduce((sum, { times }) => sum + times, 0);
  return { ...sums, ...others, violations, broken };
}

export function countBroken({ broken }: SmscCounters, what: Phrase): void {
  const rule = written(what);
  broken.set(rule, { what, times: (broken.get(rule)?.times ?? 0) + 1 });
}
