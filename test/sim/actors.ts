/**
 * How the actors of a run (clients, administrators, operators, receivers) touch what is between them and the appliance. The
 * simulation and the real processes of `bun scripts/torture.ts` bring their own, so an actor is written once.
 */
import type { Chance } from "../../src/core/chance.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { Observe } from "./observation.ts";

/** What every actor lives in. Its clock is true time; nothing of the machine is touched but through these. */
export type ActorEdges = { readonly clock: Clock; readonly chance: Chance; readonly observe: Observe };

/** How a request fares on its way. */
export type RequestFate =
  | "well"
  /** It never arrives. */
  | "lost"
  /** It arrives, and the answer does not. */
  | "answer lost"
  /** Its body ends in the middle, with the connection. */
  | "cut"
  /** Its body comes in drips. */
  | "slow";

export type HttpRequest = {
  /** The account's name for the observations. */
  readonly client: string;
  readonly method: "GET" | "POST";
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly fate?: RequestFate;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Asks the appliance; null when no answer came, whatever the reason. Never rejects. Writes down both. */
export type Ask = (request: HttpRequest) => Promise<HttpAnswer | null>;

export type CommandOutcome =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly code: string; readonly detail: string };

/** Gives an administrative command; null when it was broken off or nobody was there. Never rejects. Writes down both. */
export type Command = (
  name: string,
  args: Readonly<Record<string, string>>,
) => Promise<CommandOutcome | null>;

/** The end of a connection that a centre has, or a customer's client. */
export type Wire = {
  readonly write: (octets: Uint8Array) => void;
  readonly close: (how: "fin" | "rst") => void;
  /** Reads no more from the system, so that its buffers fill up; or goes on. A network that stalls by itself has none. */
  readonly read?: (isWanted: boolean) => void;
};

/** What is heard of a connection there. */
export type WireEvents = { readonly data: (octets: Uint8Array) => void; readonly closed: () => void };

/** A centre takes a connection. */
export type Accept = (link: number, wire: Wire) => WireEvents;

/**
 * Connects an SMPP client of a system_id to the appliance: `opened` takes the connection, `failed` hears that there is none. Writes down
 * what goes over it.
 */
export type ConnectSmpp = (
  user: string,
  told: { readonly opened: (wire: Wire) => WireEvents; readonly failed: () => void },
) => void;

export type EventRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What a receiver does with an event. */
export type EventAnswer =
  | { readonly kind: "status"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** The connection ends without an answer, or in the middle of one. */
  | { readonly kind: "broken" }
  /** Nothing is ever answered. */
  | { readonly kind: "silent" };

/** A receiver takes an event; it takes its time. Writes down what it saw and what it answered. */
export type Receive = (request: EventRequest) => Promise<EventAnswer>;

/** What the Cloud API is asked. */
export type CloudRequest = {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What it answers; null: nothing, ever. */
export type CloudAnswer =
  | { readonly kind: "status"; readonly status: number; readonly body: string; readonly heard?: () => void }
  | { readonly kind: "broken" };

export type AskCloud = (request: CloudRequest) => Promise<CloudAnswer | null>;

/** Calls the appliance's webhook: the status of its answer, or null. Never rejects. */
export type CallWebhook = (body: string, headers: Readonly<Record<string, string>>) => Promise<number | null>;
