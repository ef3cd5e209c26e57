/** What administrative operations ask of the running server, and tell it. */

import type { ServerHandle } from "../admin/operations/context.ts";
import { type BackgroundWork, createBackgroundWork } from "../admin/operations/work-desk.ts";
import type { SmppWorkers } from "../channels/sms/lines.ts";
import type { WhatsAppWorkers } from "../channels/whatsapp/lines.ts";
import type { TemplateSync } from "../channels/whatsapp/sync-templates.ts";
import { createHealth } from "../core/health.ts";
import type { Readiness } from "../core/readiness.ts";
import type { ShutdownPlan } from "../core/stop-plan.ts";
import type { TrustedClock } from "../core/trusted-clock.ts";
import type { Delivery } from "../dispatch/delivery.ts";
import type { Alerts } from "../ops/alerts/alarms.ts";
import { type HealthDeps, healthChecks } from "../ops/health/checks.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Schedule } from "./schedule.ts";

export type Running = {
  readonly clock: TrustedClock;
  readonly sms: SmppWorkers;
  readonly whatsapp: Pick<WhatsAppWorkers, "numbers" | "tests" | "pausesChanged">;
  readonly templates: TemplateSync;
  readonly delivery: Delivery;
  readonly webhooks: Webhooks;
  readonly schedule: Schedule;
  readonly alarms: Alerts;
  readonly checkRestore: () => void;
  readonly readiness: Pick<Readiness, "reasons">;
  readonly standing: NonNullable<ServerHandle["standing"]>;
  readonly works: BackgroundWork;
};

/** What looks after the appliance while it runs: what `GET /health` tells, and work that takes long, which a stop breaks off. */
export function startSupervision(
  deps: HealthDeps & { readonly plan: Pick<ShutdownPlan, "first"> },
): Pick<Running, "standing" | "works"> {
  const { clock, readiness, plan } = deps;
  const works = createBackgroundWork(clock);
  plan.first("long work", works.stop);
  const health = createHealth(clock, readiness, healthChecks(deps));
  return { standing: { startedAtMs: clock.nowMs(), health }, works };
}

/** All of it but the configuration. */
export function toServerHandle({
  clock,
  sms,
  whatsapp,
  templates,
  delivery,
  webhooks,
  schedule,
  alarms,
  checkRestore,
  readiness,
  standing,
  works,
}: Running): Omit<ServerHandle, "configuration"> {
  return {
    operatorStatus: sms.status,
    numberStatus: whatsapp.numbers,
    webhookFigures: webhooks.dispatcher.figures,
    changed: (concern) => {
      switch (concern.kind) {
        case "batch":
          delivery.offer(concern.batchId);
          delivery.accountChanged(concern.accountId);
          schedule.validate();
          return;
        case "account":
          delivery.accountChanged(concern.accountId);
          schedule.accountChanged();
          return;
        case "queue":
          delivery.refresh();
          return;
        case "restored":
          checkRestore();
          return;
        case "pauses":
          sms.pausesChanged();
          whatsapp.pausesChanged();
          return;
        case "webhooks":
          webhooks.dispatcher.wake();
      }
    },
    reconnect: sms.reconnect,
    trials: sms.trials,
    numberTests: whatsapp.tests,
    notReady: readiness.reasons,
    standing,
    works,
    testAlarms: alarms.test,
    syncTemplates: () => templates.now(),
    acceptClock: () => {
      clock.accept();
    },
  };
}
