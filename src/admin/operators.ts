import { isoUtc } from "../base/clock.ts";
import type { Config, ConnectionConfig, OperatorConfig } from "../config/config.ts";
import { nearest } from "../config/nearest.ts";
import type { ConnectionStatus } from "../smpp/connection.ts";
import type { AdminContext } from "./context.ts";
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
  /** Its place in the operator's list, from 1. */
  readonly connection: number;
  readonly host: string;
  readonly port: number;
  readonly bind: string;
  readonly state: string;
  /** `submit_sm` without an answer, and how many there may be. */
  readonly in_flight: number;
  readonly window: number;
  /** `submit_sm` a second at most. */
  readonly rate: number;
  readonly last_error: string | null;
  readonly bound_at: string | null;
  readonly next_attempt_at: string | null;
};

export type OperatorStatusView = {
  readonly server: "running" | "not running";
  readonly connections: readonly ConnectionView[];
};

/** Every connection: state, window, rate and last error. Without a server none is open. */
export function operatorStatus({ config, server }: AdminContext): AdminOutcome<OperatorStatusView> {
  const live = new Map(server?.operatorStatus().map(({ operator, connections }) => [operator, connections]));
  const connections = Object.entries(config.operators).flatMap(([operator, { connections: configured }]) =>
    configured.map((connection, index) => view(operator, index, connection, live.get(operator)?.[index])),
  );
  return done({ server: server ? "running" : "not running", connections });
}

function view(
  operator: string,
  index: number,
  configured: ConnectionConfig,
  status: ConnectionStatus | undefined,
): ConnectionView {
  return {
    operator,
    connection: index + 1,
    host: configured.host,
    port: configured.port,
    bind: configured.bind,
    state: status?.state ?? "CLOSED",
    in_flight: status?.inFlight ?? 0,
    window: configured.window,
    rate: configured.throughput,
    last_error: status ? status.lastError : "server not running",
    bound_at: isoOrNull(status?.boundAtMs),
    next_attempt_at: isoOrNull(status?.nextAttemptAtMs),
  };
}

function isoOrNull(epochMs: number | null | undefined): string | null {
  return epochMs === null || epochMs === undefined ? null : isoUtc(epochMs);
}
