/** Builds every room from the configuration and the edges of the world, starts them in order, stops them in reverse. */
import { readFileSync } from "node:fs";
import type { AdminContext } from "./admin/context.ts";
import { type ControlSocket, startControl } from "./admin/control.ts";
import { healthChecks } from "./admin/health/checks.ts";
import { msisdnReader } from "./admin/msisdn.ts";
import { type Chance, systemChance } from "./base/chance.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import { healthBoard } from "./base/health.ts";
import { idFactory } from "./base/ids.ts";
import type { Log } from "./base/log.ts";
import { readiness } from "./base/readiness.ts";
import type { Config } from "./config/config.ts";
import { startDelivery } from "./delivery/delivery.ts";
import { rescueClaims } from "./delivery/rescue.ts";
import { startHttp } from "./http/server.ts";
import { prefixTable } from "./intake/prefixes.ts";
import { submitter } from "./intake/submit.ts";
import { messageIds } from "./messages/insert.ts";
import { reviveCodes } from "./messages/operator-renames.ts";
import { stages } from "./messages/stages.ts";
import { startSchedule } from "./schedule.ts";
import { openStorePatiently } from "./store/store.ts";
import { startWebhooks } from "./webhooks/webhooks.ts";

/** What the appliance touches of the world; tests and simulations bring their own. */
export type Edges = { readonly clock: Clock; readonly chance: Chance; readonly log: Log };

export type App = {
  /** Base address of the HTTP server, without a path. */
  readonly url: string;
  /** For administrative operations inside this process. */
  readonly context: (actor: string) => AdminContext;
  /** Stops accepting, waits for answers, unbinds, checkpoints. Safe to call once. */
  readonly stop: () => Promise<void>;
};

/** How long a command that is just using the data directory is waited for. */
const LOCK_PATIENCE_MS = 2000;
/** How long submits that were written are waited for when stopping. */
const GRACE_MS = 5000;
/** How long attempts to tell endpoints are: what is not told is told after the next start. */
const WEBHOOK_GRACE_MS = 500;

/**
 * Starts the appliance. Whatever went wrong on the way, what had been started is stopped again.
 * @throws StoreError when the data directory cannot be used, and the runtime's error when the port is taken.
 */
export async function startApp(config: Config, edges: Edges): Promise<App> {
  const { clock, chance, log } = edges;
  const ready = readiness();
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    const store = await openStorePatiently(config.storage.directory, clock, LOCK_PATIENCE_MS);
    stops.push(store.close);
    await store.write((tx) => reviveCodes(tx, Object.keys(config.operators)));
    const rescued = await rescueClaims(store, config, clock.nowMs());
    if (rescued > 0) log.warn("messages in doubt after an unclean stop", { messages: rescued });

    const newId = idFactory(clock, chance);
    const readNumber = msisdnReader(config);
    const delivery = startDelivery({ config, store, clock, chance, log, readPem, readNumber });
    stops.push(() => delivery.stop(GRACE_MS));
    const webhooks = startWebhooks({ config, store, clock, chance, newId, log });
    stops.push(() => webhooks.dispatcher.stop(WEBHOOK_GRACE_MS));
    const intake = {
      config,
      store,
      clock,
      newId,
      log,
      messageIds: messageIds(store.read),
      stages: stages(),
      owner: prefixTable(config.operators),
      onQueued: delivery.offer,
    };
    const schedule = startSchedule({ config, store, clock, log, delivery, intake, readNumber });
    stops.push(schedule.stop);

    const context = (actor: string): AdminContext => ({
      store,
      config,
      clock,
      chance,
      newId,
      actor,
      server: {
        operatorStatus: delivery.status,
        webhookFigures: webhooks.dispatcher.figures,
        changed: () => {
          delivery.refresh();
          webhooks.dispatcher.wake();
        },
      },
    });
    const control: ControlSocket = await startControl(config.storage.directory, context, clock, log);
    stops.push(control.stop);

    const started = ready.hold("starting");
    const http = await startHttp({
      config,
      clock,
      log,
      newId,
      store,
      readiness: ready,
      health: healthBoard(
        clock,
        ready,
        healthChecks({ store, clock, log, readiness: ready, operatorStatus: delivery.status }),
      ),
      services: {
        submitBatch: submitter({ ...intake, onValidating: schedule.validate }),
        webhooks: webhooks.registration,
      },
    });
    stops.push(async () => {
      ready.hold("stopping");
      await http.stop();
    });
    started();
    log.info("ready", { url: http.url });
    return { url: http.url, context, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The system's clock and chance. */
export const systemEdges = { clock: systemClock, chance: systemChance };

/** PEM text of a file that the configuration names; it was readable when the configuration was checked. */
function readPem(file: string): string | null {
  return file === "" ? null : readFileSync(file, "utf8");
}
