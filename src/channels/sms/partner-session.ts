/**
 * The session of a connection to another Bendre, in place of an SMPP session: posts messages within a window, and reads the feed that tells
 * what becomes of them. It is bound while the feed can be read.
 *
 * A post whose answer was lost is repeated under its key until `response_timeout_seconds` is over; then it is unanswered. A place in the
 * window is taken until what came of the post is durable, as an SMPP session's. Once the other Bendre has a message, its place is free: what
 * becomes of it comes by the feed (partner-feed.ts).
 */
import type { ConnectionConfig } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorFields, type Log, rateLimitedLog, withFields } from "../../core/log.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import { parseTarget } from "../../https/https-request.ts";
import { type Ask, type AskEnd, asker } from "../../https/post.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import type { ConnectionStatus } from "../../smpp/connection.ts";
import {
  bindEvents,
  type OpenSessionDeps,
  OperatorSession,
  type SessionLink,
  type SubmitEvents,
} from "./operator-session.ts";
import {
  type FeedNews,
  HOPS_HEADER,
  type PartnerPost,
  readFeedPage,
  readPostOutcome,
  renderPost,
} from "./partner-api.ts";
import { PartnerFeed } from "./partner-feed.ts";
import { PARTNER_TAKEN, reasonNumber } from "./partner-reasons.ts";
import type { Submit } from "./submit-sm.ts";

type PartnerSessionDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly https: HttpsNetwork;
  readonly readPem: (file: string) => string | null;
  readonly on: Pick<SubmitEvents, "response" | "unanswered" | "unsent"> & {
    readonly bound: () => void;
    readonly unbound: (reason: Phrase) => void;
  };
  /** What the feed is asked with. */
  readonly feedCursor: () => string;
  /** Writes down a page of the feed, with the cursor of the next; resolves with where to go on. */
  readonly onNews: (news: readonly FeedNews[], next: string) => Promise<string>;
  /** Work that a stop waits for. */
  readonly own: (work: Promise<unknown>) => void;
};

const MAX_ANSWER_OCTETS = 65_536;
const MAX_PAGE_OCTETS = 4_194_304;
const PAGE = 500;
/** Between two looks at the feed: while something was posted lately, and otherwise. */
const FEED_MS = 1000;
const IDLE_FEED_MS = 10_000;
const LATELY_MS = 60_000;
/** Between two tries of a post whose answer was lost. */
const REPEAT_MS = 500;
/** A try of a post may take this part of `response_timeout_seconds`. */
const TRIES = 3;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;
/** How long nothing is posted once it has said that it takes nothing of ours. Its feed is read on: it may have messages of ours. */
const AWAY_MS = 300_000;

/** One connection to another Bendre. */
class PartnerSession implements SessionLink {
  private readonly taken = new Set<number>();
  private readonly posting = new Set<Promise<void>>();
  private readonly stopper = new AbortController();
  private ask: Ask;
  private sequence = 0;
  private isBound = false;
  private isStopping = false;
  private isLooking = false;
  private wasBound = false;
  private failures = 0;
  private lastPostMs = Number.NEGATIVE_INFINITY;
  /** On the steady clock. */
  private awayUntilMs = Number.NEGATIVE_INFINITY;
  private boundAtMs: number | null = null;
  private downSinceMs: number | null;
  private lastError: Phrase | null = null;
  private lastErrorAtMs: number | null = null;
  private nextAttemptAtMs: number | null = null;
  private cancelTimer: Cancel = () => {};

  constructor(
    private config: ConnectionConfig,
    private readonly deps: PartnerSessionDeps,
  ) {
    this.ask = this.makeAsk();
    this.downSinceMs = deps.clock.nowMs();
    this.lookAfter(0);
  }

  freeSlots(): number {
    return this.isBound && !this.isStopping ? Math.max(0, this.config.window - this.taken.size) : 0;
  }

  submit(ref: number, submit: Submit): number | null {
    assert("post" in submit, "a message leaves as a post");
    if (this.freeSlots() === 0) return null;
    this.taken.add(ref);
    this.lastPostMs = this.deps.clock.steadyMs();
    this.lookSoon();
    this.sequence += 1;
    const posted: Promise<void> = this.post(ref, submit.post)
      .catch((error) => {
        this.deps.log.error("a post failed inside", { ...errorFields(error) });
        this.deps.on.unanswered([ref]);
      })
      .finally(() => this.posting.delete(posted));
    this.posting.add(posted);
    return this.sequence;
  }

  release(ref: number): void {
    this.taken.delete(ref);
  }

  status(): ConnectionStatus {
    const { host, port, window } = this.config;
    const { clock } = this.deps;
    const backAtMs = this.isAway() ? clock.nowMs() + this.awayUntilMs - clock.steadyMs() : null;
    return {
      state: this.isStopping ? "STOPPED" : this.isBound ? "BOUND" : this.isLooking ? "CONNECTING" : "WAITING",
      bind: "transceiver",
      host,
      port,
      inFlight: this.taken.size,
      window,
      lastError: this.lastError,
      lastErrorAtMs: this.lastErrorAtMs,
      boundAtMs: this.boundAtMs,
      downSinceMs: this.downSinceMs,
      wasBound: this.wasBound,
      nextAttemptAtMs: this.isBound ? null : (backAtMs ?? this.nextAttemptAtMs),
    };
  }

  /** Applies other settings from now on; false: it must be bound anew for them. */
  follow(config: ConnectionConfig): boolean {
    const before = this.config;
    this.config = config;
    this.ask = this.makeAsk();
    return before.url === config.url && before.api_key === config.api_key;
  }

  /** Looks at once whether it can be reached; what is in flight goes on. */
  rebind(): void {
    if (this.isStopping) return;
    this.failures = 0;
    this.awayUntilMs = Number.NEGATIVE_INFINITY;
    this.unbind(phrase("link.rebinding"));
    this.lookAfter(0);
  }

  async stop(graceMs: number): Promise<void> {
    if (!this.isStopping) {
      this.isStopping = true;
      this.cancelTimer();
    }
    const { clock } = this.deps;
    const cancel = clock.after(graceMs, () => this.stopper.abort());
    await Promise.all(this.posting);
    cancel();
    this.stopper.abort();
    this.boundAtMs = null;
    this.isBound = false;
  }

  private async post(ref: number, post: PartnerPost): Promise<void> {
    const { clock, on, log } = this.deps;
    const untilMs = clock.steadyMs() + this.config.response_timeout_seconds * 1000;
    /** A try of it may have been read. */
    let mayHave = false;
    for (;;) {
      const outcome = readPostOutcome(
        await this.request("POST", "/batches", renderPost(post), {
          "content-type": "application/json",
          "idempotency-key": post.key,
          [HOPS_HEADER]: String(post.hops),
        }),
      );
      switch (outcome.kind) {
        case "taken":
          on.response({ ref, status: PARTNER_TAKEN, messageId: null });
          return;
        case "refused":
          on.response({ ref, status: reasonNumber(outcome.reason), messageId: null });
          return;
        case "later":
        case "away":
          // What it says now is not about a try before, which it may have taken.
          if (mayHave) break;
          if (outcome.kind === "away") this.leaveAlone(outcome.reason);
          on.response({ ref, status: reasonNumber(outcome.reason), messageId: null });
          return;
        case "unsent":
          this.lost(outcome.error);
          if (mayHave) break;
          on.unsent([ref]);
          return;
        case "unanswered":
          mayHave = true;
          this.noteError(outcome.error);
          break;
        case "running":
          mayHave = true;
          break;
      }
      if (this.stopper.signal.aborted || clock.steadyMs() + REPEAT_MS >= untilMs) {
        log.warn("a post was not answered", { host: this.config.host });
        on.unanswered([ref]);
        return;
      }
      await pause(clock, REPEAT_MS, this.stopper.signal);
    }
  }

  private request(
    method: "GET" | "POST",
    path: string,
    body: string | null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<AskEnd> {
    const { url, api_key: key } = this.config;
    const target = parseTarget(`${url.replace(/\/$/, "")}${path}`);
    assert(target, "the address was checked with the configuration");
    const headers = { ...more, authorization: `Bearer ${key}` };
    const wholeUpTo = method === "GET" ? MAX_PAGE_OCTETS : MAX_ANSWER_OCTETS;
    return this.ask(target, { method, headers, body, wholeUpTo }, this.stopper.signal);
  }

  private makeAsk(): Ask {
    const { clock, https, readPem } = this.deps;
    const { url, ca_file, allow_private, response_timeout_seconds } = this.config;
    return asker({
      clock,
      resolve: https.resolve,
      own: https.ownAddresses,
      request: https.request,
      // http is for this machine alone, which the configuration was held to.
      allowPrivate: () => allow_private || url.startsWith("http:"),
      ca: readPem(ca_file),
      timeoutMs: Math.ceil((response_timeout_seconds * 1000) / TRIES),
      isNeverTwice: true,
    });
  }

  private lookAfter(delayMs: number): void {
    const { clock, own } = this.deps;
    this.cancelTimer();
    if (this.isStopping) return;
    this.nextAttemptAtMs = clock.nowMs() + delayMs;
    this.cancelTimer = clock.after(delayMs, () => own(this.look()));
  }

  /** Something was posted, of which the feed will tell: not in as long as while nothing is. */
  private lookSoon(): void {
    const { nextAttemptAtMs, deps } = this;
    if (this.isLooking || nextAttemptAtMs === null) return;
    if (nextAttemptAtMs - deps.clock.nowMs() > FEED_MS) this.lookAfter(FEED_MS);
  }

  /** Reads a page of the feed, and sets when to look again. */
  private async look(): Promise<void> {
    if (this.isStopping || this.isLooking) return;
    const { clock, log } = this.deps;
    this.isLooking = true;
    let nextMs = IDLE_FEED_MS;
    try {
      const since = encodeURIComponent(this.deps.feedCursor());
      const end = await this.request("GET", `/messages?status_changed_since=${since}&limit=${PAGE}`, null);
      if (this.isStopping) return;
      const page = end.status === 200 ? readFeedPage(end.answer ?? "") : null;
      // Too many requests, or a pause of its own: it is there.
      if (page === null && (end.status === 429 || end.status === 503)) return;
      if (page === null) {
        // Why it takes nothing of ours says more than that its feed cannot be read either.
        if (!this.isAway()) this.lost(end.error ?? phrase("network.answered.no_http"));
        nextMs = this.retryMs();
        return;
      }
      if (!this.isAway()) this.bind();
      const next = await this.deps.onNews(page.news, page.next);
      if (page.hasMore && next === page.next) nextMs = 0;
      else if (clock.steadyMs() - this.lastPostMs < LATELY_MS || this.taken.size > 0) nextMs = FEED_MS;
    } catch (error) {
      log.error("what the feed of another Bendre says could not be written down", { ...errorFields(error) });
    } finally {
      this.isLooking = false;
      this.lookAfter(nextMs);
    }
  }

  private retryMs(): number {
    const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(10, this.failures));
    this.failures += 1;
    return delayMs;
  }

  private bind(): void {
    if (this.isBound) return;
    const { clock, log, on } = this.deps;
    this.failures = 0;
    this.isBound = true;
    this.wasBound = true;
    this.boundAtMs = clock.nowMs();
    this.downSinceMs = null;
    log.info("bound", { host: this.config.host, port: this.config.port, bind: "bendre" });
    on.bound();
  }

  private unbind(reason: Phrase): void {
    if (!this.isBound) return;
    const { clock, log, on } = this.deps;
    this.isBound = false;
    this.boundAtMs = null;
    this.downSinceMs = clock.nowMs();
    log.warn("unbound", { host: this.config.host, port: this.config.port, reason: english(reason) });
    on.unbound(reason);
  }

  /** It cannot be reached. */
  private lost(error: Phrase): void {
    this.noteError(error);
    const wasBound = this.isBound;
    this.unbind(error);
    if (wasBound && !this.isLooking) this.lookAfter(this.retryMs());
  }

  /** It takes nothing of ours: nothing is posted to it for a while. */
  private leaveAlone(reason: string): void {
    const why = phrase("link.takes_nothing", { reason });
    this.awayUntilMs = this.deps.clock.steadyMs() + AWAY_MS;
    this.noteError(why);
    this.unbind(why);
  }

  private isAway(): boolean {
    return this.deps.clock.steadyMs() < this.awayUntilMs;
  }

  private noteError(error: Phrase): void {
    this.lastError = error;
    this.lastErrorAtMs = this.deps.clock.nowMs();
  }
}

function pause(clock: Clock, delayMs: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, resolve);
    stop.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}

/** Opens a session over a connection to another Bendre, by its name and its place in the operator's list from 1. */
export function openPartnerSession(
  deps: OpenSessionDeps,
  config: ConnectionConfig,
  { name, number }: Pick<OperatorSession, "name" | "number">,
): OperatorSession {
  const { code: operator, clock, submitEvents, work } = deps;
  const log = withFields(deps.log, () => ({ connection: session.number }));
  const feed = new PartnerFeed(
    deps,
    { operator, connection: name },
    () => session.config.url,
    () => session.config.route,
  );
  const session: OperatorSession = new OperatorSession({
    name,
    number,
    config,
    shared: deps.paces.of(config.shared_pace, config.throughput),
    rateLimited: rateLimitedLog(log, clock),
    trace: null,
    connect: (opened) =>
      new PartnerSession(config, {
        ...deps,
        log,
        on: { ...submitEvents, ...bindEvents(deps, opened) },
        feedCursor: feed.since,
        onNews: feed.take,
        own: work.own,
      }),
  });
  return session;
}
