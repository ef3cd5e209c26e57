import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountCreate } from "../../../src/admin/operations/accounts.ts";
import type { AdminContext, ChangeNotice, ServerHandle } from "../../../src/admin/operations/context.ts";
import type { AdminOutcome } from "../../../src/admin/operations/refusal.ts";
import { createClaimRecovery } from "../../../src/app/channels.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { createOfflineSubmissions } from "../../../src/app/submissions.ts";
import type { Config } from "../../../src/config/config.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { idFactory } from "../../../src/core/ids.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { openNewStore } from "../../kit/new-store.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type TestClock, testClock } from "../../kit/test-clock.ts";

/** Two operators: orange has a price, moov has none. */
export function adminConfig(directory: string): Config {
  const connections = [{ host: "127.0.0.1", port: 2775, system_id: "bendre", password: "secret99" }];
  const parsed = parseConfig(
    {
      storage: { directory },
      operators: {
        orange: { prefixes: ["22605"], price: 15, connections },
        moov: { prefixes: ["22601"], connections },
      },
    },
    {},
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

export type AdminFixture = {
  readonly context: AdminContext;
  readonly clock: TestClock;
  /** What the server was told to have to do with, in order. */
  readonly told: () => ChangeNotice["kind"][];
  /** Adds an account and returns its id. */
  readonly account: (billing?: "PREPAID" | "POSTPAID") => Promise<string>;
  /** The actions of the audit list, oldest first. */
  readonly audited: () => string[];
  readonly close: () => Promise<void>;
};

/** A real store, and a server that only takes notice. */
export function adminFixture(operatorStatus: ServerHandle["operatorStatus"] = () => []): AdminFixture {
  const directory = mkdtempSync(join(tmpdir(), "bendre-admin-"));
  const clock = testClock();
  const chance = seededChance(5);
  const store = openNewStore(directory, clock);
  const told: ChangeNotice["kind"][] = [];
  let accounts = 0;
  const config = adminConfig(directory);
  const newId = idFactory(clock, chance);
  const context: AdminContext = {
    store,
    config,
    clock,
    chance,
    newId,
    submissions: createOfflineSubmissions({ store, config, clock, newId, spaceOf: systemPlatform.spaceOf }),
    actor: "awa",
    recoverClaim: createClaimRecovery({ now: () => config }),
    machine: systemPlatform,
    server: {
      operatorStatus,
      routeStatus: () => [],
      numberStatus: () => [],
      webhookFigures: () => ({
        endpoints: 1,
        inFlight: 2,
        delivered: 3,
        failed: 1,
        givenUp: 0,
        disabled: 0,
        attemptsMs: 400,
      }),
      changed: ({ kind }) => {
        told.push(kind);
      },
      notReady: () => [],
      testSender: () => null,
      numberTests: () => null,
      testAlerts: () => Promise.resolve([]),
      syncTemplates: () => Promise.resolve(),
      acceptClock: () => {},
      configuration: noConfiguration,
      reconnect: () => {},
    },
  };
  return {
    context,
    clock,
    told: () => told,
    account: async (billing = "PREPAID") => {
      accounts += 1;
      const name = accounts === 1 ? "Faso Shop" : `Faso Shop ${accounts}`;
      return granted(await accountCreate(context, { name, billing, creditLimit: 0, timezone: null }))
        .account_id;
    },
    audited: () =>
      store.read
        .all<{ action: string; actor: string }>("SELECT action, actor FROM audit_entries ORDER BY id")
        .map(({ action, actor }) => `${actor}: ${action}`),
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** The configuration of a server whose file is never read again. */
export const noConfiguration: ServerHandle["configuration"] = {
  read: async () => ({ ok: false, faults: [phrase("config.no_file")] }),
  inForce: () => {
    throw new Error("nothing is compared here");
  },
  put: () => {},
  alone: (work) => work(),
  tell: () => {},
};

/** The answer of an operation that must have been done. */
export function granted<T>(outcome: AdminOutcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${english(outcome.refusal.detail)}`);
  return outcome.value;
}

/** The code of an operation that must have been refused. */
export function codeOf(outcome: AdminOutcome<unknown>): string {
  if (outcome.ok) throw new Error(`not refused: ${JSON.stringify(outcome.value)}`);
  return outcome.refusal.code;
}
