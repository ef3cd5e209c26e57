/**
 * One service for each administrative operation, whoever asks: the command line today, a console later.
 *
 * An operation takes an `AdminContext` and texts, and answers with a value or a refusal. What changes something goes through
 * `change.ts`, which writes the audit entry in the same transaction and tells the running server what it concerns.
 * Nothing here parses words, prints or speaks HTTP.
 */
import type { OperatorStatus, SmppWorkers } from "../../channels/sms/smpp-workers.ts";
import type { NumberStatus } from "../../channels/whatsapp/number-worker.ts";
import type { NumberTestMessages } from "../../channels/whatsapp/test-messages.ts";
import type { ConfigChange, Whole } from "../../config/changes.ts";
import type { Config } from "../../config/config.ts";
import type { ConfigFile, LoadedConfig } from "../../config/load-config.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import type { Health } from "../../core/health.ts";
import type { NewId } from "../../core/ids.ts";
import type { Invocation } from "../../core/invocation.ts";
import type { StartThread } from "../../core/thread.ts";
import type { Store } from "../../db/store.ts";
import type { RecoverClaim } from "../../dispatch/worker.ts";
import type { KeyUses } from "../../domain/accounts/api-keys.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { DispatchFigures } from "../../webhooks/dispatcher.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { AdminOutcome } from "./refusal.ts";
import type { Submissions } from "./submissions.ts";

/** What a change has to do with what the server is doing at this moment. Of most it has to know nothing. */
export type ChangeNotice =
  /** Whether messages of an account may leave, and when. */
  | { readonly kind: "account"; readonly accountId: number }
  /** A batch that was called off. */
  | { readonly kind: "batch"; readonly accountId: number; readonly batchId: number }
  /** Which operators messages wait for. */
  | { readonly kind: "queue" }
  /** What a restore held back was decided about. */
  | { readonly kind: "restored" }
  /** Operators and connections that nothing may leave by. */
  | { readonly kind: "pauses" }
  /** What endpoints are told, and how. */
  | { readonly kind: "webhooks" };

/** The configuration of a running server. */
export type ServerConfiguration = {
  /** For whoever types commands for the server; absent where it was started without a file. */
  readonly started?: Invocation;
  /** Reads its file anew; with `more`, as if that stood at its end, and of variables that are not set it only tells. */
  readonly read: (more?: string) => Promise<LoadedConfig>;
  readonly inForce: () => Whole;
  /** Puts in force what can be without a restart. Called in the turn in which what is noted of it is durable. Must not throw. */
  readonly put: (file: ConfigFile) => void;
  /** Runs `work` while no other is run by this. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Writes into the log what a reload came to. */
  readonly tell: (outcome: AdminOutcome<ConfigReloadView>) => void;
};

/** What a channel for alarms made of a test. */
export type TestNotification = {
  readonly channel: "webhook" | "email" | "sms";
  /** Its address; "" of one that has a single one. */
  readonly recipient: string;
  readonly delivered: boolean;
  /** That it took it, or why not. */
  readonly outcome: Phrase;
};

/** What the operations ask of a server that is running in this process. */
export type ServerHandle = {
  /** Base address of the API, as it listens, without a path. */
  readonly url?: string;
  readonly operatorStatus: () => readonly OperatorStatus[];
  /** The numbers of WhatsApp, in the order of the configuration. */
  readonly numberStatus: () => readonly NumberStatus[];
  readonly webhookFigures: () => DispatchFigures;
  /** Called once a change is durable that the running server has to do with. Must not throw. */
  readonly changed: (concern: ChangeNotice) => void;
  readonly configuration: ServerConfiguration;
  /** Has the connection of a name, or all of an operator, bind anew. Must not throw. */
  readonly reconnect: (operator: string, connection: string | null) => void;
  /** Test texts over an operator; null where it has no line. */
  readonly trials: SmppWorkers["trials"];
  /** The same by a number of WhatsApp. */
  readonly numberTests: (operator: string) => NumberTestMessages | null;
  /** Why submissions are not taken, oldest first; nothing where they are. */
  readonly notReady: () => readonly Phrase[];
  /** Tells every channel for alarms a test. */
  readonly testAlarms: () => Promise<readonly TestNotification[]>;
  /** Reads the templates of WhatsApp's numbers from Meta. Does not reject for what Meta does. */
  readonly syncTemplates: () => Promise<unknown>;
  /** Believes what the wall clock says. Must not throw. */
  readonly acceptClock: () => void;
  /** What `GET /health` tells, and since when the server runs, epoch milliseconds; absent where nobody looks. */
  readonly standing?: { readonly startedAtMs: number; readonly health: Health };
  /** What takes long and is left alone meanwhile; absent where nothing is. */
  readonly works?: BackgroundWork;
};

/** What every administrative operation works with: the same for the command line and the console. */
export type AdminContext = {
  readonly store: Store;
  readonly config: Config;
  /** What is known of its file; absent where it was never read from one. */
  readonly file?: Pick<Whole, "pems" | "given">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId: NewId;
  /** Who asks, for the audit list. */
  readonly actor: string;
  /** Where a request of the console came from; absent of a command. */
  readonly from?: { readonly address: string; readonly requestId: string };
  /** Null when a command works on the database without a server. */
  readonly server: ServerHandle | null;
  /** What operations take of the machine. */
  readonly machine: {
    readonly https: HttpsNetwork;
    readonly startThread: StartThread;
    readonly spaceOf: (directory: string) => { readonly freeBytes: number; readonly totalBytes?: number };
  };
  /** What is known of the uses of keys beyond what is written down; absent without a server. */
  readonly keyUses?: Pick<KeyUses, "usedAtMs">;
  /** How a message goes on of which nobody knows whether it left, as its channel says; absent where nothing is decided about any. */
  readonly recoverClaim?: RecoverClaim;
  /** How batches are quoted and taken; absent where nobody sends. */
  readonly submissions?: Submissions;
  /** Aborted when the operation is cut off because the server stops: what it waits for elsewhere ends then. */
  readonly breakOff?: AbortSignal;
};

/** A change of the configuration with what it does. */
export type ConfigChangeView = ConfigChange & {
  /** Messages that wait for the operator, where it goes. */
  readonly waiting: number;
  /** Of a table that is added: the keys in it that the file leaves out, as `connections[0].window`. */
  readonly defaults: readonly string[];
  /** What it does, and to whom. */
  readonly consequence: Phrase;
};

/** What a reload came to. */
export type ConfigReloadView = {
  readonly file: string;
  /** What is in force from now on. */
  readonly changes: readonly ConfigChangeView[];
  /** What waits for a restart. */
  readonly restart: readonly ConfigChangeView[];
};
