import { STATUS } from "../smpp/status.ts";
import type { Quirks } from "./quirks.ts";

/** A system_id that may bind. A null password lets any in. */
export type User = { readonly systemId: string; readonly password: string | null };

/** Decides who may bind, and keeps count of who has. */
export type BindRegistry = {
  /** ROK, and the bind counts until `left`; or why this user may not bind. */
  readonly admit: (systemId: string, password: string) => number;
  readonly left: (systemId: string) => void;
};

type BindHabits = Pick<Quirks, "refuseBinds" | "refuseBindStatus" | "maxBinds">;

/** `refused` is called for each bind that was refused because the quirks say so. No users: anybody may bind. */
export function createBindRegistry(users: readonly User[], habits: () => BindHabits, refused: () => void): BindRegistry {
  const bound = new Map<string, number>();

  const verdict = (systemId: string, password: string): number => {
    const { refuseBinds, refuseBindStatus, maxBinds } = habits();
    if (refuseBinds > 0) {
      refused();
      return refuseBindStatus;
    }
    const user = users.find((known) => known.systemId === systemId);
    if (users.length > 0 && !user) return STATUS.RINVSYSID;
    if (user && user.password !== null && user.password !== password) return STATUS.RINVPASWD;
    return maxBinds > 0 && (bound.get(systemId) ?? 0) >= maxBinds ? STATUS.RALYBND : STATUS.ROK;
  };

  return {
    admit: (systemId, password) => {
      const status = verdict(systemId, password);
      if (status === STATUS.ROK) bound.set(systemId, (bound.get(systemId) ?? 0) + 1);
      return status;
    },
    left: (systemId) => {
      bound.set(systemId, (bound.get(systemId) ?? 1) - 1);
    },
  };
}
