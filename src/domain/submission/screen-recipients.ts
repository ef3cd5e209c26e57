/**
 * Rejects recipients by what is on record: suppressions, quiet hours, frequency caps, repetition and ceilings of the
 * account; for test keys, by the number's last digits.
 */

import type { Span } from "../../core/calendar.ts";
import { hashKey } from "../../core/ids.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Tx } from "../../db/writer.ts";
import { transliterate } from "../../text/rewrite.ts";
import { isSuppressed } from "../accounts/suppressions.ts";
import type { BatchSums, NewBatch } from "../messages/insert.ts";
import { reservedOf } from "../messages/message-money.ts";
import {
  type RecentSend,
  readTextsTo,
  recentSends,
  type SendsQuery,
  type SendsSpan,
  type SentText,
} from "../messages/recent-messages.ts";
import type { Stage } from "../messages/staged-recipients.ts";
import type { Draft, Planned, RecipientRejection } from "./expand-recipients.ts";
import { acceptedThisMinute, acceptedToday } from "./recipient-counts.ts";
import type { RejectionReason } from "./rejections.ts";
import type { Ceilings, ScreeningRules, SubmissionContext } from "./submission-context.ts";

/** What was staged of the batch before this step; a small batch has no stage. */
type StagedBefore = { readonly stage: Stage | null; readonly recipients: number };

export type ScreenedRecipients = {
  readonly drafts: readonly (Draft & { readonly textKey: number })[];
  /** In order of submission. */
  readonly rejections: readonly RecipientRejection[];
  readonly sums: BatchSums;
};

/**
 * Drops recipients of a step for what is on record about them, inside the transaction that writes the others, so that two submissions never
 * both get the last of an allowance. Reads only.
 *
 * What another batch has staged counts as accepted, although that batch may yet fail: its recipients are taken until that is decided.
 * Otherwise ceilings would not cut in order of submission, and a batch that opens would have to be screened again in its last transaction,
 * or a subscriber could get the same text twice. A recipient dropped for a batch that then failed is listed in `rejections` and can be sent
 * again; a text that was sent twice can't be taken back. A batch without the money stages no more than it could pay for, so this lasts as
 * long as its staging, and everything is free again with the end of its stage.
 */
export function screenRecipients(
  tx: Tx,
  terms: SubmissionContext,
  planned: Planned,
  before: StagedBefore = { stage: null, recipients: 0 },
): ScreenedRecipients {
  const { rules, stages, likens } = terms;
  const { accountId, messageClass } = terms.batch;
  const left = ceilingsLeft(tx, terms, before);
  const drafts: (Draft & { textKey: number })[] = [];
  const rejections: RecipientRejection[] = [...planned.rejections];
  let segments = 0;
  let amount = 0;
  for (const draft of planned.drafts) {
    const textKey = hashKey(draft.rendered);
    const whose = { accountId, msisdn: draft.msisdn };
    const back = toSendsQuery(rules, textKey);
    const reason =
      deriveSandboxRejection(terms.batch, draft.msisdn) ??
      screen(
        rules,
        {
          isSuppressed: isSuppressed(tx, accountId, draft.msisdn, messageClass),
          recent: recentSends(tx, stages, { ...whose, ...back }),
          textKey,
          hasAlike:
            likens &&
            isSimilarToAny(draft.rendered, readTextsTo(tx, stages, { ...whose, ...spanOf(back.sameText) })),
        },
        left,
      );
    if (reason) {
      const { position, msisdn, clientReference } = draft;
      rejections.push({ position, msisdn, reason, clientReference });
      continue;
    }
    left.perDay -= 1;
    left.perMinute -= 1;
    segments += draft.segments;
    amount += reservedOf(draft);
    drafts.push({ ...draft, textKey });
  }
  rejections.sort((a, b) => a.position - b.position);
  return {
    drafts,
    rejections,
    sums: { accepted: drafts.length, rejected: rejections.length, segments, amount },
  };
}

const spanOf = ({ fromMs, toMs }: SendsSpan): SendsSpan => ({ fromMs, toMs });

/** What the account's ceilings leave at this moment, beside what is staged; Infinity where there is none. */
function ceilingsLeft(
  tx: Tx,
  terms: SubmissionContext,
  before: StagedBefore,
): { perDay: number; perMinute: number } {
  const { ceilings, accountTimezone, stages } = terms;
  const { accountId, createdAt } = terms.batch;
  const staged = () => [
    { createdAt, recipients: before.recipients },
    ...stages.recipientsOf(tx, accountId, before.stage),
  ];
  const left = (ceiling: number, used: () => number) =>
    ceiling === 0 ? Number.POSITIVE_INFINITY : ceiling - used();
  return {
    perDay: left(ceilings.perDay, () => acceptedToday(tx, accountId, accountTimezone, createdAt, staged())),
    perMinute: left(ceilings.perMinute, () => acceptedThisMinute(tx, accountId, createdAt, staged())),
  };
}

// Which recipients a sandbox rejects at once, by the last two digits of their numbers (docs/behaviour.md#endings).

const MARKETING_ONLY: Readonly<Record<string, RejectionReason>> = {
  "93": "SUPPRESSED",
  "94": "QUIET_HOURS",
  "95": "FREQUENCY_CAP_DAILY",
  "96": "FREQUENCY_CAP_WEEKLY",
};

const ANY_CLASS: Readonly<Record<string, RejectionReason>> = {
  "97": "DUPLICATE_RECENT_BODY",
  "98": "RATE_LIMIT_PER_DAY",
  "99": "RATE_LIMIT_PER_MINUTE",
};

/** Why the number of a sandbox recipient asks to be rejected; null where it does not, and always for live traffic. Pure. */
export function deriveSandboxRejection(
  { accountId, messageClass }: Pick<NewBatch, "accountId" | "messageClass">,
  msisdn: string,
): RejectionReason | null {
  if (!isSandbox(accountId)) return null;
  const ending = msisdn.slice(-2);
  const ofMarketing = messageClass === "MARKETING" ? MARKETING_ONLY[ending] : undefined;
  return ofMarketing ?? ANY_CLASS[ending] ?? null;
}

// What a recipient is dropped for after it was routed and rendered (docs/behaviour.md#reasons-of-rejection). Pure.

/** What is known of one recipient. */
export type RecipientRecord = {
  readonly isSuppressed: boolean;
  readonly recent: readonly RecentSend[];
  readonly textKey: number;
  /** Whether they have a text that counts as the same, although it differs. */
  readonly hasAlike: boolean;
};

const DAY_MS = 86_400_000;

/** Which of the messages to a recipient of such a batch may decide, its text given by its key. */
export function toSendsQuery(
  rules: ScreeningRules,
  textKey: number,
): Pick<SendsQuery, "sameText" | "marketing"> {
  const spanOf = ({ startMs, endMs }: Span) => ({ fromMs: startMs, toMs: endMs });
  return {
    sameText: { textKey, fromMs: rules.plannedAt - DAY_MS + 1, toMs: rules.plannedAt + DAY_MS },
    marketing: rules.isMarketing
      ? [
          { ...spanOf(rules.day), most: rules.marketingPerDay },
          { ...spanOf(rules.week), most: rules.marketingPerWeek },
        ]
      : [],
  };
}

/** Whether one of the texts that a recipient has is, to a reader, `rendered`: they differ only in characters that rewriting replaces. */
function isSimilarToAny(rendered: string, sent: Iterable<SentText>): boolean {
  const alike = transliterate(rendered);
  const alikeKey = hashKey(alike);
  for (const { text, textKey } of sent) {
    if (textKey === alikeKey || (text !== "" && transliterate(text) === alike)) return true;
  }
  return false;
}

/**
 * The first reason that applies, or null. Ceilings come last, so that a recipient dropped for another reason never
 * uses up an allowance.
 */
export function screen(
  rules: ScreeningRules,
  record: RecipientRecord,
  left: Ceilings,
): RejectionReason | null {
  if (record.isSuppressed) return "SUPPRESSED";
  if (rules.isMarketing) {
    if (!rules.isWithinHours) return "QUIET_HOURS";
    if (isReached(rules.marketingPerDay, record.recent, rules.day)) return "FREQUENCY_CAP_DAILY";
    if (isReached(rules.marketingPerWeek, record.recent, rules.week)) return "FREQUENCY_CAP_WEEKLY";
  }
  if (record.hasAlike || record.recent.some((send) => isRepeat(send, record.textKey, rules.plannedAt))) {
    return "DUPLICATE_RECENT_BODY";
  }
  if (left.perDay <= 0) return "RATE_LIMIT_PER_DAY";
  if (left.perMinute <= 0) return "RATE_LIMIT_PER_MINUTE";
  return null;
}

function isReached(cap: number, recent: readonly RecentSend[], span: Span): boolean {
  if (cap === 0) return false;
  const counted = recent.filter(
    ({ isMarketing, plannedAt }) => isMarketing === 1 && plannedAt >= span.startMs && plannedAt < span.endMs,
  );
  return counted.length >= cap;
}

function isRepeat(send: RecentSend, textKey: number, plannedAt: number): boolean {
  return send.textKey === textKey && Math.abs(send.plannedAt - plannedAt) < DAY_MS;
}
