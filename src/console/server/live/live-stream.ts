/**
 * Server-sent events for the console's start page: at most one update a second, a minute per stream, and limits per user and
 * in all.
 */
import type { Cancel, Clock } from "../../../core/clock.ts";
import { streamedResponse } from "../../../core/http-connection.ts";
import { errorText, type Log } from "../../../core/log.ts";
import { jsonAnswer } from "../../../ingress/http/problem.ts";
import type { Permit, Permitted } from "../console.ts";
import { resolvePageReader } from "../principal.ts";
import type { ConsoleRoutes } from "../sign-in-routes.ts";
import type { LiveReader } from "./live-figures.ts";
import type { LiveView } from "./live-view.ts";

/** Shortest time between two updates. */
const EVERY_MS = 1000;
/** A stream ends after this, and the browser reconnects. */
const LASTS_MS = 60_000;
/** Streams that are open at once; further readers see the page without one. */
const MAX_STREAMS = 200;
/** Of one user: a hidden page has none. */
const MAX_OF_A_USER = 6;
/** Streams reserved for staff. */
const RESERVED_FOR_STAFF = 50;

/** The reader of a stream. */
type Follower = { readonly userId: number; readonly isStaff: boolean };

/** What one stream shows, to whom. */
type Subscription = {
  readonly follower: Follower;
  readonly figures: () => Promise<LiveView>;
  /** Asked before each update: the stream ends once its reader may not see the figures any more. */
  readonly maySee: () => boolean;
};

/** The open streams, as many as there may be. */
export class LiveStreams {
  private readonly streams = new Set<LiveStream>();
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Streams figures as they change; null where too many streams are open, in all or for this user. */
  follow(follower: Follower, figures: () => Promise<LiveView>, maySee: () => boolean): Response | null {
    if (this.isStopped || this.isFull(follower)) return null;
    const stream = new LiveStream(this.clock, this.log, { follower, figures, maySee }, () => {
      this.streams.delete(stream);
    });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.streams.add(stream);
        stream.start(controller);
      },
      cancel: () => stream.leave(),
    });
    const headers = { "content-type": "text/event-stream", "x-content-type-options": "nosniff" };
    return streamedResponse(body, { headers }, { endsWithClient: true });
  }

  /** Ends every stream and refuses new ones. */
  stop(): void {
    this.isStopped = true;
    for (const stream of [...this.streams]) stream.end();
  }

  /** Whether a user can open no further stream. */
  private isFull({ userId, isStaff }: Follower): boolean {
    const followers = [...this.streams].map(({ follower }) => follower);
    if (followers.length >= MAX_STREAMS) return true;
    if (followers.filter((one) => one.userId === userId).length >= MAX_OF_A_USER) return true;
    return !isStaff && followers.filter((one) => !one.isStaff).length >= MAX_STREAMS - RESERVED_FOR_STAFF;
  }
}

/** One stream, until its time is over, its client has gone, or its reader may see it no more. */
class LiveStream {
  readonly follower: Follower;
  private readonly untilMs: number;
  private readonly encoder = new TextEncoder();
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  private cancelUpdate: Cancel = () => {};
  private isOver = false;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly subscription: Subscription,
    private readonly onOver: () => void,
  ) {
    this.follower = subscription.follower;
    this.untilMs = clock.steadyMs() + LASTS_MS;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller;
    this.update();
  }

  /** Ends the stream from this side. */
  end(): void {
    if (this.isOver) return;
    this.leave();
    this.controller?.close();
  }

  /** Stops updates: the stream ended, or its client has gone. */
  leave(): void {
    this.isOver = true;
    this.cancelUpdate();
    this.onOver();
  }

  private update(): void {
    if (!this.subscription.maySee()) {
      this.end();
      return;
    }
    this.subscription.figures().then(
      (view) => this.write(view),
      (error: unknown) => {
        this.log.warn("the live figures could not be told", { error: errorText(error) });
        this.end();
      },
    );
  }

  private write(view: LiveView): void {
    if (this.isOver) return;
    // Reading the figures took time: the reader's rights may have changed since.
    if (!this.subscription.maySee()) {
      this.end();
      return;
    }
    // A slow reader misses updates; nothing piles up.
    if ((this.controller?.desiredSize ?? 0) > 0)
      this.controller?.enqueue(this.encoder.encode(`data: ${JSON.stringify(view)}\n\n`));
    if (this.clock.steadyMs() >= this.untilMs) this.end();
    else this.cancelUpdate = this.clock.after(EVERY_MS, () => this.update());
  }
}

type LiveDeps = {
  readonly figures: (reader: LiveReader) => Promise<LiveView>;
  readonly streams: Pick<LiveStreams, "follow" | "stop">;
};

/** Adds the routes of the start pages: the figures once, and their stream. */
export function liveRoutes(routes: ConsoleRoutes, permitted: Permit, { figures, streams }: LiveDeps): void {
  routes.get("/start", async ({ exchange }) => {
    const asked = permitted(exchange, "start.read");
    if (asked instanceof Response) return asked;
    return jsonAnswer(200, JSON.stringify(await figures(toLiveReader(asked))));
  });
  routes.get("/live", ({ exchange }) => {
    const asked = permitted(exchange, "start.read");
    if (asked instanceof Response) return asked;
    const reader = toLiveReader(asked);
    const follower = { userId: asked.visitor.principal.userId, isStaff: asked.accountId === null };
    // 204 tells a browser not to ask again (HTML, section 9.2.3).
    return (
      streams.follow(follower, () => figures(reader), asked.isSessionStillValid) ??
      new Response(null, { status: 204 })
    );
  });
}

function toLiveReader({ context, accountId, seesMoney, managesKeys, visitor }: Permitted): LiveReader {
  return {
    context,
    accountId,
    seesMoney,
    managesKeys,
    reader: resolvePageReader(visitor, context.store.read, context.config),
  };
}
