/**
 * Thirty days of traffic for `bendre demo` to open with: companies that sent codes, notices and campaigns, with what became of
 * each text.
 *
 * It is played before the appliance starts, through the functions that a running one uses (submissions, facts, the ledger), with a
 * clock that stands where the history is. Nothing of it went over a wire.
 */
import type { AdminContext } from "../admin/operations/context.ts";
import type { Submissions } from "../admin/operations/submissions.ts";
import { createClaimRecovery } from "../app/channels.ts";
import { type Platform, systemPlatform } from "../app/platform.ts";
import { createOfflineSubmissions } from "../app/submissions.ts";
import type { Config } from "../config/config.ts";
import { NO_PEMS } from "../config/files.ts";
import { assert } from "../core/assert.ts";
import { type Chance, seededChance } from "../core/chance.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { idFactory } from "../core/ids.ts";
import { openStore, type Store } from "../db/store.ts";
import { accountByUlid } from "../domain/accounts/accounts.ts";
import { applyFacts } from "../domain/messages/apply-facts.ts";
import { postBatchMovements } from "../domain/messages/batch-totals.ts";
import type { Fact } from "../domain/messages/facts.ts";
import type { MessageErrorCode } from "../domain/messages/message-status.ts";
import type { QueuedMessage } from "../domain/messages/queue.ts";
import { keysOfAdministrators } from "../domain/submission/idempotency.ts";
import { openAccount } from "./accounts.ts";
import { type DemoLanguage, PAST_CLIENTS, type PastClient, type PastSending } from "./past-clients.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;
/** The history ends so long before the demonstration begins. */
const REST_MS = 60 * SECOND_MS;

type History = {
  readonly context: AdminContext;
  readonly submissions: Submissions;
  readonly store: Store;
  readonly clock: PastClock;
  readonly chance: Chance;
};

/** Plays the history into an empty data directory. The same texts at the same hours each time; only the days move. */
export async function playHistory(
  config: Config,
  language: DemoLanguage,
  endMs: number,
  machine: Platform = systemPlatform,
): Promise<void> {
  const beginMs = endMs - DAYS * DAY_MS;
  const clock = new PastClock(beginMs, endMs);
  const chance = seededChance(30);
  const store = openStore(config.storage.directory, clock);
  const newId = idFactory(clock, chance);
  const submissions = createOfflineSubmissions({ store, config, clock, newId, spaceOf: machine.spaceOf });
  const context: AdminContext = {
    store,
    config,
    file: { pems: NO_PEMS, given: new Set<string>() },
    clock,
    chance,
    newId,
    actor: "demo",
    server: null,
    recoverClaim: createClaimRecovery({ now: () => config }),
    machine,
    submissions,
  };
  const history = { context, submissions, store, clock, chance };
  try {
    const accounts = new Map<PastClient, number>();
    for (const client of PAST_CLIENTS) accounts.set(client, await admit(history, client));
    const planned = PAST_CLIENTS.flatMap((client) =>
      client.sendings.flatMap((sending) =>
        momentsOf(sending, beginMs, endMs - REST_MS, chance).map((atMs) => ({ atMs, client, sending })),
      ),
    ).sort((one, other) => one.atMs - other.atMs);
    for (const { atMs, client, sending } of planned) {
      clock.moveTo(atMs);
      await send(history, accounts.get(client) ?? 0, client, sending, language);
    }
    clock.moveTo(endMs);
  } finally {
    await store.close();
  }
}

/** A clock that stands where it was put, and never beyond its end. Nothing waits by it. */
class PastClock implements Clock {
  #atMs: number;
  readonly #endMs: number;

  constructor(atMs: number, endMs: number) {
    this.#atMs = atMs;
    this.#endMs = endMs;
  }

  readonly nowMs = (): number => this.#atMs;
  readonly steadyMs = (): number => this.#atMs;
  readonly doubt = (): null => null;
  readonly after = systemClock.after;
  readonly soon = systemClock.soon;

  /** Never goes back, and not beyond the end: an appliance whose data is dated ahead of its clock sends nothing. */
  moveTo(atMs: number): void {
    this.#atMs = Math.min(this.#endMs, Math.max(this.#atMs, atMs));
  }
}

/** Opens a client's account; its row's id. */
async function admit({ context, clock }: History, client: PastClient): Promise<number> {
  const { name, shortName, sender, topUp } = client;
  const operators = Object.keys(context.config.operators);
  const id = await openAccount(context, { name, shortName, sender, operators, topUp });
  clock.moveTo(clock.nowMs() + HOUR_MS);
  return accountByUlid(context.store.read, id)?.id ?? 0;
}

/** When a client sends one of its texts: on the days and within the hours that it has for that. */
function momentsOf(sending: PastSending, beginMs: number, endMs: number, chance: Chance): number[] {
  const { weekdays, timesADay, fromHour, untilHour } = sending;
  const moments: number[] = [];
  for (let dayMs = Math.ceil(beginMs / DAY_MS) * DAY_MS; dayMs < endMs; dayMs += DAY_MS) {
    // The time of Ouagadougou is UTC.
    if (!weekdays.includes(new Date(dayMs).getUTCDay())) continue;
    const times = Math.max(1, Math.round(timesADay * (0.7 + 0.6 * chance.fraction())));
    for (let time = 0; time < times; time++) {
      const hour = fromHour + (untilHour - fromHour) * chance.fraction();
      moments.push(Math.floor(dayMs + hour * HOUR_MS));
    }
  }
  return moments.filter((atMs) => atMs < endMs);
}

/** Submits a batch, and lets everything happen to it that does. */
async function send(
  { context, submissions, store, clock, chance }: History,
  accountId: number,
  { sender, numbers }: PastClient,
  { messageClass, body, people, reference, attributes }: PastSending,
  language: DemoLanguage,
): Promise<void> {
  const count = people === 1 ? 1 : Math.round(people * (0.8 + 0.4 * chance.fraction()));
  const first = Math.floor(chance.fraction() * numbers.length);
  const recipients = Array.from({ length: count }, (_, at) => ({
    msisdn: numbers[(first + at) % numbers.length],
    attributes: attributes(chance),
  }));
  const submission = {
    sender,
    body: body[language],
    message_class: messageClass,
    recipients,
    ...(reference === null ? {} : { client_reference: reference[language] }),
  };
  const read = await submissions.read(new TextEncoder().encode(JSON.stringify(submission)));
  assert(read.ok, "the history's submissions are in order");
  const answer = await submissions.submit({
    accountId,
    key: {
      apiKeyId: keysOfAdministrators(accountId),
      text: context.newId(),
      bodyDigest: read.value.digest,
    },
    request: read.value.request,
  });
  assert(answer.kind === "accepted", "the history's batches are accepted");
  const queues = answer.batch.filled ?? [];
  const messages = queues.flatMap(({ batch: { operator }, messages: queued }) =>
    queued.map((message) => ({ ...message, operator })),
  );
  const tell = (facts: readonly Fact[]) => store.write((tx) => applyFacts(tx, facts, clock.nowMs()));
  clock.moveTo(clock.nowMs() + 40);
  await tell(messages.map(({ id }) => ({ kind: "claimed", messageId: id })));
  clock.moveTo(clock.nowMs() + 150 + Math.floor(chance.fraction() * 400));
  await tell(messages.flatMap(acceptedParts));
  for (const quarter of receiptsOf(messages, clock.nowMs(), chance)) {
    clock.moveTo(clock.nowMs() + 1500 + Math.floor(chance.fraction() ** 3 * 20_000));
    await tell(quarter);
  }
  await store.write((tx) => postBatchMovements(tx, answer.batch.id, clock.nowMs()));
}

type SentMessage = QueuedMessage & { readonly operator: string };

/** The operator's answers to all segments of a message. */
function acceptedParts({ id, operator, segments }: SentMessage): Fact[] {
  return partsOf(segments).map((part) => ({
    kind: "part_accepted",
    messageId: id,
    part,
    operator,
    remoteId: remoteIdOf(id, part),
    remoteKey: remoteIdOf(id, part),
    final: false,
  }));
}

/** Its receipts, a quarter of the messages after the other; some never come. */
function receiptsOf(messages: readonly SentMessage[], nowMs: number, chance: Chance): Fact[][] {
  const quarters: Fact[][] = [];
  messages.forEach((message, at) => {
    const fate = chance.fraction();
    if (fate < NO_RECEIPT) return;
    const error = errorOf(message.operator, nowMs, chance);
    const quarter = Math.floor((at * 4) / messages.length);
    quarters[quarter] ??= [];
    for (const part of partsOf(message.segments)) {
      quarters[quarter].push({
        kind: "receipt",
        messageId: message.id,
        part,
        remoteKey: remoteIdOf(message.id, part),
        verdict:
          error === null
            ? { kind: "delivered" }
            : { kind: "failed", error: { code: error, operatorCode: OPERATOR_CODES[error] } },
        raw: {
          state: error === null ? "DELIVRD" : "UNDELIV",
          code: error === null ? "000" : OPERATOR_CODES[error],
          connection: 1,
          sequence: null,
        },
      });
    }
  });
  return quarters.filter((facts) => facts !== undefined);
}

/** The share of texts whose receipt is lost. */
const NO_RECEIPT = 0.004;

/** What operators say of texts that do not arrive, in their own codes. */
const OPERATOR_CODES = { ABSENT_SUBSCRIBER: "027", UNKNOWN_SUBSCRIBER: "001", NETWORK_ERROR: "034" } as const;

/** Why a text does not arrive, or null. On some Tuesday afternoons Moov fails more often. */
function errorOf(
  operator: string,
  nowMs: number,
  chance: Chance,
): (MessageErrorCode & keyof typeof OPERATOR_CODES) | null {
  const fate = chance.fraction();
  const at = new Date(nowMs);
  const isBadAfternoon =
    operator === "moov" && at.getUTCDay() === 2 && at.getUTCHours() >= 15 && at.getUTCDate() % 3 === 0;
  if (isBadAfternoon && fate < 0.4) return "NETWORK_ERROR";
  if (fate < 0.03) return "ABSENT_SUBSCRIBER";
  return fate < 0.04 ? "UNKNOWN_SUBSCRIBER" : null;
}

const partsOf = (segments: number): number[] => Array.from({ length: segments }, (_, at) => at + 1);

const remoteIdOf = (messageId: number, part: number): string => `${messageId * 10 + part}`;
