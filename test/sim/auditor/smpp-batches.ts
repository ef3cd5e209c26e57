/**
 * Texts of SMPP clients as batches of one recipient. No answer names the batch, so it is known by its number, to which nobody else
 * sends. A text may have several: it is accepted again where the first failed or was cancelled, and each refusal for good may leave one
 * of which nothing was accepted.
 */
import { type ExpectedBatch, expectedBatch } from "./expected.ts";
import type { Sightings } from "./sightings.ts";
import { isAccepted, type SmppText } from "./smpp-clients.ts";
import type { Submission } from "./submissions.ts";

/** The batches of the texts that somebody saw. */
export function smppBatchesOf(
  texts: readonly SmppText[],
  sightings: Sightings,
  taken: ReadonlySet<string>,
  region: string,
): readonly ExpectedBatch[] {
  if (texts.length === 0) return [];
  const byNumber = batchesByNumber(sightings, taken);
  return texts.flatMap((text) => {
    const own = byNumber.get(`${text.user.account.name} ${text.msisdn}`) ?? [];
    return own.map((batchId) => batchOf(text, batchId, sightings, region));
  });
}

/** Those of one recipient that nobody submitted in another way, by account and number. */
function batchesByNumber(
  { batches, rejections }: Sightings,
  taken: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { batchId, account, recipients, numbers } of batches.values()) {
    if (taken.has(batchId) || (recipients !== null && recipients !== 1)) continue;
    const msisdn = numbers.get(0) ?? rejections.get(batchId)?.get(0)?.msisdn;
    if (!msisdn) continue;
    const key = `${account} ${msisdn}`;
    found.set(key, [...(found.get(key) ?? []), batchId]);
  }
  return found;
}

function batchOf(text: SmppText, batchId: string, sightings: Sightings, region: string): ExpectedBatch {
  const { user, msisdn, sender, parts } = text;
  const request = {
    sender,
    body: text.text ?? "",
    messageClass: user.messageClass,
    channel: "SMS" as const,
    isFree: false,
    fallback: null,
    scheduledAt: null,
    timezone: null,
    recipients: [{ msisdn, attributes: {} }],
  };
  const body = { request, tries: [] };
  const submission: Submission = {
    account: user.account,
    apiKey: "",
    idempotencyKey: `${user.systemId} ${msisdn}`,
    bodies: [body],
  };
  const rejections = sightings.rejections.get(batchId) ?? new Map();
  const batch = expectedBatch({ submission, body, batchId, acknowledged: null, rejections }, region);
  return { ...batch, ...acceptedWithin(parts) };
}

/** It is not complete before each part was sent once, and accepted no later than the last submit of it could be. */
function acceptedWithin(parts: SmppText["parts"]): Pick<ExpectedBatch, "acceptedFromMs" | "acceptedToMs"> {
  const submits = parts.flatMap((part) => part.submits);
  const isCertain = submits.every(isAccepted);
  const ends = submits.map(({ answer, sentAtMs }) => answer?.leftAtMs ?? sentAtMs + LATE_MS);
  return {
    acceptedFromMs: Math.max(0, ...parts.map(({ submits: all }) => all[0]?.sentAtMs ?? 0)),
    acceptedToMs: isCertain ? Math.max(0, ...firstAnswers(parts)) : Math.max(0, ...ends),
  };
}

/** What was read of a connection that broke is carried out all the same, within this. */
const LATE_MS = 60_000;

/** When each part was first accepted. */
function firstAnswers(parts: SmppText["parts"]): readonly number[] {
  return parts.map(({ submits }) => submits[0]?.answer?.leftAtMs ?? 0);
}
