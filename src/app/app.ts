/** Composes the application from the configuration and an `AppEnvironment`, starts its parts in order, and stops them by one plan. */
import { hostname } from "node:os";
import { join } from "node:path";
import { startControl } from "../admin/control-server.ts";
import { type BackgroundWork, createBackgroundWork } from "../admin/operations/background-work.ts";
import { createClientCancel } from "../admin/operations/batches.ts";
import { noteConfiguration } from "../admin/operations/config-reload.ts";
import { noteConsoleFile } from "../admin/operations/console-file-record.ts";
import type { AdminContext, ServerHandle } from "../admin/operations/context.ts";
import { createLiveSenderReader } from "../admin/operations/msisdn.ts";
import type { SmppWorkers } from "../channels/sms/smpp-worker.ts";
import { recoverSeconds } from "../channels/sms/submit-results.ts";
import type { TemplateSync } from "../channels/whatsapp/template-updates.ts";
import type { WhatsAppWorkers } from "../channels/whatsapp/workers.ts";
import { type Config, operatorCodes } from "../config/config.ts";
import type { Settings, SettingsHolder } from "../config/live-config.ts";
import { type OpenConsole, openConsole } from "../console/server/open-console.ts";
import { type Chance, systemChance } from "../core/chance.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { createHealth, notReadyRefusal, type Readiness, readiness } from "../core/health.ts";
import { idFactory, type NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { createShutdownPlan, type ShutdownPlan } from "../core/shutdown-plan.ts";
import { type TrustedClock, trustedClock } from "../core/trusted-clock.ts";
import { versionLine } from "../core/version.ts";
import { DATABASE_FILE } from "../db/connections.ts";
import { LATEST_SCHEMA } from "../db/migrate.ts";
import { openStorePatiently, type Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { type Delivery, startDelivery } from "../dispatch/delivery.ts";
import { recoverLeases } from "../dispatch/leases.ts";
import { listAccounts } from "../domain/accounts/accounts.ts";
import { type KeyUses, keyUses } from "../domain/accounts/api-keys.ts";
import { ERASURE_KEY_MISSING, isErasureKeyMissing } from "../domain/accounts/suppressions.ts";
import type { KeptText } from "../domain/inbound/inbound.ts";
import { messageIds } from "../domain/messages/insert.ts";
import { unretireCodes } from "../domain/messages/operator-codes.ts";
import { isRestoring } from "../domain/messages/restore-holds.ts";
import { stages } from "../domain/messages/staged-recipients.ts";
import type { TraceLogger } from "../domain/messages/trace.ts";
import { NumberOwners } from "../domain/submission/ported-numbers.ts";
import { rejectionCounts } from "../domain/submission/rejections.ts";
import type { IntakeRefusal } from "../domain/submission/request.ts";
import { phrase } from "../i18n/phrase.ts";
import type { ApiDeps } from "../ingress/api/deps.ts";
import { publicApi } from "../ingress/api/public-api.ts";
import { type CompatDeps, startCompat } from "../ingress/compat/compat.ts";
import { formatAddress, type Listener, listen } from "../ingress/http/listener.ts";
import { createRequestHandler, createStartupHandler, type RequestHandler } from "../ingress/http/router.ts";
import { deliverToUsers } from "../ingress/smpp/inbound.ts";
import { type SmppServer, startSmppServer } from "../ingress/smpp/server.ts";
import { type Alerts, startAlerts } from "../ops/alerts/alerts.ts";
import { newestBackup } from "../ops/backup/backup-records.ts";
import { nightlyBackup } from "../ops/backup/nightly-backup.ts";
import { createUpgradeBackup } from "../ops/backup/upgrade-backup.ts";
import { watchClock } from "../ops/clock-watch.ts";
import { type ConfigSource, createConfigReloader, reloadBySignal } from "../ops/config-reloader.ts";
import { createDiskMonitor, type DiskMonitor } from "../ops/disk-monitor.ts";
import { type HealthDeps, healthChecks } from "../ops/health/checks.ts";
import { type MetricsDeps, startMetrics } from "../ops/metrics/metrics.ts";
import { watchRestore } from "../ops/restore-watch.ts";
import { startWebhooks, type Webhooks } from "../webhooks/webhooks.ts";
import { createClaimRecovery, intakeChannels, openChannels } from "./channels.ts";
import { type Platform, systemPlatform } from "./platform.ts";
import { type Schedule, startSchedule } from "./schedule.ts";
import { type BatchServices, batchServices } from "./submissions.ts";

/** Clock, chance and platform of the appliance; tests and simulations bring their own. */
export type AppEnvironment = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly machine: Platform;
};

export type App = Pick<OpenConsole, "firstLink"> & {
  /** Base address of the HTTP server, without a path. */
  readonly url: string;
  /** The context of administrative operations inside this process. */
  readonly context: (actor: string) => AdminContext;
  /** Reads the configuration file again, as SIGHUP asks for: the log says what came of it. Never rejects. */
  readonly reload: () => Promise<void>;
  /** Stops accepting, waits for answers, unbinds, checkpoints. Safe to call once. */
  readonly stop: () => Promise<void>;
};

/** How long a start waits for a command that is using the data directory. */
const LOCK_PATIENCE_MS = 2000;

/**
 * The time in which all parts stop together; then the control socket (400 ms at most) and the store are closed regardless.
 * All of it fits into the ten seconds that a stop may take (docs/administration.md#stop).
 */
const TOGETHER_MS = 7300;
const CLOSING_MS = 1500;
/** How long in-flight submits are waited for, and what of the deadline is left for unbinding and recording outcomes. */
const ANSWERS_MS = 5000;
const UNBINDING_MS = 1500;
const WRITING_MS = 700;
/** How long webhook attempts under way are waited for: the rest is delivered after the next start. */
const WEBHOOK_GRACE_MS = 500;

type StartOptions = ConfigSource & {
  /** Aborted when the appliance is to stop before it has started. */
  readonly stopAsked?: AbortSignal;
  /** Called when an fsync failed: the process must end at once, without an orderly stop. */
  readonly onSyncFailure?: (error: unknown) => void;
  /** Traces single steps. */
  readonly look?: TraceLogger | null;
};

/** Thrown when the appliance was told to stop before it had started. */
export class StartAborted extends Error {
  override name = "StartAborted";
}

/**
 * Starts the appliance: listens first, so that nothing is touched where the address is taken. After a failure,
 * what had been started is stopped again.
 * @throws StoreError when the data directory cannot be used, the runtime's error when the port is taken, StartAborted
 * when `stopAsked` was aborted meanwhile, UnknownMessage when `look` is to follow one that does not exist.
 */
export async function startApp(
  settings: SettingsHolder,
  environment: AppEnvironment,
  options: StartOptions = {},
): Promise<App> {
  const config = settings.now();
  const { chance, log, machine } = environment;
  const clock = trustedClock(environment.clock);
  const ready = readiness();
  const plan = createShutdownPlan({ clock, log, togetherMs: TOGETHER_MS, lastMs: CLOSING_MS });
  const stop = async (): Promise<void> => void (await plan.run());
  const throwIfStopped = (): void => {
    if (options.stopAsked?.aborted) throw new StartAborted();
  };
  try {
    const newId = idFactory(clock, chance);
    const started = ready.hold(phrase("readiness.starting"));
    plan.first("readiness", () => void ready.hold(phrase("readiness.stopping")));
    const closed = createStartupHandler(clock, newId, ready);
    const http = listen({ ...environment, ...formatAddress(settings), clock, serve: machine.serve, closed });
    plan.together("requests", http.stop);
    const store = await openData(config, { ...environment, clock }, plan, options);
    throwIfStopped();
    const watch = watchClock({ store, clock, log, readiness: ready });
    plan.together("clock", watch.note);
    await recoverState(store, settings, clock, log);
    throwIfStopped();
    const checkRestore = watchRestore({ store, log, readiness: ready });
    const room = createDiskMonitor({ ...environment, clock, settings, store, readiness: ready });
    const own = { clock, settings, store, newId, plan, room, readiness: ready };
    const appContext: AppContext = { ...environment, ...own, keyUses: keyUses() };
    const readNumber = createLiveSenderReader(settings.now);
    let smppDoor: SmppServer | null = null;
    const onInboundKept = (tx: Tx, kept: KeptText): void => {
      if (deliverToUsers(tx, kept, clock.nowMs())) tx.afterCommit(() => smppDoor?.wake());
    };
    const inbound = { readNumber, onInboundKept };
    const { sms, whatsapp, workers, webhook, templates, listTemplates } = openChannels(appContext, inbound);
    const mayClaim = () => !isRestoring(store.read) && room.mayClaim();
    const delivery = startDelivery({ ...appContext, ...workers, mayClaim });
    plan.first("claiming", delivery.halt);
    plan.first("listening", http.refuse);
    plan.together("operators", (deadline) => drainDelivery(delivery, deadline.leftMs()));
    const webhooks = startWebhooks({ ...appContext, watchClock: clock.watch });
    plan.together("webhooks", () => webhooks.stop(WEBHOOK_GRACE_MS));
    const intake = createIntake(appContext, delivery);
    const backup = nightlyBackup(appContext);
    const saveClockMark = watch.note;
    const schedule = startSchedule({
      ...appContext,
      delivery,
      intake,
      ...inbound,
      saveClockMark,
      backup,
      templates,
      recoverClaim: workers.recoverClaim,
    });
    watchSettings(appContext, delivery, http);
    for (const job of schedule.jobs) plan.together(`job: ${job.name}`, job.stop);
    const { figures: webhookFigures } = webhooks.dispatcher;
    const alerts = startAlerting(appContext, sms, whatsapp, http.url);
    const kept = startSupervision({
      ...appContext,
      delivery,
      routes: sms.routeStatus,
      readPem: settings.pem,
      backup,
    });
    const rooms = { sms, whatsapp, templates, delivery, webhooks, schedule, alerts, ...kept };
    const running = { clock, ...rooms, checkRestore, readiness: ready };
    const batches = batchServices({ ...intake, onValidating: schedule.validate }, machine.startThread);
    plan.last("submissions of administrators", batches.stop);
    const smpp = startSmppDoor(appContext, batches, delivery, intake.notNow);
    smppDoor = smpp;
    connectMetrics(appContext, {
      operators: sms.status,
      routes: sms.routeStatus,
      numbers: whatsapp.numbers,
      webhookFigures,
      smppSessionsOf: (userId) => smpp.sessionsOf(userId),
    });
    const context = createContextFactory(appContext, http.url, { ...running, smpp }, batches, options);
    openControlSocket(appContext, context);
    const clients = { cancelBatch: createClientCancel(context), webhooks: webhooks.registration };
    const services = { ...batches, ...clients, listTemplates, testWebhook: webhooks.testWebhook };
    const others = [...startCompatServer(appContext, sms, batches, closed), webhook];
    const answering = { ...kept.standing, services, others };
    const { firstLink } = openRoutes(appContext, http, answering, context);
    started();
    const database = join(config.storage.directory, DATABASE_FILE);
    log.info("ready", { url: http.url, version: versionLine(), database, schema: LATEST_SCHEMA });
    return { url: http.url, context, firstLink, reload: () => reloadBySignal(context("SIGHUP"), log), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function openRoutes(
  appContext: AppContext,
  http: Listener,
  by: ApiParts,
  context: App["context"],
): OpenConsole {
  const api = publicApi({ ...appContext, ...by, startThread: appContext.machine.startThread });
  appContext.plan.last("submissions", api.stop);
  const pages = openConsole(appContext, http.url, context);
  http.open(createRequestHandler([...api.sets, ...by.others, ...pages.sets]));
  return pages;
}

function startAlerting(
  appContext: AppContext,
  sms: SmppWorkers,
  { numbers }: WhatsAppWorkers,
  url: string,
): Alerts {
  const { status, routeStatus, testSender } = sms;
  const source = {
    host: hostname(),
    get url() {
      return `${appContext.settings.now().server.public_url || url}/health`;
    },
  };
  const owners = new NumberOwners(() => appContext.settings.now().operators, appContext.store.read);
  const texting = { ownerOf: owners.operatorOf, testSender };
  const alerts = startAlerts({
    ...appContext,
    operators: status,
    routes: routeStatus,
    numbers,
    texting,
    source,
  });
  for (const job of alerts.jobs) appContext.plan.together(`job: ${job.name}`, job.stop);
  return alerts;
}

function connectMetrics(
  appContext: AppContext,
  sources: Pick<MetricsDeps, "operators" | "routes" | "numbers" | "webhookFigures" | "smppSessionsOf">,
) {
  const backupAtMs = () => newestBackup(appContext.store.read)?.madeAtMs ?? null;
  appContext.plan.together("metrics", startMetrics({ ...appContext, ...sources, backupAtMs }).stop);
}

function drainDelivery(delivery: Delivery, leftMs: number): Promise<void> {
  return delivery.stop(Math.min(ANSWERS_MS, leftMs - UNBINDING_MS - WRITING_MS), leftMs - WRITING_MS);
}

/** What every room is built from. */
type AppContext = AppEnvironment & {
  readonly settings: SettingsHolder;
  readonly store: Store;
  readonly newId: NewId;
  readonly plan: ShutdownPlan;
  readonly readiness: Readiness;
  readonly room: DiskMonitor;
  readonly keyUses: KeyUses;
};

async function openData(
  config: Config,
  { clock, chance, log, machine }: AppEnvironment,
  plan: ShutdownPlan,
  { onSyncFailure, look }: StartOptions,
): Promise<Store> {
  const { storage } = config;
  const slow = look ? { steps: look.steps, slowMs: config.log.slow_statement_ms } : null;
  const store = await openStorePatiently(storage.directory, clock, LOCK_PATIENCE_MS, {
    onSyncFailure,
    look: slow,
    openDatabase: machine.openDatabase,
    beforeMigrating: createUpgradeBackup({ config, clock, chance, machine }),
  });
  plan.last("store", (deadline) => store.close(deadline.leftMs()));
  look?.begin(store.read);
  if (store.upgraded) log.info("the database was upgraded", { ...store.upgraded });
  if (store.tightened.length > 0) {
    const files = store.tightened.join(" ");
    log.warn("others could read the data until now: it is its owner's alone again", { files });
  }
  return store;
}

/** Recovers what the previous process left: operator codes that are back, SMSC accounts, claimed messages. */
async function recoverState(store: Store, settings: Settings, clock: Clock, log: Log): Promise<void> {
  await store.write((tx) => unretireCodes(tx, operatorCodes(settings.now())));
  await store.write((tx) => {
    noteConfiguration(tx, settings.now(), clock.nowMs());
    noteConsoleFile(tx, store.directory, clock.nowMs());
  });
  if (isErasureKeyMissing(store.read, store.read.nameOf("") !== null)) log.error(ERASURE_KEY_MISSING);
  const rescue = { store, recoverClaim: createClaimRecovery(settings) };
  const rescued = await recoverLeases(rescue, clock.nowMs());
  const seconds = await recoverSeconds(store, settings, clock.nowMs());
  const messages = rescued + seconds;
  if (messages > 0) log.warn("messages in doubt after an unclean stop", { messages });
}

function createIntake(
  { settings, store, clock, newId, log, plan, room, readiness: ready }: AppContext,
  delivery: Delivery,
) {
  let isStopping = false;
  plan.first("staging", () => {
    isStopping = true;
  });
  return {
    settings,
    store,
    clock,
    newId,
    log,
    messageIds: messageIds(store.read),
    stages: stages(),
    rejected: rejectionCounts(),
    channels: intakeChannels({ settings, store, log }),
    onQueued: delivery.offer,
    notNow: () => {
      room.refresh();
      const closed = ready.closed();
      return closed && notReadyRefusal(closed);
    },
    takeFastPathSlot: delivery.takeFastPathSlot,
    isStopping: () => isStopping,
  };
}

/** Reacts to configuration changes: what a batch waits for may depend on the configuration. */
function watchSettings({ settings, store, plan }: AppContext, delivery: Delivery, http: Listener): void {
  const unfollow = settings.onChange(() => {
    http.renew(formatAddress(settings).certificate);
    for (const { id } of listAccounts(store.read)) delivery.accountChanged(id);
  });
  plan.first("settings", unfollow);
}

/** Makes the contexts of administrative operations, by actor. */
function createContextFactory(
  appContext: AppContext,
  url: string,
  running: Running,
  { submissions }: BatchServices,
  source: ConfigSource,
): (actor: string) => AdminContext {
  const configuration = createConfigReloader(appContext.settings, appContext.log, source);
  const server = { ...toServerHandle(running), url, configuration };
  return (actor) => {
    const { config, ...file } = appContext.settings.whole();
    const recoverClaim = createClaimRecovery(appContext.settings);
    return { ...appContext, config, file, actor, server, recoverClaim, submissions };
  };
}

function openControlSocket(
  { settings, clock, log, machine, plan }: AppContext,
  context: (actor: string) => AdminContext,
): void {
  const control = startControl(settings.now().storage.directory, context, clock, log, machine.serve);
  plan.first("commands", control.refuse);
  plan.together("commands", control.endCommands);
  plan.last("control socket", control.stop);
}

/** The system's clock and chance, and the machine that this process runs on. */
export const systemEnvironment = { clock: systemClock, chance: systemChance, machine: systemPlatform };

// The running server's handle for administrative operations.

type Running = {
  readonly clock: TrustedClock;
  readonly sms: SmppWorkers;
  readonly whatsapp: Pick<WhatsAppWorkers, "numbers" | "tests" | "pausesChanged">;
  readonly templates: TemplateSync;
  readonly delivery: Delivery;
  readonly webhooks: Webhooks;
  readonly schedule: Schedule;
  readonly alerts: Alerts;
  readonly checkRestore: () => void;
  readonly readiness: Pick<Readiness, "reasons">;
  readonly smpp: SmppServer;
  readonly standing: NonNullable<ServerHandle["standing"]>;
  readonly works: BackgroundWork;
};

/** Starts the health checks, and the background work, which a stop aborts. */
function startSupervision(
  deps: HealthDeps & { readonly plan: Pick<ShutdownPlan, "first"> },
): Pick<Running, "standing" | "works"> {
  const { clock, readiness, plan } = deps;
  const works = createBackgroundWork(clock);
  plan.first("long work", works.stop);
  const health = createHealth(clock, readiness, healthChecks(deps));
  return { standing: { startedAtMs: clock.nowMs(), health }, works };
}

/** The `ServerHandle`, without the configuration. */
function toServerHandle({
  clock,
  sms,
  whatsapp,
  templates,
  delivery,
  webhooks,
  schedule,
  alerts,
  checkRestore,
  readiness,
  smpp,
  standing,
  works,
}: Running): Omit<ServerHandle, "configuration"> {
  return {
    operatorStatus: sms.status,
    routeStatus: sms.routeStatus,
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
          smpp.accountChanged(concern.accountId);
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
          return;
        case "smpp_user":
          smpp.userChanged(concern.userId, concern.ends);
          return;
      }
    },
    reconnect: sms.reconnect,
    testSender: sms.testSender,
    numberTests: whatsapp.tests,
    notReady: readiness.reasons,
    standing,
    works,
    testAlerts: alerts.test,
    smpp,
    syncTemplates: () => templates.now(),
    acceptClock: () => {
      clock.accept();
    },
  };
}

// Serves customers that bind over SMPP.

/** Starts it; its stop is part of the plan. */
function startSmppDoor(
  appContext: AppContext,
  { submitBatch }: Pick<BatchServices, "submitBatch">,
  delivery: Delivery,
  notNow: () => IntakeRefusal | null,
): SmppServer {
  const { machine, plan } = appContext;
  const smpp = startSmppServer({
    ...appContext,
    listen: machine.listenSmpp,
    submit: submitBatch,
    notNow,
    onCancelled: delivery.accountChanged,
  });
  plan.first("listening for SMPP", () => smpp.refuse());
  plan.together("sessions of SMPP users", (deadline) => smpp.stop(deadline.leftMs()));
  return smpp;
}

// Serves clients written for Kannel or Jasmin, on the API's address or one of their own.

type CompatServerDeps = Pick<CompatDeps, "settings" | "store" | "clock" | "log" | "newId"> & {
  readonly plan: ShutdownPlan;
  readonly machine: Platform;
};

/** How long callbacks under way are waited for at a stop. */
const CALLBACK_GRACE_MS = 500;

/** What answers at the API's address: the API, and other routes beside it. */
type ApiParts = Pick<ApiDeps, "health" | "services"> & {
  readonly others: ReturnType<typeof startCompatServer>;
};

/** The routes of the API's address for these clients: none where they have an address of their own. */
function startCompatServer(
  appContext: CompatServerDeps,
  { status }: Pick<SmppWorkers, "status">,
  { submitBatch }: Pick<BatchServices, "submitBatch">,
  closed: RequestHandler,
): ReturnType<ReturnType<typeof startCompat>["sets"]> {
  const isLinkUp = () =>
    status().some(({ connections }) => connections.some(({ state }) => state === "BOUND"));
  const { https, serve } = appContext.machine;
  const compat = startCompat({ ...appContext, https, submit: submitBatch, isLinkUp });
  appContext.plan.together("callbacks of Kannel and Jasmin", () => compat.stop(CALLBACK_GRACE_MS));
  const { listen: at } = appContext.settings.now().compat;
  if (at === "") return compat.sets();
  const { certificate } = formatAddress(appContext.settings);
  const own = listen({ ...appContext, at, certificate, serve, closed });
  appContext.plan.first("listening for Kannel and Jasmin", own.refuse);
  appContext.plan.together("requests of Kannel and Jasmin", own.stop);
  const unfollow = appContext.settings.onChange(() =>
    own.renew(formatAddress(appContext.settings).certificate),
  );
  appContext.plan.first("settings of Kannel and Jasmin", unfollow);
  own.open(createRequestHandler(compat.sets()));
  appContext.log.info("clients of Kannel and Jasmin are answered", { url: own.url });
  return [];
}
