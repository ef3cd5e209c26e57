/** Operators that are paused as a whole: nothing leaves by them until somebody resumes them. */
import { isoUtc } from "../base/clock.ts";
import { operatorNames } from "../config/operator-codes.ts";
import type { AdminContext } from "../operations/context.ts";

export type OperatorPause = { readonly reason: string; readonly by: string | null; readonly since: string };

/** The pause of all of an operator. */
export function pauseOf({ server }: Pick<AdminContext, "server">, operator: string): OperatorPause | null {
  const links = server?.operatorStatus().find((one) => one.operator === operator)?.connections ?? [];
  const pause = links.find(({ paused }) => paused?.connection === null)?.paused;
  if (pause) return { reason: pause.reason, by: pause.actor, since: isoUtc(pause.atMs) };
  const number = server?.numberStatus().find((one) => one.operator === operator)?.paused;
  return number ? { reason: number.reason, by: null, since: isoUtc(number.atMs) } : null;
}

/** A pause as clients are told of it: who it was and why is the appliance's own people's. */
export type PauseTold = { readonly operator: string; readonly name: string; readonly since: string };

/** The operators of SMS that are paused now. */
export function pausesTold(context: Pick<AdminContext, "server" | "config">): readonly PauseTold[] {
  return Object.entries(operatorNames(context.config)).flatMap(([operator, name]) => {
    const pause = pauseOf(context, operator);
    return pause === null ? [] : [{ operator, name, since: pause.since }];
  });
}
