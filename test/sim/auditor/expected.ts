/**
 * The world as it must be: each batch that exists, and each accepted recipient of it as a message. A batch whose answers were all
 * lost may exist or not: it is there as "possible", and with its id once somebody saw one that can only be it.
 */
import type { Account } from "./accounts.ts";
import type { Exchange } from "./exchanges.ts";
import { text } from "./json.ts";
import { readNumber } from "./numbers.ts";
import { type Rejected, readRejections, type Sightings } from "./sightings.ts";
import type { Submission, SubmittedBody } from "./submissions.ts";
import { type Channel, type Counted, weigh } from "./text.ts";

export type ExpectedBatch = {
  readonly account: Account;
  readonly submission: Submission;
  readonly body: SubmittedBody;
  /** Null while nobody saw it: it may not exist. */
  readonly batchId: string | null;
  /** The 202 that a client got, the first of them; null for a batch that nobody was answered for. */
  readonly acknowledged: Exchange | null;
  /** Between these it was accepted. */
  readonly acceptedFromMs: number;
  readonly acceptedToMs: number;
  /** Rejected places with their reasons; null while nobody read them. */
  readonly rejections: ReadonlyMap<number, Rejected> | null;
  /** Every recipient that is accepted, or, while `rejections` is null, may be. */
  readonly messages: readonly ExpectedMessage[];
};

/** An accepted recipient. */
export type ExpectedMessage = {
  readonly account: Account;
  readonly batchId: string | null;
  readonly index: number;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly sender: string;
  readonly messageClass: string;
  readonly channel: Channel;
  readonly text: string;
  readonly encoding: Counted["encoding"];
  readonly segments: number;
  /** As submitted; null: at once. */
  readonly scheduledAt: string | null;
  /** The SMS that it may go on as; null: none. */
  readonly second: ExpectedMessage | null;
  /** It is the SMS that a message of WhatsApp may have gone on as. */
  readonly isSecond: boolean;
};

/** Every batch that must exist or may. */
export function batchesOf(
  submissions: readonly Submission[],
  sightings: Sightings,
  region: string,
): readonly ExpectedBatch[] {
  const taken = new Set<string>();
  const known = submissions.flatMap((submission) =>
    submission.bodies.flatMap((body) => acknowledgedBatches(submission, body, sightings, region)),
  );
  for (const { batchId } of known) if (batchId !== null) taken.add(batchId);
  const doubtful = submissions.flatMap((submission) => {
    const all = submission.bodies.flatMap((body) =>
      possibleBatch(submission, body, sightings, region, taken),
    );
    // Of several bodies under one key at most one was accepted.
    const seen = all.filter(({ batchId }) => batchId !== null);
    return seen.length > 0 ? seen : all;
  });
  return [...known, ...doubtful];
}

function acknowledgedBatches(
  submission: Submission,
  body: SubmittedBody,
  sightings: Sightings,
  region: string,
): readonly ExpectedBatch[] {
  const seen = new Set<string>();
  return body.tries.flatMap((exchange) => {
    const batchId = text(exchange.answer?.json, "data", "batch_id");
    if (exchange.answer?.status !== 202 || batchId === null || seen.has(batchId)) return [];
    seen.add(batchId);
    const isAsync = text(exchange.answer.json, "data", "status") === "VALIDATING";
    const rejections = isAsync
      ? (sightings.rejections.get(batchId) ?? null)
      : readRejections(exchange.answer.json);
    const batch = expectedBatch({ submission, body, batchId, acknowledged: exchange, rejections }, region);
    return isAsync ? { ...batch, acceptedToMs: validatedBy(batchId, sightings) } : batch;
  });
}

/** A large batch is judged after its answer: by when, the first look tells that shows it judged. */
function validatedBy(batchId: string, { batchViews }: Sightings): number {
  const view = batchViews.find((each) => each.batchId === batchId && each.status !== "VALIDATING");
  return view?.atMs ?? Number.MAX_SAFE_INTEGER;
}

/** A submission whose tries all ended without a 202, one of which may have been accepted all the same. */
function possibleBatch(
  submission: Submission,
  body: SubmittedBody,
  sightings: Sightings,
  region: string,
  taken: Set<string>,
): readonly ExpectedBatch[] {
  const tries = submission.bodies.flatMap((each) => each.tries);
  const isKnown = tries.some(({ answer }) => answer?.status === 202);
  if (isKnown || body.tries.every(({ answer }) => answer !== null)) return [];
  const { sender, messageClass, recipients } = body.request;
  const others = submission.bodies.slice(0, submission.bodies.indexOf(body));
  if (others.some(({ tries: earlier }) => earlier.some(({ id }) => taken.has(`request ${id}`)))) return [];
  const found = [...sightings.batches.values()].find(
    (batch) =>
      !taken.has(batch.batchId) &&
      batch.account === submission.account.name &&
      (batch.sender === null || batch.sender === sender) &&
      (batch.messageClass === null || batch.messageClass === messageClass) &&
      (batch.recipients === null || batch.recipients === recipients.length) &&
      [...batch.numbers].every(([index, msisdn]) => isNumber(recipients[index], msisdn, region)) &&
      [...(sightings.rejections.get(batch.batchId) ?? [])].every(([index, { msisdn }]) =>
        isNumber(recipients[index], msisdn, region),
      ),
  );
  if (found) for (const name of [found.batchId, `request ${body.tries[0]?.id}`]) taken.add(name);
  const batchId = found?.batchId ?? null;
  const rejections = batchId === null ? null : (sightings.rejections.get(batchId) ?? null);
  return [expectedBatch({ submission, body, batchId, acknowledged: null, rejections }, region)];
}

/** Whether a recipient may be shown under a number: as it was read, and under none where it is none. */
function isNumber(
  recipient: SubmittedBody["request"]["recipients"][number] | undefined,
  shown: string | null,
  region: string,
): boolean {
  if (recipient === undefined) return false;
  const { msisdn, shown: rejected, isPossible, isValid } = readNumber(recipient.msisdn, region);
  return shown === null ? !(isPossible && isValid) : msisdn === shown || rejected === shown;
}

/** A batch of what is known of it, with its messages. */
export function expectedBatch(
  known: Pick<ExpectedBatch, "submission" | "body" | "batchId" | "acknowledged" | "rejections">,
  region: string,
): ExpectedBatch {
  const { submission, body, batchId, acknowledged, rejections } = known;
  const { account } = submission;
  const { sender, messageClass, scheduledAt, recipients } = body.request;
  const messages = recipients.flatMap((recipient, index) => {
    if (rejections?.has(index)) return [];
    const { msisdn } = readNumber(recipient.msisdn, region);
    if (msisdn === null) return [];
    const about = { account, batchId, index, msisdn, sender, messageClass, scheduledAt };
    return [expectedMessage(about, body.request, recipient.attributes)];
  });
  const ends = body.tries.map((exchange) => exchange.endedAtMs ?? Number.MAX_SAFE_INTEGER);
  return {
    account,
    ...known,
    messages,
    acceptedFromMs: body.tries[0]?.askedAtMs ?? 0,
    acceptedToMs: acknowledged?.answer?.atMs ?? Math.max(...ends),
  };
}

/** A recipient of a request as the message that it is, with the SMS that it may go on as. */
function expectedMessage(
  about: Omit<ExpectedMessage, "channel" | "text" | "encoding" | "segments" | "second" | "isSecond">,
  {
    channel,
    body,
    fallback,
    isFree,
  }: Pick<SubmittedBody["request"], "channel" | "body" | "fallback" | "isFree">,
  attributes: Readonly<Record<string, unknown>>,
): ExpectedMessage {
  const way = (of: Channel, words: string) => ({
    ...about,
    channel: of,
    ...weigh(of, words, attributes, isFree),
  });
  const second =
    channel === "WHATSAPP" && fallback !== null
      ? { ...way("SMS", fallback.body), second: null, isSecond: true }
      : null;
  return { ...way(channel, body), second, isSecond: false };
}
