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
const KEPT_FOR_STAFF = 50;

/** The reader of a stream. */
type Follower = { readonly userId: number; readonly isStaff: boolean };

type LiveStreams = {
  /**
   * Streams figures as they change (server-sent events); null where too many streams are open, in all or for this user. `maySee` is
   * asked before each update: the stream ends once its reader may not see them any more.
   */
  readonly follow: (
    follower: Follower,
    figures: () => Promise<LiveView>,
    maySee: () => boolean,
  ) => Response | null;
  /** Ends every stream and refuses new ones. */
  readonly stop: () => void;
};

export function createLiveStreams(clock: Clock, log: Log): LiveStreams {
  const ends = new Map<() => void, Follower>();
  let isStopped = false;
  return {
    follow: (follower, figures, maySee) => {
      if (isStopped || isFull([...ends.values()], follower)) return null;
      const told = { clock, log, figures, maySee, follower };
      const headers = { "content-type": "text/event-stream", "x-content-type-options": "nosniff" };
      return streamedResponse(streamOf(told, ends), { headers }, { endsWithClient: true });
    },
    stop: () => {
      isStopped = true;
      for (const end of [...ends.keys()]) end();
    },
  };
}

/** Whether a user can open no further stream. */
function isFull(followers: readonly Follower[], { userId, isStaff }: Follower): boolean {
  if (followers.length >= MAX_STREAMS) return true;
  if (followers.filter((one) => one.userId === userId).length >= MAX_OF_A_USER) return true;
  return !isStaff && followers.filter((one) => !one.isStaff).length >= MAX_STREAMS - KEPT_FOR_STAFF;
}

type Told = {
  readonly clock: Clock;
  readonly log: Log;
  readonly figures: () => Promise<LiveView>;
  readonly maySee: () => boolean;
  readonly follower: Follower;
};

function streamOf(
  { clock, log, figures, maySee, follower }: Told,
  ends: Map<() => void, Follower>,
): ReadableStream<Uint8Array> {
  const untilMs = clock.steadyMs() + LASTS_MS;
  const encoder = new TextEncoder();
  let cancel: Cancel = () => {};
  let isOver = false;
  let out: ReadableStreamDefaultController<Uint8Array> | null = null;
  const leave = (): void => {
    isOver = true;
    cancel();
    ends.delete(end);
  };
  const end = (): void => {
    if (isOver) return;
    leave();
    out?.close();
  };
  const told = (view: LiveView): void => {
    if (isOver) return;
    // Reading the figures took time: the reader's rights may have changed since.
    if (!maySee()) {
      end();
      return;
    }
    // A slow reader misses updates; nothing piles up.
    if ((out?.desiredSize ?? 0) > 0) out?.enqueue(encoder.encode(`data: ${JSON.stringify(view)}\n\n`));
    if (clock.steadyMs() >= untilMs) end();
    else cancel = clock.after(EVERY_MS, tell);
  };
  const failed = (error: unknown): void => {
    log.warn("the live figures could not be told", { error: errorText(error) });
    end();
  };
  const tell = (): void => {
    if (!maySee()) {
      end();
      return;
    }
    figures().then(told, failed);
  };
  return new ReadableStream({
    start: (controller) => {
      out = controller;
      ends.set(end, follower);
      tell();
    },
    cancel: leave,
  });
}

type LiveDeps = {
  readonly figures: (reader: LiveReader) => Promise<LiveView>;
  readonly streams: LiveStreams;
};

/** Adds the routes of the start pages: the figures once, and their stream. */
export function liveRoutes(routes: ConsoleRoutes, permitted: Permit, { figures, streams }: LiveDeps): void {
  routes.get("/start", async ({ exchange }) => {
    const asked = permitted(exchange, "start.read");
    if (asked instanceof Response) return asked;
    return jsonAnswer(200, JSON.stringify(await figures(readerOf(asked))));
  });
  routes.get("/live", ({ exchange }) => {
    const asked = permitted(exchange, "start.read");
    if (asked instanceof Response) return asked;
    const reader = readerOf(asked);
    const follower = { userId: asked.visitor.principal.userId, isStaff: asked.accountId === null };
    // 204 tells a browser not to ask again (HTML, section 9.2.3).
    return (
      streams.follow(follower, () => figures(reader), asked.isSessionStillValid) ??
      new Response(null, { status: 204 })
    );
  });
}

function readerOf({ context, accountId, seesMoney, managesKeys, visitor }: Permitted): LiveReader {
  return {
    context,
    accountId,
    seesMoney,
    managesKeys,
    reader: resolvePageReader(visitor, context.store.read, context.config),
  };
}
