/** Counts wrong passwords by name and by where they come from, for doors whose names and passwords are drawn here. */
import { toCustomerNetwork } from "../../core/ip-networks.ts";
import { slidingWindow } from "../../core/sliding-window.ts";

/** The most wrong tries of a name from an address within any minute (docs/behaviour.md#users-of-these-doors). */
const MAX_WRONG = 10;
const MINUTE_MS = 60_000;

type WrongTries = {
  /** Whether a name had too many wrong passwords from there within the last minute. */
  readonly isSpent: (address: string, name: string, steadyMs: number) => boolean;
  /** Counts a wrong one. */
  readonly note: (address: string, name: string, steadyMs: number) => void;
};

/** One for each door. */
export function wrongTries(most = MAX_WRONG): WrongTries {
  const wrong = slidingWindow(most, MINUTE_MS);
  const keyOf = (address: string, name: string): number =>
    Number(Bun.hash.wyhash(`${toCustomerNetwork(address)} ${name}`) & 0x1fffffffffffffn);
  return {
    isSpent: (address, name, steadyMs) => wrong.isSpent(keyOf(address, name), steadyMs),
    note: (address, name, steadyMs) => void wrong.take(keyOf(address, name), steadyMs),
  };
}
