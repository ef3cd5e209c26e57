import type { ExpectedBatch } from "../expected.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import { list, number } from "../json.ts";

const found = finder(
  "rejections",
  "Each recipient of a batch is accepted or rejected, and a number that stands in it twice is DUPLICATE_IN_BATCH but for the first time.",
);

/** The figures of each batch, and the numbers that stand in it twice. */
export const rejections: Rule = (history) =>
  history.batches.flatMap((batch) => {
    if (batch.batchId === null || batch.rejections === null) return [];
    const atMs = Math.min(batch.acceptedToMs, history.endAtMs);
    return [...figures(batch), ...duplicates(batch, atMs)];
  });

function figures({ acknowledged, rejections: rejected, body, batchId }: ExpectedBatch): readonly Finding[] {
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

/** Numbers that are accepted twice, and rejected ones that stand there once only. */
function duplicates(
  { rejections: rejected, messages, batchId, account }: ExpectedBatch,
  atMs: number,
): readonly Finding[] {
  const tell = (index: number, what: string) =>
    found(atMs, `${account.name}'s batch ${batchId}, place ${index}: ${what}`, batchId ?? "");
  const others = new Set(
    [...(rejected ?? [])].flatMap(([, { reason, msisdn }]) => (reason === DUPLICATE ? [] : [msisdn])),
  );
  const accepted = new Set<string>();
  const twice = messages.flatMap(({ index, msisdn }) => {
    if (accepted.has(msisdn)) return [tell(index, `accepted, and must be ${DUPLICATE}`)];
    accepted.add(msisdn);
    return [];
  });
  const once = [...(rejected?.values() ?? [])].flatMap(({ index, reason, msisdn }) =>
    reason !== DUPLICATE || accepted.has(msisdn ?? "") || others.has(msisdn)
      ? []
      : [tell(index, `${DUPLICATE}, and no other place has ${msisdn}`)],
  );
  return [...twice, ...once];
}

const DUPLICATE = "DUPLICATE_IN_BATCH";
