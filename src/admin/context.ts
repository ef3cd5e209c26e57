import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import type { NewId } from "../base/ids.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import type { DispatchFigures } from "../webhooks/dispatcher.ts";

/** One SMPP connection as only a running server can tell. */
export type ConnectionStatus = {
  /** Its place in the operator's list of connections, from 1. */
  readonly connection: number;
  readonly host: string;
  readonly port: number;
  readonly bind: "transceiver" | "transmitter" | "receiver";
  /** How far its session is, in one word. */
  readonly state: string;
  /** `submit_sm` without an answer, and how many there may be. */
  readonly inFlight: number;
  readonly window: number;
  /** `submit_sm` a second: as the SMSC lets us send, and as the configuration does. */
  readonly rate: number;
  readonly throughput: number;
  /** Null while nothing went wrong. */
  readonly lastError: string | null;
};

export type OperatorStatus = {
  /** The operator's code. */
  readonly operator: string;
  readonly connections: readonly ConnectionStatus[];
};

/** What the operations ask of a server that is running in this process. */
export type ServerHandle = {
  readonly operatorStatus: () => readonly OperatorStatus[];
  readonly webhookFigures: () => DispatchFigures;
  /** Called once a change is durable, so that whatever the server remembers is looked up again. Must not throw. */
  readonly changed: () => void;
};

/** What every administrative operation works with: the same for the command line and the console. */
export type AdminContext = {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId: NewId;
  /** Who asks, for the audit list. */
  readonly actor: string;
  /** Null when a command works on the database without a server. */
  readonly server: ServerHandle | null;
};
