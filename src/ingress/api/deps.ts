/** What the routes of the public API are given by the composition (app/app.ts). */
import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Health, Readiness } from "../../core/health.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log } from "../../core/log.ts";
import type { Outcome } from "../../core/refusals.ts";
import type { StartThread } from "../../core/thread.ts";
import type { Store } from "../../db/store.ts";
import type { KeyUses } from "../../domain/accounts/api-keys.ts";
import type { QuoteBatch } from "../../domain/submission/quote.ts";
import type { IntakeRefusal } from "../../domain/submission/request.ts";
import type { Submit } from "../../domain/submission/submit.ts";
import type { Registration, Requester } from "../../webhooks/registration.ts";
import type { ClientTestEvents } from "../../webhooks/test-events.ts";

/** Cancels a batch of the requester's account, with a reason for the audit list or null. */
type CancelBatch = (
  by: Requester,
  batchId: string,
  reason: string | null,
) => Promise<Outcome<null, "NOT_FOUND" | "BATCH_ENDED">>;

/** What the public API is built on. Services that write come as functions, so that this room builds none of them. */
export type ApiDeps = {
  readonly settings: Settings<
    Pick<Config, "server" | "api" | "console" | "operators" | "policy" | "whatsapp" | "seller">
  >;
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
    readonly testWebhook: ClientTestEvents["test"];
    /** What an account's senders may send by WhatsApp, for the account of a row id. */
    readonly listTemplates: (accountId: number) => readonly object[];
  };
  /** Notes which keys are used. */
  readonly keyUses: Pick<KeyUses, "note">;
  /** How well the appliance is: `GET /health`. */
  readonly health: Health;
  /** Whether requests may be sent here: answered by `GET /health/ready`. */
  readonly readiness: Pick<Readiness, "reasons" | "closed">;
};
