import { isoUtc } from "../../base/clock.ts";
import { type HealthCheck, well } from "../../base/health.ts";
import type { LineStatus } from "../../outbound/delivery.ts";
import type { LinkHealth } from "../../outbound/line.ts";
import type { WaitingElsewhere } from "../../outbound/strays.ts";

/** Operators that one detail names. */
const MOST_NAMED = 5;

/**
 * Whether every operator can be reached, by every connection that the configuration gives it, and whether messages wait for
 * one that the configuration has not.
 */
export function operatorsCheck(
  status: () => readonly LineStatus[],
  elsewhere: () => readonly WaitingElsewhere[] = () => [],
): HealthCheck {
  return {
    name: "operators",
    look: () => {
      const operators = status();
      const links = operators.flatMap(({ connections }) => connections);
      const bound = links.filter(isBound).length;
      const faults = [...operators.flatMap(pauseOf), ...operators.flatMap(faultOf)];
      const counts = `${bound} of ${links.length} connections to ${operators.length} operators bound`;
      const left = elsewhere().map(({ operator, messages }) =>
        messages === 1
          ? `1 message waits for ${operator}, which is not configured`
          : `${messages} messages wait for ${operator}, which is not configured`,
      );
      if (operators.length === 0 && left.length === 0) {
        return {
          status: "degraded",
          detail: "no operator is connected: every number is answered UNROUTABLE_PREFIX",
          action: 'put a table [operators.CODE] into the configuration, then "config reload"',
        };
      }
      const words = [...left, ...faults.map((fault) => fault.words)];
      if (words.length === 0) return well(counts);
      const rest = words.length > MOST_NAMED ? [`and ${words.length - MOST_NAMED} more`] : [];
      return {
        status: "degraded",
        detail: [counts, ...words.slice(0, MOST_NAMED), ...rest].join("; "),
        action:
          left.length === 0
            ? '"operator status" tells the last error of each connection; "operator resume" ends a pause'
            : 'configure the operator again, or say "operator rename" or "operator retire"',
        ...(faults.length === 0 ? {} : { sinceMs: Math.min(...faults.map(({ sinceMs }) => sinceMs)) }),
      };
    },
  };
}

/** What an administrator paused: it is not forgotten, because it stays so over restarts. */
function pauseOf({ operator, connections }: LineStatus) {
  const paused = connections.flatMap(({ paused: pause }) => (pause ? [pause] : []));
  const [first] = paused;
  if (!first) return [];
  const sinceMs = Math.min(...paused.map(({ atMs }) => atMs));
  const since = isoUtc(sinceMs);
  const words =
    paused.length === connections.length
      ? `${operator} is paused since ${since} (${first.reason})`
      : `${operator} has ${paused.length} of ${connections.length} connections paused since ${since} (${first.reason})`;
  return [{ sinceMs, words }];
}

function faultOf({ operator, connections }: LineStatus) {
  const down = connections.filter((link) => !isBound(link));
  const sinceMs = Math.min(...down.map((link) => link.downSinceMs ?? Number.POSITIVE_INFINITY));
  const last = down.find(({ lastError }) => lastError !== null)?.lastError;
  if (down.length === 0 || !Number.isFinite(sinceMs)) return [];
  const since = isoUtc(sinceMs);
  const how =
    down.length === connections.length
      ? `${operator} is away since ${since}`
      : `${operator} has ${down.length} of ${connections.length} connections down since ${since}`;
  return [{ sinceMs, words: last ? `${how} (${last})` : how }];
}

function isBound({ state }: LinkHealth): boolean {
  return state === "BOUND";
}
