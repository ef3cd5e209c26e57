import { type HealthCheck, well } from "../../core/health.ts";
import type { WorkerStatus } from "../../dispatch/delivery.ts";
import type { SessionHealth } from "../../dispatch/line.ts";
import type { OrphanCount } from "../../dispatch/strays.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** Operators that one detail names. */
const MAX_NAMED = 5;

/**
 * Whether every operator can be reached, by every connection that the configuration gives it, and whether messages wait for
 * one that the configuration has not.
 */
export function operatorsCheck(
  status: () => readonly WorkerStatus[],
  elsewhere: () => readonly OrphanCount[] = () => [],
): HealthCheck {
  return {
    name: "operators",
    look: () => {
      const operators = status();
      const links = operators.flatMap(({ connections }) => connections);
      const bound = links.filter(isBound).length;
      const faults = [...operators.flatMap(pauseOf), ...operators.flatMap(faultOf)];
      const counts = phrase("health.operators", {
        bound,
        connections: links.length,
        operators: operators.length,
      });
      const left = elsewhere().map(({ operator, messages }) =>
        phrase("health.operators.left", {
          count: messages,
          unconfigured: operator,
        }),
      );
      if (operators.length === 0 && left.length === 0) {
        return {
          status: "degraded",
          detail: phrase("health.operators.none"),
          action: phrase("health.operators.none.action"),
        };
      }
      const parts = [...left, ...faults.map(({ told }) => told)];
      if (parts.length === 0) return well(counts);
      const more = parts.length - MAX_NAMED;
      const rest = more > 0 ? [phrase("health.operators.more", { count: more })] : [];
      return {
        status: "degraded",
        detail: phrase("health.operators.with", {
          counts,
          parts: [...parts.slice(0, MAX_NAMED), ...rest],
        }),
        action:
          left.length === 0 ? phrase("health.operators.action") : phrase("health.operators.left.action"),
        ...(faults.length === 0 ? {} : { sinceMs: Math.min(...faults.map(({ sinceMs }) => sinceMs)) }),
      };
    },
  };
}

/** What an administrator paused: it is not forgotten, because it stays so over restarts. */
function pauseOf({ operator, connections }: WorkerStatus) {
  const paused = connections.flatMap(({ paused: pause }) => (pause ? [pause] : []));
  const [first] = paused;
  if (!first) return [];
  const sinceMs = Math.min(...paused.map(({ atMs }) => atMs));
  const pause = { operator, since: sinceMs, reason: first.reason };
  const told =
    paused.length === connections.length
      ? phrase("health.operators.paused", pause)
      : phrase("health.operators.paused_in_part", {
          ...pause,
          paused: paused.length,
          connections: connections.length,
        });
  return [{ sinceMs, told }];
}

function faultOf({ operator, connections }: WorkerStatus) {
  const down = connections.filter((link) => !isBound(link));
  const sinceMs = Math.min(...down.map((link) => link.downSinceMs ?? Number.POSITIVE_INFINITY));
  const last = down.find(({ lastError }) => lastError !== null)?.lastError;
  if (down.length === 0 || !Number.isFinite(sinceMs)) return [];
  return [
    {
      sinceMs,
      told: outage(operator, { since: sinceMs, down: down.length, connections: connections.length }, last),
    },
  ];
}

type Outage = { readonly since: number; readonly down: number; readonly connections: number };

function outage(operator: string, of: Outage, why: Phrase | null | undefined): Phrase {
  const { since } = of;
  const isWhole = of.down === of.connections;
  if (!why) {
    return isWhole
      ? phrase("health.operators.away", { operator, since })
      : phrase("health.operators.away_in_part", { operator, ...of });
  }
  return isWhole
    ? phrase("health.operators.away_because", { operator, since, why })
    : phrase("health.operators.away_in_part_because", { operator, ...of, why });
}

function isBound({ state }: SessionHealth): boolean {
  return state === "BOUND";
}
