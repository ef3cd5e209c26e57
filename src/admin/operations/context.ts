/**
 * What every administrative operation works with, whether the command line or the console asks.
 *
 * An operation (`operation.ts`) takes an `AdminContext` and parameters, and answers with a value or a refusal. Changes go through
 * `change.ts`, which writes the audit entry in the same transaction and notifies the running server with a `ChangeNotice`.
 * Nothing here parses words, prints or speaks HTTP.
 */
import type { OperatorRouteStatus, OperatorStatus, SmppWorkers } from "../../channels/sms/smpp-worker.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-worker.ts";
import type { NumberTestMessages } from "../../channels/whatsapp/test-messages.ts";
import type { ConfigChange, Whole } from "../../config/changes.ts";
import type { Config } from "../../config/config.ts";
import type { ConfigFile, LoadedConfig, Proposal } from "../../config/load-config.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import type { Health } from "../../core/health.ts";
import type { NewId } from "../../core/ids.ts";
import type { Invocation } from "../../core/invocation.ts";
import type { StartThread } from "../../core/thread.ts";
import type { Store } from "../../db/store.ts";
import type { RecoverClaim } from "../../dispatch/leases.ts";
import type { KeyUses } from "../../domain/accounts/api-keys.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { SendMail } from "../../ops/mail/mail.ts";
import type { DispatchFigures } from "../../webhooks/dispatcher.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { AdminOutcome } from "./refusal.ts";
import type { Submissions } from "./submissions.ts";

/** What a running server must react to after a change; most changes need no notice. */
export type ChangeNotice =
  /** Changes whether and when messages of an account may leave. */
  | { readonly kind: "account"; readonly accountId: number }
  /** A batch was cancelled. */
  | { readonly kind: "batch"; readonly accountId: number; readonly batchId: number }
  /** Changes which operators messages wait for. */
  | { readonly kind: "queue" }
  /** Messages that a restore held back were decided about. */
  | { readonly kind: "restored" }
  /** Changes which operators and connections are paused. */
  | { readonly kind: "pauses" }
  /** Changes what endpoints receive, and how. */
  | { readonly kind: "webhooks" }
  /** Changes whether and how an SMPP user may bind: its sessions that are no longer allowed end, or all of them. */
  | { readonly kind: "smpp_user"; readonly userId: number; readonly ends: "not allowed" | "all" };

/** The configuration of a running server. */
export type ServerConfiguration = {
  /** How the server was started, for suggested commands; absent without a configuration file. */
  readonly started?: Invocation;
  /** Reads the files again, as if what is proposed stood in them; beside a proposed text unset variables are only reported. */
  readonly read: (proposal?: Proposal) => Promise<LoadedConfig>;
  readonly inForce: () => Whole;
  /** Applies what needs no restart; called in the turn in which the record of it is durable. Must not throw. */
  readonly put: (file: ConfigFile) => void;
  /** Runs `work` under a mutex. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Logs the result of a reload. */
  readonly tell: (outcome: AdminOutcome<ConfigReloadView>) => void;
};

/** The result of a test notification over one alert channel. */
export type TestNotification = {
  readonly channel: "webhook" | "email" | "sms";
  /** The address; "" for a channel with a single one. */
  readonly recipient: string;
  readonly delivered: boolean;
  /** That it was taken, or why not. */
  readonly outcome: Phrase;
};

/** A bound session of an SMPP user. */
type SmppSessionStatus = {
  readonly session: string;
  readonly peer: string;
  readonly bind: "transmitter" | "receiver" | "transceiver";
  /** As the client named it: "3.4". */
  readonly version: string;
  readonly tls: boolean;
  readonly sinceMs: number;
  /** Submits that were read and are not answered yet. */
  readonly windowUsed: number;
  /** Submits of the last second. */
  readonly rate: number;
};

/** A submit or bind that was refused, with its true reason. */
type SmppRefusalStatus = {
  readonly atMs: number;
  readonly commandStatus: number;
  readonly reason: string;
  /** What more there is to say, in English; "" for nothing. */
  readonly detail: string;
};

/** How an SMPP user stands. */
export type SmppUserStatus = {
  readonly sessions: readonly SmppSessionStatus[];
  readonly receipts: {
    readonly waiting: number;
    /** Since when the oldest waits; null: none does. */
    readonly oldestAtMs: number | null;
    readonly givenUp: number;
  };
  readonly partsWaiting: number;
  /** The last ones, newest first; in memory. */
  readonly refusals: readonly SmppRefusalStatus[];
};

/** The door for customers' SMPP. */
type SmppDoor = {
  readonly userStatus: (userId: number) => SmppUserStatus;
  /** Unbinds a session of a user, or with null all of them; how many. */
  readonly kick: (userId: number, session: string | null) => number;
};

/** What operations ask of a server running in this process. */
export type ServerHandle = {
  /** Base address of the API, as it listens, without a path. */
  readonly url?: string;
  readonly operatorStatus: () => readonly OperatorStatus[];
  /** The routes of the operators that have some. */
  readonly routeStatus: () => readonly OperatorRouteStatus[];
  /** WhatsApp numbers in configuration order. */
  readonly numberStatus: () => readonly NumberStatus[];
  readonly webhookFigures: () => DispatchFigures;
  /** Called once a change that the running server must react to is durable. Must not throw. */
  readonly changed: (concern: ChangeNotice) => void;
  readonly configuration: ServerConfiguration;
  /** Rebinds some of an operator's connections, by their names. Must not throw. */
  readonly reconnect: (operator: string, connections: readonly string[]) => void;
  /** Test messages over an operator; null where it has no worker. */
  readonly testSender: SmppWorkers["testSender"];
  /** Test messages over a WhatsApp number. */
  readonly numberTests: (operator: string) => NumberTestMessages | null;
  /** Why submissions are not accepted, oldest first; empty where they are. */
  readonly notReady: () => readonly Phrase[];
  /** Sends a test notification over every alert channel. */
  readonly testAlerts: () => Promise<readonly TestNotification[]>;
  /** Reads the templates of the WhatsApp numbers from Meta. Does not reject for failures at Meta. */
  readonly syncTemplates: () => Promise<unknown>;
  /** Trusts the wall clock again. Must not throw. */
  readonly acceptClock: () => void;
  /** Absent while it is closed. */
  readonly smpp?: SmppDoor;
  /** What `GET /health` answers, and when the server started, epoch milliseconds; absent without health checks. */
  readonly standing?: { readonly startedAtMs: number; readonly health: Health };
  /** Long work that runs in the background; absent where there is none. */
  readonly works?: BackgroundWork;
};

/** The context of every administrative operation, the same for the command line and the console. */
export type AdminContext = {
  readonly store: Store;
  readonly config: Config;
  /** What is known of the configuration's file; absent where there was none. */
  readonly file?: Pick<Whole, "pems" | "given" | "ofConsole">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId: NewId;
  /** Who asks, for the audit log. */
  readonly actor: string;
  /** Where a console request came from; absent for a command. */
  readonly from?: { readonly address: string; readonly requestId: string };
  /** Null when a command works on the database without a server. */
  readonly server: ServerHandle | null;
  /** What operations use of the platform. */
  readonly machine: {
    readonly https: HttpsNetwork;
    readonly startThread: StartThread;
    readonly sendMail: SendMail;
    readonly spaceOf: (directory: string) => { readonly freeBytes: number; readonly totalBytes?: number };
  };
  /** Key uses not yet written to the database; absent without a server. */
  readonly keyUses?: Pick<KeyUses, "usedAtMs">;
  /** The channel's rule for a claimed message whose outcome is unknown; absent where no such decision is made. */
  readonly recoverClaim?: RecoverClaim;
  /** Quotes and accepts batches; absent where nothing can be sent. */
  readonly submissions?: Submissions;
  /** Aborted when a stopping server cuts the operation off: what it waits for elsewhere ends then. */
  readonly breakOff?: AbortSignal;
};

/** A configuration change with its consequence. */
export type ConfigChangeView = ConfigChange & {
  /** Messages waiting for the operator, where it is removed. */
  readonly waiting: number;
  /** For an added table, the keys that the file leaves out, as `connections[0].window`. */
  readonly defaults: readonly string[];
  /** What the change does, and to whom. */
  readonly consequence: Phrase;
};

/** The result of a reload. */
export type ConfigReloadView = {
  readonly file: string;
  /** Changes in force from now on. */
  readonly changes: readonly ConfigChangeView[];
  /** Changes that wait for a restart. */
  readonly restart: readonly ConfigChangeView[];
};
