/** What a configuration document says, where the auditor needs it; defaults as docs/administration.md gives them. */
import { type Json, list, member, number, text } from "./json.ts";

export type OperatorSettings = {
  readonly code: string;
  readonly prefixes: readonly string[];
  readonly price: number | null;
  readonly receipts: boolean;
  /** Centres by the name that its connections' hosts begin with. */
  readonly centres: readonly string[];
  /** `command_status` to "retry", "fail" or "pause". */
  readonly responses: Readonly<Record<string, string>>;
  readonly routes: readonly RouteSettings[];
};

/** One of several ways to an operator. */
type RouteSettings = {
  readonly name: string;
  readonly classes: readonly string[];
  /** Thousandths of XOF a segment; null: unknown. */
  readonly costMilli: number | null;
  /** Refusals that speak of it, and not of a number. */
  readonly rerouteOn: readonly number[];
  /** After so long without a receipt an OTP goes once more; null: never. */
  readonly secondAfterMs: number | null;
  /** Centres of its connections. */
  readonly centres: readonly string[];
};

/** A number of WhatsApp; `code` is its operator's: "whatsapp:main". */
export type NumberSettings = {
  readonly code: string;
  readonly phone: string;
  readonly token: string;
  /** By class. */
  readonly prices: Readonly<Record<string, number>>;
  readonly throughput: number;
  /** Different users that may be written to in a day; 0: any. */
  readonly usersPerDay: number;
  /** Whether text may be sent by it without a template. */
  readonly mayBeDirect: boolean;
  readonly isEnabled: boolean;
};

export type Settings = {
  readonly document: Readonly<Record<string, unknown>>;
  readonly region: string;
  readonly timezone: string;
  readonly chargeOn: "accepted" | "delivered";
  readonly operators: readonly OperatorSettings[];
  readonly numbers: readonly NumberSettings[];
};

export function readSettings(document: Readonly<Record<string, unknown>>): Settings {
  const operators = Object.entries(member(document, "operators") ?? {}).map(([code, table]) => ({
    code,
    prefixes: list(table, "prefixes").filter((prefix) => typeof prefix === "string"),
    price: number(table, "price"),
    receipts: member(table, "receipts") !== false,
    centres: list(table, "connections").map(centreOf),
    routes: readRoutes(table),
    responses: (member(table, "responses") ?? {}) as Record<string, string>,
  }));
  return {
    document,
    region: text(document, "defaults", "region") ?? "BF",
    timezone: text(document, "defaults", "timezone") ?? "Africa/Ouagadougou",
    chargeOn: text(document, "billing", "charge_on") === "delivered" ? "delivered" : "accepted",
    operators,
    numbers: Object.entries(member(document, "whatsapp", "numbers") ?? {}).map(([code, table]) => ({
      code: `whatsapp:${code}`,
      phone: text(table, "phone_number_id") ?? "",
      token: text(table, "token") ?? "",
      prices: (member(table, "price") ?? {}) as Record<string, number>,
      throughput: number(table, "throughput") ?? 80,
      usersPerDay: number(table, "recipients_per_day") ?? 0,
      mayBeDirect: member(table, "direct_send") === true,
      isEnabled: member(table, "enabled") !== false,
    })),
  };
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"];

function readRoutes(operator: Json): readonly RouteSettings[] {
  return Object.entries(member(operator, "routes") ?? {}).map(([name, table]) => {
    const cost = text(table, "cost");
    const classes = list(table, "classes").filter((one) => typeof one === "string");
    return {
      name,
      classes: classes.length === 0 ? CLASSES : classes,
      costMilli: cost === null ? null : Math.round(Number(cost) * 1000),
      rerouteOn: list(table, "reroute_on").map(Number),
      secondAfterMs: (number(table, "second_after_seconds") ?? 0) * 1000 || null,
      centres: list(operator, "connections").flatMap((connection) =>
        text(connection, "route") === name ? [centreOf(connection)] : [],
      ),
    };
  });
}

function centreOf(connection: Json): string {
  return (text(connection, "host") ?? "").replace(/\.invalid$/, "");
}

/** The routes of an operator's connections to a centre; "" of one without. */
export function connectionRoutesTo({ document }: Settings, code: string, centre: string): readonly string[] {
  const connections = list(document, "operators", code, "connections");
  const there = connections.filter((connection) => centreOf(connection) === centre);
  return [...new Set(there.map((connection) => text(connection, "route") ?? ""))];
}

/** The operator of a number: the longest prefix that fits. */
export function operatorOf({ operators }: Settings, msisdn: string): OperatorSettings | null {
  const digits = msisdn.replace(/^\+/, "");
  let best: { readonly operator: OperatorSettings; readonly length: number } | null = null;
  for (const operator of operators) {
    for (const prefix of operator.prefixes) {
      if (digits.startsWith(prefix) && prefix.length > (best?.length ?? 0))
        best = { operator, length: prefix.length };
    }
  }
  return best?.operator ?? null;
}
