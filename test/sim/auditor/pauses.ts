/** When administrators held operators still, or a route or a connection of theirs (docs/administration.md#paused-operators). */
import type { Commanded } from "./exchanges.ts";
import type { History } from "./history.ts";
import { commandsNamed, once } from "./once.ts";

export type Stretch = { readonly fromMs: number; readonly toMs: number };

export type Pausing = {
  /** The id of its command. */
  readonly command: number;
  readonly operator: string;
  /** Its route; null: all of the operator, or a connection. */
  readonly route: string | null;
  /** The connection's place in the operator's list at that moment, from 1; null: all of the operator, or of the route. */
  readonly place: number | null;
  /** It may have held no longer than this. */
  readonly possible: Stretch;
  /** It surely held as long as this; null where it may never have been done. */
  readonly sure: Stretch | null;
};

/** All pauses that may have been, in the order they were asked for. */
export const pausesOf = once((history): readonly Pausing[] =>
  commandsNamed(history, "operator pause").flatMap((command) =>
    command.wasDone === "no" ? [] : [pausing(history, command)],
  ),
);

function pausing(history: History, command: Commanded): Pausing {
  const { id, args, askedAtMs, endedAtMs, wasDone } = command;
  const [operator = "", route = null] = (args.CODE ?? "").split("/");
  const resumes = commandsNamed(history, "operator resume").filter(
    (each) =>
      each.wasDone !== "no" &&
      (each.args.CODE === args.CODE || each.args.CODE === operator) &&
      (each.endedAtMs ?? Infinity) > askedAtMs,
  );
  const ending = resumes.find((each) => each.askedAtMs >= (endedAtMs ?? Infinity) && isEnd(each, args));
  const place = args.CONNECTION === undefined ? null : Number(args.CONNECTION);
  const firstAskedMs = Math.min(Infinity, ...resumes.map((each) => each.askedAtMs));
  return {
    command: id,
    operator,
    route,
    place,
    possible: { fromMs: askedAtMs, toMs: ending?.endedAtMs ?? Infinity },
    sure: wasDone === "yes" && endedAtMs !== null ? { fromMs: endedAtMs, toMs: firstAskedMs } : null,
  };
}

/** Whether a resume surely ended a pause: it was done, and of all that was paused. */
function isEnd({ wasDone, args }: Commanded, paused: Commanded["args"]): boolean {
  return wasDone === "yes" && (args.CONNECTION === undefined || args.CONNECTION === paused.CONNECTION);
}

/** What is left of a stretch of time beside others. */
export function without(stretch: Stretch, others: readonly Stretch[]): readonly Stretch[] {
  return others.reduce<readonly Stretch[]>(
    (left, other) =>
      left.flatMap((one) => [
        ...(one.fromMs < other.fromMs ? [{ ...one, toMs: Math.min(one.toMs, other.fromMs) }] : []),
        ...(one.toMs > other.toMs ? [{ ...one, fromMs: Math.max(one.fromMs, other.toMs) }] : []),
      ]),
    [stretch],
  );
}
