import type { Cancel, Clock } from "../../base/clock.ts";
import { errorText, type Log } from "../../base/log.ts";
import type { LiveView } from "./live-view.ts";

/** The figures are told no more often. */
const EVERY_MS = 1000;
/** A stream ends after this, and the browser asks again. */
const LASTS_MS = 60_000;
/** Streams that are open at once; whoever comes after that sees the page without them. */
const MOST_STREAMS = 200;

export type LiveStreams = {
  /**
   * Tells figures as they change (server-sent events); null where too many are told already. `maySee` is asked before each time:
   * the stream of whoever may not see them any more ends there.
   */
  readonly follow: (figures: () => Promise<LiveView>, maySee: () => boolean) => Response | null;
  /** Ends every stream; no other begins. */
  readonly stop: () => void;
};

export function liveStreams(clock: Clock, log: Log): LiveStreams {
  const ends = new Set<() => void>();
  let isStopped = false;
  return {
    follow: (figures, maySee) => {
      if (isStopped || ends.size >= MOST_STREAMS) return null;
      return new Response(streamOf({ clock, log, figures, maySee }, ends), {
        headers: { "content-type": "text/event-stream", "x-content-type-options": "nosniff" },
      });
    },
    stop: () => {
      isStopped = true;
      for (const end of [...ends]) end();
    },
  };
}

type Told = {
  readonly clock: Clock;
  readonly log: Log;
  readonly figures: () => Promise<LiveView>;
  readonly maySee: () => boolean;
};

function streamOf({ clock, log, figures, maySee }: Told, ends: Set<() => void>): ReadableStream<Uint8Array> {
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
    // The figures took their time: who may see them may have changed meanwhile.
    if (!maySee()) {
      end();
      return;
    }
    // Whoever does not read misses figures; nothing piles up.
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
      ends.add(end);
      tell();
    },
    cancel: leave,
  });
}
