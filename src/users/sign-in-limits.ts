import type { Clock } from "../base/clock.ts";
import { attempts } from "./attempts.ts";
import type { CameFrom } from "./sessions.ts";
import { plainLogin } from "./users.ts";

const WINDOW_MS = 15 * 60_000;
const BY_LOGIN = { most: 10, windowMs: WINDOW_MS, mostNames: 10_000 };
const BY_ADDRESS = { most: 50, windowMs: WINDOW_MS, mostNames: 10_000 };
const BY_USER = { most: 5, windowMs: WINDOW_MS, mostNames: 10_000 };

/** How often somebody may try to come in (docs/administration.md#signing-in). Each counts; the whole seconds to wait, or null. */
export type SignInLimits = {
  readonly login: (login: string, from: CameFrom) => number | null;
  readonly factor: (userId: number, from: CameFrom) => number | null;
  /** The present password of somebody who is signed in: a right one makes no wrong second factor forgotten. */
  readonly ownPassword: (userId: number) => number | null;
  readonly address: (from: CameFrom) => number | null;
  /** Somebody of that name came in: what failed before no longer counts, nor does this for the address, which many may share. */
  readonly forgetLogin: (login: string, from: CameFrom) => void;
  readonly forgetUser: (userId: number, from: CameFrom) => void;
  readonly forgetOwnPassword: (userId: number) => void;
};

export function signInLimits(clock: Pick<Clock, "steadyMs">): SignInLimits {
  const logins = attempts(clock, BY_LOGIN);
  const addresses = attempts(clock, BY_ADDRESS);
  const users = attempts(clock, BY_USER);
  const ownPasswords = attempts(clock, BY_USER);
  const address = (from: CameFrom) => addresses.take(networkOf(from));
  return {
    login: (login, from) => longest(logins.take(nameOf(login)), address(from)),
    factor: (userId, from) => longest(users.take(String(userId)), address(from)),
    ownPassword: (userId) => ownPasswords.take(String(userId)),
    address,
    forgetLogin: (login, from) => {
      logins.forget(nameOf(login));
      addresses.giveBack(networkOf(from));
    },
    forgetUser: (userId, from) => {
      users.forget(String(userId));
      addresses.giveBack(networkOf(from));
    },
    forgetOwnPassword: (userId) => ownPasswords.forget(String(userId)),
  };
}

function longest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** Who an attempt is counted for: a login as it is looked for, whether it exists or not, of bounded length. */
function nameOf(login: string): string {
  return plainLogin(login).slice(0, 254);
}

/** An IPv6 network of one customer counts as one address (RFC 6177). */
function networkOf({ address }: CameFrom): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail = ""] = address.split("::");
  const front = head.split(":").filter((group) => group !== "");
  const back = tail.split(":").filter((group) => group !== "");
  const zeros = address.includes("::")
    ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0")
    : [];
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
