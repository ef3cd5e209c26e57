/** The page "State": version, health, disk, certificates, clock; the configuration in force and what its file would change. */
import { CLOCK_OPERATIONS } from "../../../admin/operations/clock.ts";
import {
  type ConfigShowView,
  configDiff,
  configReload,
  configShow,
} from "../../../admin/operations/config-reload.ts";
import type { AdminContext, ConfigChangeView } from "../../../admin/operations/context.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { forecastStorage, STORAGE_OPERATIONS } from "../../../admin/reports/storage.ts";
import { listLeaves } from "../../../config/changes.ts";
import { keyText } from "../../../config/faults.ts";
import { isoOrNull, isoUtc } from "../../../core/clock.ts";
import { versionLine } from "../../../core/version.ts";
import { LATEST_SCHEMA } from "../../../db/migrate.ts";
import { type Phrase, paramsIn, phrase, type Told } from "../../../i18n/phrase.ts";
import { BACKUP_WORKS, backupOverview } from "../../../ops/backup/backups.ts";
import { certificateEnds } from "../../../ops/certificates.ts";
import { describeUntrustedClock } from "../../../ops/clock-watch.ts";
import { createNameResolver, deriveStanding, type NameResolver, toNamedCheck } from "../display-names.ts";
import { hideSetting } from "./money-visibility.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, told } from "./request-context.ts";
import { route } from "./route.ts";

const DAY_MS = 86_400_000;
/** Environment file of the unit that `install` makes (ops/install/layout.ts). */
const SERVICES_ENVIRONMENT = "/etc/bendre/environment";

function appliancePage({ context, translate }: PageContext) {
  const { store, config, clock, server, file } = context;
  const nowMs = clock.nowMs();
  const naming = createNameResolver(context);
  const paused = listTotalPauses(server, naming);
  const doubt = clock.doubt();
  const standing = server?.standing ?? null;
  const report = standing?.health.report() ?? null;
  return done({
    version: versionLine(),
    schema: LATEST_SCHEMA,
    directory: store.directory,
    /** Null where nobody looks. */
    started_at: isoOrNull(standing?.startedAtMs ?? null),
    health: report && {
      status: report.status,
      checks: report.checks.map((check) => ({
        ...toNamedCheck(check, naming, translate),
        standing: check.name === "operators" && paused.length > 0 ? "paused" : deriveStanding(check),
      })),
    },
    /** Every pause because of which nothing at all may leave. */
    paused,
    storage: forecastStorage(context),
    certificates: certificateEnds(config, (path) => file?.pems.get(path) ?? null).map(
      ({ key, path, endsAtMs }) => ({
        key,
        path,
        /** Null of a file without a readable certificate. */
        ends_at: isoOrNull(endsAtMs),
        days_left: endsAtMs === null ? null : Math.floor((endsAtMs - nowMs) / DAY_MS),
      }),
    ),
    clock: {
      /** The time in use. */
      believed_at: isoUtc(nowMs),
      timezone: config.defaults.timezone,
      /** Why the machine's time is not trusted; null where it is. */
      doubt: doubt && describeUntrustedClock(doubt),
      /** The machine's time, where it is not trusted. */
      machine_at: isoOrNull(doubt?.wallMs ?? null),
    },
  });
}

/** A change, with additions listed key by key: reviewers look for what was typed. */
type ShownChange = ConfigChangeView & {
  readonly entries: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly is_default: boolean;
  }[];
};

type ConfigurationView = {
  readonly settings: ConfigShowView["settings"];
  /** What the file would change; empty where it has faults. */
  readonly changes: readonly Told<ShownChange>[];
  /** Faults of the file; empty where it can be put in force. */
  readonly faults: readonly QuotedFault[];
};

/** The configuration in force, secrets hidden, and what a reload would change. */
async function configurationPage(asked: PageContext): Promise<AdminOutcome<ConfigurationView>> {
  const { context, translate, may } = asked;
  const settings = configShow(context).settings.map(({ path, value, ...one }) => ({
    ...one,
    path,
    value: hideSetting(may("prices.read"), path, value),
  }));
  const diff = await configDiff(context);
  if (diff.ok)
    return told(asked, done({ settings, changes: diff.value.changes.map(shownTo(asked)), faults: [] }));
  const invalid = paramsIn(diff.refusal.detail, "refusal.CONFIG_INVALID.unchanged");
  if (invalid === null) return diff;
  return done({ settings, changes: [], faults: invalid.faults.map(toQuotedFault(translate)) });
}

/** A change of the configuration for a page: prices for those who may see them, what is added key by key. */
export function shownTo({ may }: PageContext) {
  const shown = (path: string, value: unknown) => hideSetting(may("prices.read"), path, value);
  return (change: ConfigChangeView): ShownChange => ({
    ...change,
    from: shown(change.path, change.from),
    to: shown(change.path, change.to),
    entries: entriesOf(shown(change.path, change.to), change.defaults),
  });
}

function entriesOf(added: unknown, defaults: readonly string[]): ShownChange["entries"] {
  if (typeof added !== "object" || added === null || Array.isArray(added)) return [];
  return listLeaves(added).map(({ steps, value }) => {
    const key = keyText(steps);
    return { key, value, is_default: defaults.includes(key) };
  });
}

/** Puts the file in force as far as that works without a restart. */
async function reloadConfiguration(asked: PageContext) {
  const reloaded = await configReload(asked.context);
  if (!reloaded.ok) return reloaded;
  const { changes, restart } = reloaded.value;
  return told(asked, done({ changes: changes.map(shownTo(asked)), restart: restart.map(shownTo(asked)) }));
}

/** How the server was started, for commands to be typed. */
function startedPage({ context: { server } }: PageContext) {
  const started = server?.configuration.started ?? null;
  return done({ started, environment: started?.isService ? SERVICES_ENVIRONMENT : null });
}

export const APPLIANCE_ROUTES = {
  "GET /appliance/started": route("appliance.read", startedPage),
  "GET /appliance": route("appliance.read", appliancePage),
  "GET /configuration": route("appliance.read", configurationPage),
  "POST /configuration/reload": route("appliance.change", reloadConfiguration),
  ...operationRoutes({
    "GET /appliance/tables": STORAGE_OPERATIONS["storage show"],
    "POST /clock/accept": CLOCK_OPERATIONS["clock accept"],
  }),
};

/**
 * Lists who paused which whole operator or WhatsApp number, when and why, where nothing at all may leave because of it; else empty. `by`:
 * null where it is unknown who it was.
 */
export function listTotalPauses(server: AdminContext["server"], naming: NameResolver) {
  if (server === null) return [];
  const lines = [
    ...server.operatorStatus().map(({ operator, connections }) => ({
      operator,
      pauses: connections.map(({ paused }) => paused),
    })),
    ...server.numberStatus().map(({ operator, paused }) => ({
      operator,
      pauses: [paused && { ...paused, actor: null }],
    })),
  ];
  const paused = lines.map(({ operator, pauses }) => {
    const [first] = pauses.filter((pause) => pause !== null && pause !== undefined);
    return first && pauses.every(Boolean) ? { name: naming.operator(operator), ...first } : null;
  });
  const all = paused.filter((one) => one !== null && one !== undefined);
  if (all.length < lines.length) return [];
  return all.map(({ name, atMs, actor, reason }) => ({ name, reason, by: actor, since: isoUtc(atMs) }));
}

// Faults of the configuration file, each with the line that it is about. Pure.

type QuotedFault = {
  /** In the reader's words. */
  readonly text: string;
  /** The key that it is about, left out of the text; null where it is about none. */
  readonly key: string | null;
  /** The quoted line of the file; null where the fault quotes none. */
  readonly line: string | null;
};

/** Splits a fault into its text, its key, and the line that it quotes. */
export function toQuotedFault(translate: (words: Phrase) => string): (fault: Phrase) => QuotedFault {
  return (fault) => {
    const ofKey = paramsIn(fault, "config.fault.of_key");
    if (ofKey !== null) {
      const { key, ...told } = ofKey;
      return { text: translate(phrase("config.fault", told)), key: String(key), line: null };
    }
    const quoted = paramsIn(fault, "config.no_toml.quoted");
    if (quoted !== null) {
      const { line, ...told } = quoted;
      return { text: translate(phrase("config.no_toml", told)), key: null, line: String(line) };
    }
    return { text: translate(fault), key: null, line: null };
  };
}

// The page "Backups": what exists and where, what was verified; make one, verify one, restore one as a test.

/** Progress of the work under way: polled once a second, so it opens no file. */
function workPage(asked: PageContext) {
  return told(asked, done({ work: asked.context.server?.works?.standing() ?? null }));
}

export const BACKUP_ROUTES = {
  "GET /backups": route("backups.read", (asked) => told(asked, backupOverview(asked.context))),
  "GET /backups/work": route("backups.read", workPage),
  ...operationRoutes({
    "POST /backups": BACKUP_WORKS["begin backup"],
    "POST /backups/verify": BACKUP_WORKS["begin verifying"],
    "POST /backups/drill": BACKUP_WORKS["begin drill"],
  }),
};
