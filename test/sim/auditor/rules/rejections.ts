import type { ExpectedBatch } from "../expected.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { carriersIn, operatorsIn, settingsIn } from "../in-force.ts";
import { list, number } from "../json.ts";
import { numbersFor } from "../number-routes.ts";
import { type ReadNumber, readNumber } from "../numbers.ts";
import { periodOf } from "../planned-time.ts";
import { count, hasEmptyValue, render } from "../text.ts";

const found = finder(
  "rejections",
  "INVALID_MSISDN → DUPLICATE_IN_BATCH → UNROUTABLE_PREFIX → RENDERED_BODY_EMPTY → TOO_MANY_SEGMENTS: the first that applies is told, and nothing of it is accepted.",
);

/** Reasons that are looked at afterwards, by rules of their own. */
const LATER = [
  ...["SUPPRESSED", "QUIET_HOURS", "FREQUENCY_CAP_DAILY", "FREQUENCY_CAP_WEEKLY", "DUPLICATE_RECENT_BODY"],
  ...["RATE_LIMIT_PER_DAY", "RATE_LIMIT_PER_MINUTE"],
];

/** What a submission alone decides about each recipient: number, repetition inside, operator, text. */
export const rejections: Rule = (history) =>
  history.batches.flatMap((batch) =>
    batch.batchId === null || batch.rejections === null
      ? []
      : [...figures(batch), ...recipients(history, batch)],
  );

function figures(batch: ExpectedBatch): readonly Finding[] {
  const { acknowledged, rejections: rejected, body, batchId } = batch;
  const answer = acknowledged?.answer;
  const sent = body.request.recipients.length;
  if (!answer || !rejected || batchId === null) return [];
  const [told, taken] = [number(answer.json, "data", "rejected"), number(answer.json, "data", "accepted")];
  if (told === 0 && taken === 0) return [];
  const listed = list(answer.json, "data", "rejections").length;
  const isWhole = told === listed && listed === rejected.size && (taken ?? 0) + (told ?? 0) === sent;
  const what = `batch ${batchId} of ${sent} recipients says ${taken} accepted and ${told} rejected, and lists ${listed}`;
  return isWhole ? [] : [found(answer.atMs, what, batchId)];
}

function recipients(history: History, batch: ExpectedBatch): readonly Finding[] {
  const { rejections: rejected, body, batchId, acceptedToMs, account } = batch;
  const seen = new Set<string>();
  return body.request.recipients.flatMap((recipient, index) => {
    const read = readNumber(recipient.msisdn, settingsIn(history, periodOf(batch))[0]?.region ?? "BF");
    const allowed = reasonsOf(history, batch, read, seen, () => {
      if (body.request.channel === "WHATSAPP") {
        const { fallback, isFree, sender } = body.request;
        // The text of a sender that no number knows is not looked at.
        const routes = numbersFor(history, account, sender, periodOf(batch));
        const isEmpty = !isFree && hasEmptyValue(body.request.body, recipient.attributes);
        if (isEmpty && !routes.has(null)) return ["RENDERED_VALUE_EMPTY"];
        const ofTemplate = isEmpty && routes.size > 1 ? ["RENDERED_VALUE_EMPTY"] : [];
        // Whom no operator of SMS reaches goes by WhatsApp alone.
        const reaching = operatorsIn(history, read.msisdn ?? "", periodOf(batch));
        const isAlone = fallback === null || read.isFixedLine || reaching.has(null);
        const ofSms =
          fallback === null
            ? []
            : smsReasons(history, batch, read, render(fallback.body, recipient.attributes));
        return [...new Set([...ofTemplate, ...(isAlone ? [null, ...ofSms] : ofSms)])];
      }
      return smsReasons(history, batch, read, render(body.request.body, recipient.attributes));
    });
    if (read.msisdn !== null && read.isPossible && !allowed.includes("INVALID_MSISDN")) seen.add(read.msisdn);
    const reason = rejected?.get(index)?.reason ?? null;
    const shown = rejected?.get(index)?.msisdn ?? null;
    const isRight = allowed.includes(reason) || (allowed.includes(null) && LATER.includes(reason ?? ""));
    const isNamed = reason === null || reason === "INVALID_MSISDN" || shown === read.msisdn;
    if (isRight && isNamed) return [];
    const must = allowed.map((each) => each ?? "accepted").join(" or ");
    const what = `${account.name}'s batch ${batchId}, place ${index} (${JSON.stringify(recipient.msisdn)}): ${reason ?? "accepted"} as ${shown}; it must be ${must}`;
    return [found(Math.min(acceptedToMs, history.endAtMs), what, batchId ?? "")];
  });
}

/** What may come of a text as an SMS. */
function smsReasons(
  history: History,
  batch: ExpectedBatch,
  { msisdn }: ReadNumber,
  words: string,
): readonly (string | null)[] {
  if (words.trim() === "") return ["RENDERED_BODY_EMPTY"];
  const limits = segmentLimits(history, batch, msisdn ?? "");
  const { segments } = count(words);
  return [
    ...(limits.some((limit) => segments > limit) ? ["TOO_MANY_SEGMENTS"] : []),
    ...(limits.some((limit) => segments <= limit) ? [null] : []),
  ];
}

/** What may come of a recipient so far; null: nothing stands against it yet. */
function reasonsOf(
  history: History,
  batch: ExpectedBatch,
  { msisdn, isPossible, isValid, isFixedLine }: ReadNumber,
  seen: ReadonlySet<string>,
  ofText: () => readonly (string | null)[],
): readonly (string | null)[] {
  if (msisdn === null || !isPossible) return ["INVALID_MSISDN"];
  const { channel } = batch.body.request;
  const operators = isFixedLine ? new Set([null]) : carriersIn(history, { channel, msisdn }, periodOf(batch));
  const owned = [...operators].filter((operator) => operator !== null).length > 0;
  const orphan = operators.has(null);
  const invalid = orphan && !isValid ? ["INVALID_MSISDN"] : [];
  if (seen.has(msisdn)) return owned || isValid ? ["DUPLICATE_IN_BATCH", ...invalid] : invalid;
  const unroutable = orphan && isValid ? ["UNROUTABLE_PREFIX"] : [];
  return [...invalid, ...unroutable, ...(owned ? ofText() : [])];
}

/** The most parts that the operators of a number take: 255, or fewer where a connection says so. */
function segmentLimits(history: History, batch: ExpectedBatch, msisdn: string): readonly number[] {
  const codes = operatorsIn(history, msisdn, periodOf(batch));
  return settingsIn(history, periodOf(batch)).flatMap(({ document }) =>
    Object.entries((document.operators ?? {}) as Record<string, unknown>).flatMap(([code, operator]) =>
      codes.has(code)
        ? list(operator, "connections").map((connection) => number(connection, "max_segments") ?? 255)
        : [],
    ),
  );
}
