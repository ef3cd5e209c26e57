import type { AdminContext } from "../../../admin/operations/context.ts";
import { isoUtc } from "../../../core/clock.ts";
import type { NameResolver } from "../named.ts";

/** A pause of all of an operator or of a number of WhatsApp. */
export type TotalPause = {
  readonly name: string;
  readonly since: string;
  /** Null where it is not known who it was. */
  readonly by: string | null;
  readonly reason: string;
};

/** Who paused what, when and why, where nothing at all may leave because of it; else nothing. */
export function listTotalPauses(server: AdminContext["server"], naming: NameResolver): readonly TotalPause[] {
  if (server === null) return [];
  const lines = [
    ...server.operatorStatus().map(({ operator, connections }) => ({
      operator,
      pauses: connections.map(({ paused }) => paused),
    })),
    ...server.numberStatus().map(({ operator, paused }) => ({
      operator,
      pauses: [paused && { ...paused, actor: null }],
    })),
  ];
  const paused = lines.map(({ operator, pauses }) => {
    const [first] = pauses.filter((pause) => pause !== null && pause !== undefined);
    return first && pauses.every(Boolean) ? { name: naming.operator(operator), ...first } : null;
  });
  const all = paused.filter((one) => one !== null && one !== undefined);
  if (all.length < lines.length) return [];
  return all.map(({ name, atMs, actor, reason }) => ({ name, reason, by: actor, since: isoUtc(atMs) }));
}
