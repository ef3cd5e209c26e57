import type { KeyUses } from "../accounts/key-uses.ts";
import type { Clock } from "../base/clock.ts";
import type { Outcome } from "../base/failures.ts";
import type { Health } from "../base/health.ts";
import type { NewId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Readiness } from "../base/readiness.ts";
import type { StartThread } from "../base/thread.ts";
import type { Config } from "../config/config.ts";
import type { Settings } from "../config/in-force.ts";
import type { QuoteBatch } from "../intake/quote.ts";
import type { IntakeRefusal } from "../intake/refusals.ts";
import type { Submit } from "../intake/submit.ts";
import type { Store } from "../store/store.ts";
import type { ClientTrials } from "../webhooks/client-trials.ts";
import type { Registration, Requester } from "../webhooks/registration.ts";

/** Calls off a batch of the requester's account, with a reason for the list of recorded changes or null. */
export type CancelBatch = (
  by: Requester,
  batchId: string,
  reason: string | null,
) => Promise<Outcome<null, "NOT_FOUND" | "BATCH_ENDED">>;

/** What the public API is built on. Services that write come as functions, so that this room builds none of them. */
export type ApiDeps = {
  readonly settings: Settings<Pick<Config, "server" | "api" | "console" | "operators" | "whatsapp">>;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly startThread: StartThread;
  readonly store: Pick<Store, "read" | "write" | "directory" | "tally">;
  readonly services: {
    readonly submitBatch: Submit;
    readonly cancelBatch: CancelBatch;
    readonly quoteBatch: QuoteBatch;
    /** Why an account may submit nothing more today; asked before anything of a submission is read. */
    readonly rejectedTooMany: (accountId: number) => IntakeRefusal | null;
    readonly webhooks: Registration;
    readonly testWebhook: ClientTrials["test"];
    /** What an account's senders may send by WhatsApp, for the account of a row id. */
    readonly listTemplates: (accountId: number) => readonly object[];
  };
  /** Hears which keys are used. */
  readonly keyUses: Pick<KeyUses, "note">;
  /** How well the appliance is: `GET /health`. */
  readonly health: Health;
  /** Whether requests may be sent here: answered by `GET /health/ready`. */
  readonly readiness: Pick<Readiness, "reasons" | "closed">;
};
