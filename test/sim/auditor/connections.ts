/** What the configuration says of the connections to a centre, over time; defaults as config.example.toml gives them. */
import type { History } from "./history.ts";
import { list, member, number, text } from "./json.ts";
import { once } from "./once.ts";
import type { DefaultAlphabet } from "./short-text.ts";

export type Connection = {
  readonly operator: string;
  /** Its place in the operator's list, from 1. */
  readonly place: number;
  readonly centre: string;
  /** The route that it is of; "" of none. */
  readonly route: string;
  /** The word of those that share its pace; "" where it has one of its own. */
  readonly sharedPace: string;
  /** The command that a link of it begins with. */
  readonly bind: string;
  readonly window: number;
  readonly throughput: number;
  readonly responseTimeoutMs: number;
  readonly defaultAlphabet: DefaultAlphabet;
  /** The operator sends receipts. */
  readonly receipts: boolean;
};

const byCentre = once(() => new Map<string, readonly Connection[]>());

/** Every connection to a centre that some configuration of the run had. */
export function connectionsTo(history: History, centre: string): readonly Connection[] {
  const found = byCentre(history).get(centre) ?? readConnections(history, centre);
  byCentre(history).set(centre, found);
  return found;
}

function readConnections({ settings }: History, centre: string): readonly Connection[] {
  return connectionsIn(settings, centre);
}

/** The connections to a centre that some of these configurations have. */
export function connectionsIn(settings: History["settings"], centre: string): readonly Connection[] {
  return settings.flatMap(({ document }) =>
    Object.entries(member(document, "operators") ?? {}).flatMap(([operator, table]) =>
      list(table, "connections").flatMap((connection, index) =>
        namesOf(connection).includes(centre)
          ? [{ ...connectionOf(centre, table, connection), operator, place: index + 1 }]
          : [],
      ),
    ),
  );
}

/** How observations may call the centre of a connection. */
function namesOf(connection: unknown): string[] {
  const host = text(connection, "host") ?? "";
  const port = number(connection, "port") ?? 2775;
  const systemId = text(connection, "system_id") ?? "";
  return [host, host.replace(/\.invalid$/, ""), `${host}:${port}`, `${host}:${port}/${systemId}`, systemId];
}

function connectionOf(
  centre: string,
  table: unknown,
  connection: unknown,
): Omit<Connection, "operator" | "place"> {
  const alphabet = text(connection, "default_alphabet");
  return {
    centre,
    route: text(connection, "route") ?? "",
    sharedPace: text(connection, "shared_pace") ?? "",
    bind: `bind_${text(connection, "bind") ?? "transceiver"}`,
    window: number(connection, "window") ?? 10,
    throughput: number(connection, "throughput") ?? 30,
    responseTimeoutMs: (number(connection, "response_timeout_seconds") ?? 20) * 1000,
    defaultAlphabet: alphabet === "latin1" || alphabet === "ascii" ? alphabet : "gsm",
    receipts: member(table, "receipts") !== false,
  };
}

/** What data_coding 0 may mean to a centre, as its connections were configured in the run. */
export function alphabetsOf(history: History, centre: string): readonly DefaultAlphabet[] {
  const found = new Set(connectionsTo(history, centre).map(({ defaultAlphabet }) => defaultAlphabet));
  return found.size === 0 ? ["gsm"] : [...found];
}

/** What becomes of a submit without an answer: the policies that some configuration of the run had for a class. */
export function unansweredPolicies(history: History, messageClass: string): ReadonlySet<string> {
  const usual = messageClass === "MARKETING" ? "wait" : "resend";
  return new Set(
    history.settings.map(({ document }) => text(document, "delivery", "unanswered", messageClass) ?? usual),
  );
}

/** After so long a message may be closed without its receipt, by the shortest time that was configured. */
export function receiptTimeoutMs(settings: History["settings"]): number {
  const hours = settings.map(({ document }) => number(document, "delivery", "receipt_timeout_hours") ?? 72);
  return Math.min(...hours) * 3_600_000;
}
