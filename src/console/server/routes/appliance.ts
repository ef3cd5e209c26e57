/** The page "State": version, health, disk, certificates, clock; the configuration in force and what its file would change. */

import { CLOCK_OPERATIONS } from "../../../admin/operations/clock.ts";
import type { ConfigChangeView } from "../../../admin/operations/config-changes.ts";
import {
  type ConfigShowView,
  configDiff,
  configReload,
  configShow,
} from "../../../admin/operations/config-in-force.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { STORAGE_OPERATIONS, type StorageForecast, forecastStorage } from "../../../admin/reports/storage.ts";
import { keyText } from "../../../config/fault.ts";
import { listLeaves } from "../../../config/leaves.ts";
import { isoOrNull, isoUtc } from "../../../core/clock.ts";
import type { CheckView, HealthReport } from "../../../core/health.ts";
import { versionLine } from "../../../core/version.ts";
import { LATEST_SCHEMA } from "../../../db/migrate.ts";
import { type Phrase, paramsIn, type Told } from "../../../i18n/phrase.ts";
import { certificateEnds } from "../../../ops/certificates.ts";
import { describeClockDoubt } from "../../../ops/clock-watch.ts";
import { toNamedCheck, type ShownCheckStatus, deriveStanding } from "../health-view.ts";
import { createNameResolver } from "../named.ts";
import { listTotalPauses, type TotalPause } from "./all-paused.ts";
import { type PageContext, told } from "./asked.ts";
import { operationRoutes } from "./doing.ts";
import { toQuotedFault, type QuotedFault } from "./file-fault.ts";
import { settingFor } from "./money.ts";
import { route } from "./route.ts";

export type ApplianceView = {
  readonly version: string;
  readonly schema: number;
  /** Null where nobody looks. */
  readonly started_at: string | null;
  readonly directory: string;
  readonly health: {
    readonly status: HealthReport["status"];
    readonly checks: readonly (CheckView & { readonly standing: ShownCheckStatus })[];
  } | null;
  /** Every pause, where nothing at all may leave because of them. */
  readonly paused: readonly TotalPause[];
  readonly storage: StorageForecast;
  readonly certificates: readonly {
    readonly key: string;
    readonly path: string;
    /** Null of a file in which no certificate can be read. */
    readonly ends_at: string | null;
    readonly days_left: number | null;
  }[];
  readonly clock: {
    /** The time that counts. */
    readonly believed_at: string;
    readonly timezone: string;
    /** Why what the machine says is not believed; null where it is. */
    readonly doubt: Phrase | null;
    /** What the machine says, where that is not believed. */
    readonly machine_at: string | null;
  };
};

const DAY_MS = 86_400_000;
/** What the unit of `install` reads (ops/install/layout.ts). */
const SERVICES_ENVIRONMENT = "/etc/bendre/environment";

function appliancePage({ context, translate }: PageContext): AdminOutcome<ApplianceView> {
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
    started_at: isoOrNull(standing?.startedAtMs ?? null),
    health: report && {
      status: report.status,
      checks: report.checks.map((check) => ({
        ...toNamedCheck(check, naming, translate),
        standing: check.name === "operators" && paused.length > 0 ? "paused" : deriveStanding(check),
      })),
    },
    paused,
    storage: forecastStorage(context),
    certificates: certificateEnds(config, (path) => file?.pems.get(path) ?? null).map(
      ({ key, path, endsAtMs }) => ({
        key,
        path,
        ends_at: isoOrNull(endsAtMs),
        days_left: endsAtMs === null ? null : Math.floor((endsAtMs - nowMs) / DAY_MS),
      }),
    ),
    clock: {
      believed_at: isoUtc(nowMs),
      timezone: config.defaults.timezone,
      doubt: doubt && describeClockDoubt(doubt),
      machine_at: isoOrNull(doubt?.wallMs ?? null),
    },
  });
}

/** A change, with what is added key by key: whoever reads a review looks for what was typed. */
type ShownChange = ConfigChangeView & {
  readonly entries: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly is_default: boolean;
  }[];
};

export type ConfigurationView = {
  readonly settings: ConfigShowView["settings"];
  /** What the file would change; nothing where it has faults. */
  readonly changes: readonly Told<ShownChange>[];
  /** What is wrong with the file; nothing where it can be put in force. */
  readonly faults: readonly QuotedFault[];
};

/** What is in force, secrets hidden, and what a reload would change. */
async function configurationPage(asked: PageContext): Promise<AdminOutcome<ConfigurationView>> {
  const { context, translate, may } = asked;
  const settings = configShow(context).settings.map(({ path, value, ...one }) => ({
    ...one,
    path,
    value: settingFor(may("prices.read"), path, value),
  }));
  const diff = await configDiff(context);
  if (diff.ok)
    return told(asked, done({ settings, changes: diff.value.changes.map(shownTo(asked)), faults: [] }));
  const invalid = paramsIn(diff.refusal.detail, "refusal.CONFIG_INVALID.unchanged");
  if (invalid === null) return diff;
  return done({ settings, changes: [], faults: invalid.faults.map(toQuotedFault(translate)) });
}

function shownTo({ may }: PageContext) {
  const shown = (path: string, value: unknown) => settingFor(may("prices.read"), path, value);
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

/** Puts the file in force as far as that can be without a restart. */
async function reloadConfiguration(asked: PageContext) {
  const reloaded = await configReload(asked.context);
  if (!reloaded.ok) return reloaded;
  const { changes, restart } = reloaded.value;
  return told(asked, done({ changes: changes.map(shownTo(asked)), restart: restart.map(shownTo(asked)) }));
}

/** How the server was started, for whoever types commands for it. */
function startedPage({ context: { server } }: PageContext) {
  const started = server?.configuration.started ?? null;
  return done({ started, environment: started?.isService ? SERVICES_ENVIRONMENT : null });
}

export const APPLIANCE_ROUTES = {
  "GET /appliance/started": route({ operation: "appliance.read" }, startedPage),
  "GET /appliance": route({ operation: "appliance.read" }, appliancePage),
  "GET /configuration": route({ operation: "appliance.read" }, configurationPage),
  "POST /configuration/reload": route({ operation: "appliance.change" }, reloadConfiguration),
  ...operationRoutes({
    "GET /appliance/tables": STORAGE_OPERATIONS["storage show"],
    "POST /clock/accept": CLOCK_OPERATIONS["clock accept"],
  }),
};
