import { type TraceLog, withTrace } from "../../src/core/log.ts";
import type { EventType } from "../../src/domain/events/outbox.ts";
import type { PostEnd } from "../../src/https/post.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";
import { outcomesInto } from "../../src/webhooks/attempts.ts";
import { type Dispatcher, startDispatcher } from "../../src/webhooks/dispatcher.ts";
import { type Endpoint, endpointByUlid } from "../../src/webhooks/endpoints.ts";
import { type Registration, registration } from "../../src/webhooks/registration.ts";
import type { Delays } from "../../src/webhooks/retry-schedule.ts";
import { openSecretSeal } from "../../src/webhooks/signing.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";
import * as facts from "../kit/facts.ts";
import { seededChance } from "../kit/test-chance.ts";
import type { TestClock } from "../kit/test-clock.ts";
import { type LogLine, testLog } from "../kit/test-log.ts";

/** One attempt as the rig's receiver saw it. */
export type Posted = {
  readonly path: string;
  readonly eventId: string;
  readonly type: string;
  /** Seconds since the rig was made. */
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export const taken: PostEnd = { status: 204, retryAfter: null, error: null };

export function answered(status: number, retryAfter: string | null = null): PostEnd {
  return { status, retryAfter, error: phrase("network.answered", { status }) };
}

export type Rig = {
  readonly books: Books;
  readonly account: TestAccount;
  readonly registration: Registration;
  readonly posts: readonly Posted[];
  readonly lines: readonly LogLine[];
  /** How receivers answer from now on; all of them well until it is said otherwise. */
  readonly answer: (reply: (posted: Posted) => PostEnd | Promise<PostEnd>) => void;
  /** Registers an endpoint at https://hook.example.test/PATH; its id and its secret. */
  readonly endpoint: (
    path: string,
    events?: readonly EventType[],
    account?: TestAccount,
  ) => Promise<{ readonly id: string; readonly secret: string }>;
  readonly row: (webhookId: string) => Endpoint;
  /** Accepts a batch of that many messages; their ids. */
  readonly batch: (count: number, account?: TestAccount) => Promise<readonly number[]>;
  /** Lets messages be delivered one after the other. */
  readonly deliver: (...messageIds: readonly number[]) => Promise<void>;
  /** `heardAfterMs`: so much later than it is durable the dispatcher hears that something was written. */
  readonly start: (heardAfterMs?: () => number) => Dispatcher;
  readonly nowMs: () => number;
  /** Lets seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Puts the clock forward at once, and lets what has come due meanwhile happen. */
  readonly leap: (seconds: number) => Promise<void>;
  /** Leaps to an instant, if that is still to come. */
  readonly leapTo: (epochMs: number) => Promise<void>;
  /** Other delays from now on. */
  readonly setDelays: (delays: Delays) => void;
  readonly count: (table: string) => number;
  readonly close: () => Promise<void>;
};

export const DELAYS: Delays = {
  retry_seconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  probe_seconds: [10, 30, 60, 120, 300, 600, 900, 1800, 3600],
};

/** Real accounts, batches and endpoints, a real dispatcher, and receivers that answer as the test says. */
export async function webhookRig(delays: Delays = DELAYS, steps: TraceLog | null = null): Promise<Rig> {
  const books = openBooks();
  const { store, newId } = books;
  const beganMs = books.clock.nowMs();
  let inForce = delays;
  let leaptMs = 0;
  const clock: TestClock = {
    ...books.clock,
    nowMs: () => books.clock.nowMs() + leaptMs,
    steadyMs: () => books.clock.steadyMs() + leaptMs,
  };
  const leap = async (seconds: number): Promise<void> => {
    leaptMs += Math.round(seconds * 1000);
    await clock.advance(300);
  };
  const chance = seededChance(7);
  const seal = openSecretSeal(store.directory, chance);
  const log = testLog();
  const account = await books.account();
  const posts: Posted[] = [];
  const running: Dispatcher[] = [];
  let reply: (posted: Posted) => PostEnd | Promise<PostEnd> = () => taken;

  const registered = registration({
    store,
    clock,
    chance,
    newId,
    seal,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    own: () => new Set(),
    allowPrivate: () => true,
  });
  return {
    books,
    account,
    registration: registered,
    posts,
    lines: log.lines,
    answer: (given) => {
      reply = given;
    },
    endpoint: async (path, events = ["MESSAGE_TERMINAL", "BATCH_SETTLED"], owner = account) => {
      const created = await registered.create(
        { accountId: owner.id, actor: "test" },
        { url: `https://hook.example.test/${path}`, description: "", events },
      );
      if (!created.ok) throw new Error(english(created.refusal.detail));
      return { id: created.value.webhook_id, secret: created.value.secret };
    },
    row: (webhookId) => endpointByUlid(store.read, webhookId)!,
    batch: async (count, owner = account) =>
      (await books.batch(owner, { segments: Array.from({ length: count }, () => 1), price: 1 })).messages,
    deliver: async (...messageIds) => {
      for (const id of messageIds) {
        await books.apply(facts.claimed(id), facts.partAccepted(id), facts.delivered(id));
      }
    },
    start: (heardAfterMs = () => 0) => {
      const write = outcomesInto(store, clock);
      const dispatcher = startDispatcher({
        store,
        write: async (outcomes) => {
          const kept = await write(outcomes);
          const afterMs = heardAfterMs();
          if (afterMs > 0) await new Promise<void>((heard) => clock.after(afterMs, heard));
          return kept;
        },
        clock,
        chance,
        log: steps ? withTrace(log, steps) : log,
        seal,
        delays: () => inForce,
        post: async (target, headers, body) => {
          const posted = {
            path: target.path.slice(1),
            eventId: headers["webhook-id"] ?? "",
            type: (JSON.parse(body) as { type: string }).type,
            at: (clock.nowMs() - beganMs) / 1000,
            headers,
            body,
          };
          posts.push(posted);
          return reply(posted);
        },
      });
      running.push(dispatcher);
      return dispatcher;
    },
    nowMs: clock.nowMs,
    setDelays: (changed) => {
      inForce = changed;
    },
    pass: (seconds) => clock.advance(Math.round(seconds * 1000)),
    leap,
    leapTo: (epochMs) => leap(Math.max(0, epochMs - clock.nowMs()) / 1000),
    count: (table) => store.read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0,
    close: async () => {
      const stops = running.map((dispatcher) => dispatcher.stop(0));
      await clock.advance(1);
      await Promise.all(stops);
      await books.close();
    },
  };
}
