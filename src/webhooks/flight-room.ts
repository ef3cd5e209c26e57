/** How many attempts are in flight over all endpoints, and whether a lane may begin one more. */
export type FlightRoom = {
  readonly inFlight: () => number;
  /** An attempt of an account began or ended; it counts until it ends, whatever became of its lane. */
  readonly began: (accountId: number) => void;
  readonly ended: (accountId: number) => void;
  /**
   * Whether an account's lane with so many in flight may have one more: as long as it has fewer than what is free, less
   * what its account has. So an account never has more than half, several share alike, and something is always left for
   * one that has none.
   */
  readonly hasRoom: (accountId: number, laneInFlight: number) => boolean;
};

/** Attempts in flight over all endpoints. The runtime sends 256 requests at a time; one more would wait, its time running. */
const MOST_IN_FLIGHT = 240;

export function flightRoom(): FlightRoom {
  const ofAccount = new Map<number, number>();
  let inFlight = 0;
  const count = (accountId: number, change: 1 | -1): void => {
    inFlight += change;
    const itsOwn = (ofAccount.get(accountId) ?? 0) + change;
    if (itsOwn === 0) ofAccount.delete(accountId);
    else ofAccount.set(accountId, itsOwn);
  };
  return {
    inFlight: () => inFlight,
    began: (accountId) => count(accountId, 1),
    ended: (accountId) => count(accountId, -1),
    hasRoom: (accountId, laneInFlight) =>
      laneInFlight < MOST_IN_FLIGHT - inFlight - (ofAccount.get(accountId) ?? 0),
  };
}
