/**
 * What Prometheus is told: `GET /metrics`, on an address of its own and nowhere else.
 *
 * Begin here: `catalogue` lists every metric, `gather` puts the figures together when somebody asks, `exposition` writes them down.
 * Rooms count as things happen, into what `core/count-book.ts` gives them; what has to be counted in the database is
 * (`slow-figures`) when somebody asks and never for long. `rules` and `dashboard` are what an administrator loads into
 * Prometheus and Grafana. This room changes nothing, and nothing else knows of it.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { OperatorStatus } from "../../channels/sms/lines.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-status.ts";
import type { Settings } from "../../config/in-force.ts";
import { parseListen } from "../../config/listen.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorText, type Log } from "../../core/log.ts";
import type { HttpServer, Serve, ServeOptions } from "../../core/serving.ts";
import { orAfter } from "../../core/stop-plan.ts";
import { DATABASE_FILE } from "../../db/open.ts";
import type { Store } from "../../db/store.ts";
import { lastCheck } from "../../domain/ledger/checks.ts";
import { isHostOfOurs } from "../../ingress/http/host.ts";
import { isFromHere } from "../../ingress/http/peer.ts";
import type { DispatchFigures } from "../../webhooks/dispatcher.ts";
import { EXPOSITION_TYPE, exposition } from "./exposition.ts";
import { gather } from "./gather.ts";
import { watchLoop } from "./loop-watch.ts";
import { type SlowFigures, slowFigures } from "./slow-figures.ts";

export type MetricsDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: {
    readonly serve: Serve;
    readonly spaceOf: (directory: string) => { readonly freeBytes: number };
  };
  readonly operators: () => readonly OperatorStatus[];
  readonly numbers: () => readonly NumberStatus[];
  readonly webhookFigures: () => DispatchFigures;
  /** When the newest backup was made; null where there is none. */
  readonly backupAtMs: () => number | null;
};

/** An address that is taken is tried again after this: what watches is no reason not to send. */
const AGAIN_MS = 30_000;
/** What has to be counted is waited for so long; then it is told the next time. */
const PATIENCE_MS = 5000;

/** Listens where the configuration says, or begins to as soon as the address is free. */
export function startMetrics(deps: MetricsDeps): { readonly stop: () => Promise<void> } {
  const { settings, clock, log, machine, store } = deps;
  const { listen } = settings.now().metrics;
  const address = parseListen(listen);
  if (!address) return { stop: async () => {} };
  const answer = answering(deps);
  const unwatch = watchLoop(clock, store.tally);
  let server: HttpServer | null = null;
  let cancel: Cancel = () => {};
  const tryToListen = (failedBefore: boolean): void => {
    try {
      server = machine.serve({ at: address, maxRequestBodySize: 0, fetch: answer });
      log.info("metrics", { url: `${server.url.origin}/metrics` });
    } catch (error) {
      if (!failedBefore) log.warn("the metrics cannot be answered", { listen, error: errorText(error) });
      cancel = clock.after(AGAIN_MS, () => tryToListen(true));
    }
  };
  tryToListen(false);
  return {
    stop: async () => {
      unwatch();
      cancel();
      await server?.stop(true);
    },
  };
}

/** Of every answer: it is what it says, and no page of elsewhere has any use of it. */
const ANSWER_HEADERS = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };
const PLAIN = { ...ANSWER_HEADERS, "content-type": "text/plain; charset=utf-8" };

function answering(deps: MetricsDeps): ServeOptions["fetch"] {
  const slow = slowFigures(deps.store.read, deps.clock);
  const isForeign = (request: Request, address: string | null): boolean =>
    isFromHere({ address, isDirect: true, proto: null }) &&
    !isHostOfOurs(request.headers.get("host"), deps.settings.now().server.public_url);
  return async (request, server) => {
    // On a Host that is none of ours the URL may be anything.
    if (isForeign(request, server.requestIP(request)?.address ?? null)) {
      const words = "ask by an address, by localhost, or by the name in public_url\n";
      return new Response(words, { status: 421, headers: PLAIN });
    }
    const path = new URL(request.url).pathname;
    if (path !== "/metrics")
      return new Response("the metrics are at /metrics\n", { status: 404, headers: PLAIN });
    if (request.method !== "GET" && request.method !== "HEAD")
      return new Response("only GET\n", { status: 405, headers: { ...PLAIN, allow: "GET, HEAD" } });
    try {
      const text = await tell(deps, slow);
      return new Response(request.method === "HEAD" ? null : text, {
        headers: { ...ANSWER_HEADERS, "content-type": EXPOSITION_TYPE },
      });
    } catch (error) {
      deps.log.error("the metrics could not be told", { error: errorText(error) });
      return new Response("the figures could not be read: see the log\n", { status: 500, headers: PLAIN });
    }
  };
}

async function tell(deps: MetricsDeps, count: () => Promise<SlowFigures>): Promise<string> {
  const { store, clock, machine } = deps;
  const counted: { figures: SlowFigures | null } = { figures: null };
  const counting = count().then((figures) => {
    counted.figures = figures;
  });
  await orAfter(clock, PATIENCE_MS, counting);
  const check = lastCheck(store.read);
  const families = gather(store.tally, clock, {
    operators: deps.operators(),
    numbers: deps.numbers(),
    webhooks: deps.webhookFigures(),
    slow: counted.figures,
    databaseBytes: bytesOf(join(store.directory, DATABASE_FILE)),
    walBytes: bytesOf(join(store.directory, `${DATABASE_FILE}-wal`)),
    diskFreeBytes: orNull(() => machine.spaceOf(store.directory).freeBytes),
    ledgerDifferences: check && check.failure === null ? check.differences : null,
    backupAtMs: deps.backupAtMs(),
  });
  return exposition(families);
}

/** Null of a file that is not there, such as the log of a database that was just closed. */
function bytesOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function orNull(look: () => number): number | null {
  try {
    return look();
  } catch {
    return null;
  }
}
