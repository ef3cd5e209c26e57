import type { Clock } from "../../core/clock.ts";
import type { MetricsRegistry } from "../../core/count-book.ts";
import { countLimited, type Limit } from "../../core/limited.ts";
import { toCustomerNetwork } from "../../core/networks.ts";
import { attempts } from "./attempts.ts";
import type { ClientOrigin } from "./sessions.ts";
import { normaliseLogin } from "./users.ts";

const WINDOW_MS = 15 * 60_000;
const MAX_NAMES = 10_000;
const MAX_BY_USER = 5;

/** Attempts in 15 minutes. */
export type SignInQuotas = { readonly byLogin: number; readonly byNetwork: number };

/** How often somebody may try to come in (docs/administration.md#signing-in). Each counts; the whole seconds to wait, or null. */
export type SignInLimits = {
  /**
   * The network is asked first: what it is refused counts against nobody else. `isKnown`: the login came in from that network before, and
   * has attempts of its own there, which nobody elsewhere can use up.
   */
  readonly login: (login: string, from: ClientOrigin, isKnown: boolean) => number | null;
  readonly factor: (userId: number, from: ClientOrigin) => number | null;
  /** The present password of somebody who is signed in: a right one makes no wrong second factor forgotten. */
  readonly ownPassword: (userId: number) => number | null;
  readonly address: (from: ClientOrigin) => number | null;
  /** There was no room in the queue of passwords. */
  readonly noteBusy: () => void;
  /** An attempt at a login that was counted could not be made: it is none. */
  readonly giveBackLogin: (login: string, from: ClientOrigin, isKnown: boolean) => void;
  /** The same of the present password of somebody who is signed in. */
  readonly giveBackOwnPassword: (userId: number) => void;
  /**
   * Somebody of that name came in: what failed before no longer counts, nor does this for the address, which many may share. What others
   * tried elsewhere goes on counting for them where the login came in from a network that it is known in.
   */
  readonly forgetLogin: (login: string, from: ClientOrigin, isKnown: boolean) => void;
  readonly forgetUser: (userId: number, from: ClientOrigin) => void;
  readonly forgetOwnPassword: (userId: number) => void;
};

export function createSignInLimits(
  clock: Pick<Clock, "steadyMs">,
  most: () => SignInQuotas,
  tally: Pick<MetricsRegistry, "counters">,
): SignInLimits {
  const windows = (limit: () => number) =>
    attempts(clock, { most: limit, windowMs: WINDOW_MS, mostNames: MAX_NAMES });
  const logins = windows(() => most().byLogin);
  const knownLogins = windows(() => most().byLogin);
  const addresses = windows(() => most().byNetwork);
  const users = windows(() => MAX_BY_USER);
  const ownPasswords = windows(() => MAX_BY_USER);
  const counted = (limit: Limit, wait: number | null): number | null => {
    if (wait !== null) countLimited(tally, limit);
    return wait;
  };
  const address = (from: ClientOrigin) =>
    counted("sign-ins of a network", addresses.take(toCustomerNetwork(from.address)));
  return {
    login: (login, from, isKnown) => {
      const name = nameOf(login);
      const own = () => (isKnown ? knownLogins.take(nameThere(name, from)) : logins.take(name));
      return address(from) ?? counted("sign-ins of a login", own());
    },
    factor: (userId, from) =>
      address(from) ?? counted("second factors of a user", users.take(String(userId))),
    ownPassword: (userId) => counted("sign-ins of a login", ownPasswords.take(String(userId))),
    address,
    noteBusy: () => countLimited(tally, "passwords at once"),
    giveBackLogin: (login, from, isKnown) => {
      const name = nameOf(login);
      if (isKnown) knownLogins.giveBack(nameThere(name, from));
      else logins.giveBack(name);
      addresses.giveBack(toCustomerNetwork(from.address));
    },
    giveBackOwnPassword: (userId) => ownPasswords.giveBack(String(userId)),
    forgetLogin: (login, from, isKnown) => {
      const name = nameOf(login);
      if (isKnown) knownLogins.forget(nameThere(name, from));
      else logins.forget(name);
      addresses.giveBack(toCustomerNetwork(from.address));
    },
    forgetUser: (userId, from) => {
      users.forget(String(userId));
      addresses.giveBack(toCustomerNetwork(from.address));
    },
    forgetOwnPassword: (userId) => ownPasswords.forget(String(userId)),
  };
}

/** Who an attempt is counted for: a login as it is looked for, whether it exists or not, of bounded length. */
function nameOf(login: string): string {
  return normaliseLogin(login).slice(0, 254);
}

function nameThere(name: string, { address }: ClientOrigin): string {
  return `${toCustomerNetwork(address)} ${name}`;
}
