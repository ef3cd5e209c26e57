/**
 * The health checks of the appliance: every check that `GET /health` runs, in the order that it lists them. The room `ops` also
 * holds the clock watch, the nightly check, and the surveys that `config check` makes of a directory and a database.
 *
 * A check is one function below and one line in `healthChecks`. It takes milliseconds and changes nothing but the readiness.
 */
import type { OperatorRouteStatus } from "../../channels/sms/smpp-worker.ts";
import type { Settings } from "../../config/live-config.ts";
import { BugError } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import { type Finding, type HealthCheck, type Readiness, well } from "../../core/health.ts";
import { errorText, type Log } from "../../core/log.ts";
import { readCreatedAtMs } from "../../db/clock-marks.ts";
import { rewriteHeader } from "../../db/probe.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Delivery, OrphanCount, WorkerStatus } from "../../dispatch/delivery.ts";
import type { SessionHealth } from "../../dispatch/worker.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { deriveCheckStanding, lastCheck } from "../../domain/ledger/books-check.ts";
import { oldestWaiting } from "../../domain/messages/queue.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { readFailingEndpoints } from "../../webhooks/endpoint-stats.ts";
import { type AlertView, toAlertViews } from "../alerts/alert-operations.ts";
import { lastDrill, MAX_BACKUP_AGE_MS, newestBackup } from "../backup/backup-records.ts";
import type { NightlyBackup, NightlyBackupStatus } from "../backup/nightly-backup.ts";
import {
  type CertificateEnd,
  certificateEnds,
  firstEndMs,
  lateCertificates,
  renderEnd,
} from "../certificates.ts";
import { CLOCK_ACTION, describeUntrustedClock } from "../clock-watch.ts";
import type { DiskMonitor } from "../disk-monitor.ts";

export type HealthDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly room: Pick<DiskMonitor, "measure">;
  readonly readiness: Readiness;
  readonly delivery: Pick<Delivery, "status" | "waitingElsewhere">;
  readonly routes: () => readonly OperatorRouteStatus[];
  /** The PEM text of a file. @throws the system's error where it cannot be read. */
  readonly readPem: (path: string) => string | null;
  readonly backup: Pick<NightlyBackup, "standing">;
};

/** The checks of `GET /health`, in the order that it lists them. A new check is a line here. */
export function healthChecks(deps: HealthDeps): HealthCheck[] {
  const { settings, store, clock, log, room, readiness, delivery, readPem } = deps;
  return [
    operatorsCheck(delivery.status, delivery.waitingElsewhere, deps.routes),
    queueCheck(store.read, clock),
    databaseCheck({ store, clock, log, readiness }),
    diskCheck(room),
    clockCheck(clock),
    booksCheck(store.read, clock),
    certificatesCheck(settings, clock, readPem),
    backupCheck(store.read, clock, deps.backup.standing),
    webhooksCheck(store.read),
    alertsCheck(store.read, clock),
  ];
}

/** Rules about what customers must fix: they do not degrade the appliance. */
const OF_CUSTOMERS: ReadonlySet<string> = new Set(["wallet_low", "endpoint", "smpp_receipts"]);

/** Lists the alerts that last. Those of customers and silenced ones are shown, and degrade nothing. */
function alertsCheck(read: Reader, clock: Clock): HealthCheck {
  return {
    name: "alarms",
    run: () => {
      const lasting = toAlertViews(read, clock.nowMs()).filter(({ since }) => since !== null);
      if (lasting.length === 0) return well(phrase("health.alarms"));
      const grave = lasting.filter(({ rule, state }) => state === "firing" && !OF_CUSTOMERS.has(rule));
      const detail = phrase("health.alarms.firing", { alarms: lasting.map(toAlertPhrase) });
      if (grave.length === 0) return well(detail);
      return bad(detail, phrase("health.alarms.action"));
    },
  };
}

function toAlertPhrase({ rule, subject, state }: AlertView): Phrase {
  const isSilenced = state === "silenced";
  if (subject === null) return phrase(isSilenced ? "health.alarm.silenced" : "health.alarm", { rule });
  return phrase(isSilenced ? "health.alarm.of.silenced" : "health.alarm.of", { rule, subject });
}

/** Checks that there is a backup of last night, and that the last drill found one sound. */
export function backupCheck(read: Reader, clock: Clock, standing: () => NightlyBackupStatus): HealthCheck {
  const bornMs = readCreatedAtMs(read);
  return {
    name: "backup",
    run: () => {
      const newest = newestBackup(read);
      const made = newest
        ? phrase("health.backup", { made: newest.madeAtMs })
        : phrase("health.backup.not_yet");
      const { failure } = standing();
      if (failure !== null) return bad(phrase("health.backup.failed", { newest: made, failure }), MAKE_ONE);
      if (clock.nowMs() - (newest?.madeAtMs ?? bornMs) > MAX_BACKUP_AGE_MS) {
        return bad(phrase("health.backup.missing", { newest: made }), MAKE_ONE);
      }
      const drill = lastDrill(read);
      if (drill?.failure) {
        const detail = phrase("health.backup.trial_failed", {
          newest: made,
          at: drill.drilledAtMs ?? drill.madeAtMs,
          failure: drill.failure,
        });
        return bad(detail, phrase("health.backup.trial_failed.action"), drill.drilledAtMs);
      }
      if (!drill?.drilledAtMs) return well(made);
      const at = drill.drilledAtMs;
      return well(
        newest
          ? phrase("health.backup.tried", { made: newest.madeAtMs, at })
          : phrase("health.backup.not_yet_tried", { at }),
      );
    },
  };
}

const MAKE_ONE = phrase("health.backup.action");

function bad(detail: Phrase, action: Phrase, sinceMs: number | null = null): Finding {
  return { status: "degraded", detail, action, sinceMs };
}

/** Checks that the ledger was verified last night without differences. */
export function booksCheck(read: Reader, clock: Clock): HealthCheck {
  const startedMs = clock.nowMs();
  return {
    name: "books",
    run: () => {
      const check = lastCheck(read);
      const at = check?.checkedAtMs ?? null;
      const action = phrase("health.books.action");
      switch (deriveCheckStanding(check, startedMs, clock.nowMs())) {
        case "agrees":
          return well(at === null ? phrase("health.books.not_yet") : phrase("health.books", { at }));
        case "not checked yet":
          return well(phrase("health.books.not_yet"));
        case "differs":
          return bad(
            phrase("health.books.differ", { at: at ?? 0, count: check?.differences ?? 0 }),
            phrase("health.books.differ.action"),
            at,
          );
        case "failed":
          return bad(
            phrase("health.books.failed", { at: at ?? 0, failure: check?.failure ?? "" }),
            action,
            at,
          );
        case "overdue":
          return bad(
            at === null ? phrase("health.books.never") : phrase("health.books.overdue", { at }),
            action,
          );
      }
    },
  };
}

/** How long the ends of certificates are cached. */
const KEPT_MS = 60_000;

/** Checks that the configured certificates are valid for at least two weeks. */
export function certificatesCheck(
  settings: Settings,
  clock: Clock,
  readPem: (path: string) => string | null,
): HealthCheck {
  const ends = readCertificateEnds(settings, clock, readPem);
  return {
    name: "certificates",
    run: () => {
      const all = ends();
      const nowMs = clock.nowMs();
      const late = lateCertificates(all, nowMs);
      if (late.length > 0) {
        const parts = late.map((each) => renderEnd(each, nowMs));
        return bad(phrase("health.certificates.late", { parts }), phrase("health.certificates.action"));
      }
      return well(
        all.length === 0
          ? phrase("health.certificates.none")
          : phrase("health.certificates", { count: all.length, first: firstEndMs(all) }),
      );
    },
  };
}

/** The ends of all certificates, read again once a minute and after each configuration change. */
function readCertificateEnds(settings: Settings, clock: Clock, readPem: (path: string) => string | null) {
  let kept: {
    readonly ends: readonly CertificateEnd[];
    readonly of: unknown;
    readonly untilMs: number;
  } | null = null;
  return (): readonly CertificateEnd[] => {
    const config = settings.now();
    if (kept?.of !== config || clock.steadyMs() >= kept.untilMs) {
      kept = { ends: certificateEnds(config, readPem), of: config, untilMs: clock.steadyMs() + KEPT_MS };
    }
    return kept.ends;
  };
}

/** Checks that the clock is trusted. One untrusted since the start keeps the appliance from being ready. */
export function clockCheck(clock: Pick<Clock, "doubt">): HealthCheck {
  return {
    name: "clock",
    run: () => {
      const doubt = clock.doubt();
      if (doubt === null) return well(phrase("health.clock"));
      return {
        status: doubt.kind === "jumped" ? "degraded" : "down",
        detail: describeUntrustedClock(doubt),
        action: CLOCK_ACTION,
        sinceMs: doubt.sinceMs,
      };
    },
  };
}

/** How long a commit proves the database writable; after a failure it is retried this soon, asked or not. */
const PROVEN_MS = 10_000;
const AGAIN_MS = 1000;
/** A commit slower than this is reported: the disk deserves a look. */
const SLOW_SECONDS = 5;

type Failure = { readonly sinceMs: number; readonly error: string; readonly free: () => void };

type DatabaseCheckDeps = {
  readonly store: Pick<Store, "write" | "whenDiskFails">;
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, "hold">;
};

/**
 * Whether the database can be written: proved by a commit that changes nothing, while somebody asks and no more
 * than every ten seconds, and when the disk did not take another write. While it fails the appliance is not ready, and it
 * is tried every second until it succeeds. One write that fails is no reason by itself: it may have been larger than what
 * is left, and others are taken.
 */
export function databaseCheck(deps: DatabaseCheckDeps): HealthCheck {
  const { clock } = deps;
  const proof = proofOfWriting(deps);
  return {
    name: "database",
    run: () => {
      const { failure, beganMs } = proof.look();
      if (failure) {
        return {
          status: "down",
          detail: phrase("health.database.down", { error: failure.error }),
          action: phrase("health.database.down.action"),
          sinceMs: failure.sinceMs,
        };
      }
      const seconds = beganMs === null ? 0 : Math.floor((clock.steadyMs() - beganMs) / 1000);
      if (seconds < SLOW_SECONDS) return well(phrase("health.database"));
      return bad(phrase("health.database.slow", { seconds }), phrase("health.database.slow.action"));
    },
  };
}

function proofOfWriting({ store, clock, log, readiness }: DatabaseCheckDeps) {
  let failure: Failure | null = null;
  let beganMs: number | null = null;
  let dueMs = clock.steadyMs();
  let doubtedMs = Number.NEGATIVE_INFINITY;

  const failed = (thrown: unknown): void => {
    if (thrown instanceof BugError) return; // The store is closed: the appliance is stopping.
    if (!failure) {
      const error = errorText(thrown);
      const free = readiness.hold(phrase("readiness.database"));
      failure = { sinceMs: clock.nowMs(), error, free };
      log.error("the database cannot be written", { error });
    }
    clock.after(AGAIN_MS, prove);
  };

  const succeeded = (): void => {
    if (failure) log.info("the database can be written again");
    failure?.free();
    failure = null;
    dueMs = clock.steadyMs() + PROVEN_MS;
  };

  function prove(): void {
    if (beganMs !== null) return;
    beganMs = clock.steadyMs();
    store
      .write(rewriteHeader)
      .finally(() => {
        beganMs = null;
      })
      .then(succeeded, failed);
  }

  store.whenDiskFails(() => {
    if (failure || clock.steadyMs() < doubtedMs + AGAIN_MS) return;
    doubtedMs = clock.steadyMs();
    prove();
  });

  return {
    /** The current state, and since when a proof is under way; starts another proof where that is due. */
    look: (): { readonly failure: Failure | null; readonly beganMs: number | null } => {
      if (!failure && clock.steadyMs() >= dueMs) prove();
      return { failure, beganMs };
    },
  };
}

/** Checks the room on the data directory's disk: degraded below twice the reserve, down below it. */
export function diskCheck({ measure }: Pick<DiskMonitor, "measure">): HealthCheck {
  return {
    name: "disk",
    run: () => {
      const { freeBytes, totalBytes, level } = measure();
      const room = { free: freeBytes, total: totalBytes };
      const action = phrase("health.disk.action");
      switch (level) {
        case "ample":
          return well(phrase("health.disk", room));
        case "scarce":
          return bad(phrase("health.disk", room), action);
        case "reserved":
          return { status: "down", detail: phrase("health.disk.reserved", room), action };
        case "spent":
          return { status: "down", detail: phrase("health.disk.spent", room), action };
      }
    },
  };
}

/** The most operators named in one detail. */
const MAX_NAMED = 5;

/**
 * Checks that every operator can be reached by each of its configured connections, and by its best routes, and that no messages
 * wait for an operator that is not configured.
 */
export function operatorsCheck(
  status: () => readonly WorkerStatus[],
  elsewhere: () => readonly OrphanCount[] = () => [],
  routes: () => readonly OperatorRouteStatus[] = () => [],
): HealthCheck {
  return {
    name: "operators",
    run: () => {
      const operators = status();
      const links = operators.flatMap(({ connections }) => connections);
      const bound = links.filter(isBound).length;
      const faults = [...operators.flatMap(pauseOf), ...operators.flatMap(faultOf)];
      const counts = phrase("health.operators", {
        bound,
        connections: links.length,
        operators: operators.length,
      });
      const left = elsewhere().map(({ operator, messages }) =>
        phrase("health.operators.left", {
          count: messages,
          unconfigured: operator,
        }),
      );
      if (operators.length === 0 && left.length === 0) {
        return bad(phrase("health.operators.none"), phrase("health.operators.none.action"));
      }
      const parts = [...left, ...faults.map(({ told }) => told), ...routes().flatMap(routeFaultOf)];
      if (parts.length === 0) return well(counts);
      const more = parts.length - MAX_NAMED;
      const rest = more > 0 ? [phrase("health.operators.more", { count: more })] : [];
      return {
        status: "degraded",
        detail: phrase("health.operators.with", {
          counts,
          parts: [...parts.slice(0, MAX_NAMED), ...rest],
        }),
        action:
          left.length === 0 ? phrase("health.operators.action") : phrase("health.operators.left.action"),
        ...(faults.length === 0 ? {} : { sinceMs: Math.min(...faults.map(({ sinceMs }) => sinceMs)) }),
      };
    },
  };
}

/** What an administrator paused; shown because it outlasts restarts. */
function pauseOf({ operator, connections }: WorkerStatus) {
  const paused = connections.flatMap(({ paused: pause }) => (pause ? [pause] : []));
  const [first] = paused;
  if (!first) return [];
  const sinceMs = Math.min(...paused.map(({ atMs }) => atMs));
  const pause = { operator, since: sinceMs, reason: first.reason };
  const told =
    paused.length === connections.length
      ? phrase("health.operators.paused", pause)
      : phrase("health.operators.paused_in_part", {
          ...pause,
          paused: paused.length,
          connections: connections.length,
        });
  return [{ sinceMs, told }];
}

/** The routes of the smallest order are not able: another carries, or none. */
function routeFaultOf({ operator, routes }: OperatorRouteStatus): Phrase[] {
  const best = Math.min(...routes.map(({ order }) => order));
  if (routes.some(({ order, why }) => order === best && why === null)) return [];
  const away = routes.filter(({ order }) => order === best).map(({ route }) => route);
  return [phrase("health.operators.routes_away", { operator, routes: away.join(", ") })];
}

function faultOf({ operator, connections }: WorkerStatus) {
  const down = connections.filter((link) => !isBound(link));
  const sinceMs = Math.min(...down.map((link) => link.downSinceMs ?? Number.POSITIVE_INFINITY));
  const last = down.find(({ lastError }) => lastError !== null)?.lastError;
  if (down.length === 0 || !Number.isFinite(sinceMs)) return [];
  return [
    {
      sinceMs,
      told: outage(operator, { since: sinceMs, down: down.length, connections: connections.length }, last),
    },
  ];
}

type Outage = { readonly since: number; readonly down: number; readonly connections: number };

function outage(operator: string, of: Outage, why: Phrase | null | undefined): Phrase {
  const { since } = of;
  const isWhole = of.down === of.connections;
  if (!why) {
    return isWhole
      ? phrase("health.operators.away", { operator, since })
      : phrase("health.operators.away_in_part", { operator, ...of });
  }
  return isWhole
    ? phrase("health.operators.away_because", { operator, since, why })
    : phrase("health.operators.away_in_part_because", { operator, ...of, why });
}

function isBound({ state }: SessionHealth): boolean {
  return state === "BOUND";
}

/** How long a message of a class may wait before it is reported. MARKETING has permitted hours of its own. */
const PATIENCE_MS = [
  ["OTP", 60_000],
  ["TRANSACTIONAL", 900_000],
] as const;

/** Checks that urgent messages leave in time. */
export function queueCheck(read: Reader, clock: Clock): HealthCheck {
  const look = oldestWaiting(read);
  return {
    name: "queue",
    run: () => {
      const suspended = new Map<number, boolean>();
      const isHeld = (accountId: number): boolean => {
        const known = suspended.get(accountId) ?? accountById(read, accountId)?.status === "SUSPENDED";
        suspended.set(accountId, known);
        return known;
      };
      const oldest = look(isHeld);
      const nowMs = clock.nowMs();
      const late = PATIENCE_MS.flatMap(([messageClass, patienceMs]) => {
        const sinceMs = oldest.get(messageClass);
        return sinceMs !== undefined && nowMs - sinceMs > patienceMs ? [{ messageClass, sinceMs }] : [];
      });
      if (late.length === 0) return well(phrase("health.queue"));
      const parts = late.map(({ messageClass, sinceMs }) =>
        phrase("health.queue.late.class", {
          message_class: messageClass,
          seconds: Math.floor((nowMs - sinceMs) / 1000),
          since: sinceMs,
        }),
      );
      return bad(
        phrase("health.queue.late", { parts }),
        phrase("health.queue.late.action"),
        Math.min(...late.map(({ sinceMs }) => sinceMs)),
      );
    },
  };
}

/** Checks that endpoints accept their events; one that failed three times in a row is only probed. */
export function webhooksCheck(read: Reader): HealthCheck {
  return {
    name: "webhooks",
    run: () => {
      const { enabled, failing, first } = readFailingEndpoints(read);
      if (failing === 0) return well(phrase("health.webhooks", { count: enabled }));
      return bad(
        phrase("health.webhooks.failing", { failing, enabled, endpoint: first }),
        phrase("health.webhooks.failing.action", { id: first }),
      );
    },
  };
}
