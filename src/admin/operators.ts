import { nearest } from "../base/nearest.ts";
import type { Config, OperatorConfig } from "../config/config.ts";
import type { AdminContext, OperatorStatus } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** The operator that a code names in the configuration. */
export function checkOperator(config: Config, code: string): AdminOutcome<OperatorConfig> {
  const operator = Object.hasOwn(config.operators, code) ? config.operators[code] : undefined;
  if (operator) return done(operator);
  const codes = Object.keys(config.operators);
  const meant = nearest(code, codes);
  const hint = meant === null ? `known: ${codes.join(", ")}` : `did you mean ${meant}?`;
  return refuse("OPERATOR_UNKNOWN", `the configuration has no operator ${JSON.stringify(code)}; ${hint}`);
}

/** One SMPP connection. Without a server only what the configuration says of it is known. */
export type ConnectionView = {
  readonly operator: string;
  readonly connection: number;
  readonly host: string;
  readonly port: number;
  readonly bind: string;
  readonly state: string;
  readonly in_flight: number;
  readonly window: number;
  readonly rate: number;
  readonly throughput: number;
  readonly last_error: string | null;
};

export type OperatorStatusView = {
  readonly server: "running" | "not running";
  readonly connections: readonly ConnectionView[];
};

/** Every connection: state, window, rate and last error. Without a server none is open. */
export function operatorStatus({ config, server }: AdminContext): AdminOutcome<OperatorStatusView> {
  const operators = server?.operatorStatus() ?? closedOperators(config);
  return done({
    server: server ? "running" : "not running",
    connections: operators.flatMap(({ operator, connections }) =>
      connections.map(({ inFlight, lastError, connection, host, port, bind, state, ...figures }) => ({
        operator,
        connection,
        host,
        port,
        bind,
        state,
        in_flight: inFlight,
        window: figures.window,
        rate: figures.rate,
        throughput: figures.throughput,
        last_error: lastError,
      })),
    ),
  });
}

function closedOperators(config: Config): OperatorStatus[] {
  return Object.entries(config.operators).map(([operator, { connections }]) => ({
    operator,
    connections: connections.map(({ host, port, bind, window, throughput }, index) => ({
      connection: index + 1,
      host,
      port,
      bind,
      state: "CLOSED",
      inFlight: 0,
      window,
      rate: 0,
      throughput,
      lastError: "server not running",
    })),
  }));
}
