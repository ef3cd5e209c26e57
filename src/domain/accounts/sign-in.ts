/**
 * Signing in to the console (docs/console.md#signing-in): `SignIn` takes a password, then a second factor, and begins a session for each
 * (sessions.ts). Attempts are limited by login, by network and by user (`createSignInLimits`), and every refusal reads the same, so that
 * nobody learns which logins exist. A login keeps attempts of its own in networks that its user signed in from before, so that strangers
 * lock nobody out. Who may sign in at all is decided in users.ts, what a role may do in roles.ts.
 */
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import type { Party } from "../../core/concurrency.ts";
import { toCustomerNetwork } from "../../core/ip-networks.ts";
import { countLimited, type Limit, type MetricsRegistry } from "../../core/metrics-registry.ts";
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { recordAudit } from "./audit.ts";
import { type Passwords, passwords } from "./passwords.ts";
import type { Role } from "./roles.ts";
import { type FactorSeal, stepOfCode, useRecoveryCode } from "./second-factor.ts";
import {
  beginSession,
  type ClientOrigin,
  confirmSession,
  endSession,
  isLasting,
  type Session,
} from "./sessions.ts";
import {
  type ConsoleUser,
  canSignIn,
  consumeTotpStep,
  normaliseLogin,
  userById,
  userByLogin,
} from "./users.ts";

export type SignInCode = "SIGN_IN_REFUSED" | "TOO_MANY_ATTEMPTS";
export type SignInOutcome<T> = Outcome<T, SignInCode> & { readonly retrySeconds?: number };

/** The caller, for limits and the list of recorded changes. */
export type Asker = ClientOrigin & { readonly requestId: string };

/** The second factor as it is typed: a code, or one of the recovery codes for a lost telephone. */
export type Factor = { readonly code: string } | { readonly recoveryCode: string };

/** Every refusal to sign in is this one, so that nobody learns which logins exist (docs/console.md#signing-in). */
const REFUSED = refuse("SIGN_IN_REFUSED");

const TOO_MANY = refuse("TOO_MANY_ATTEMPTS");

export type SignInDeps = {
  readonly store: Pick<Store, "read" | "write" | "tally">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly factors: FactorSeal;
};

/** How long a caller waits who comes while too many passwords are worked out. */
const BUSY_SECONDS = 5;
const BUSY = { ...TOO_MANY, retrySeconds: BUSY_SECONDS } as const;

/**
 * Signs people in: a password begins a session that only takes the second factor, which begins another one, with another secret, that
 * may do everything that its user may. Holds the limits of attempts, and the queue of passwords that are worked out.
 */
export class SignIn {
  private readonly limits: SignInLimits;
  private readonly passwords: Passwords = passwords();

  constructor(
    private readonly deps: SignInDeps,
    quotas: () => SignInQuotas,
  ) {
    this.limits = createSignInLimits(deps.clock, quotas, deps.store.tally);
  }

  /** The first step: a session that only takes the second factor. `mayComeFrom`: whether a role may sign in from the caller's address. */
  async withPassword(
    asker: Asker,
    { login, password }: { readonly login: string; readonly password: string },
    mayComeFrom: (role: Role) => boolean,
  ): Promise<SignInOutcome<{ readonly token: string }>> {
    const { store, clock, chance } = this.deps;
    const isKnown = isKnownNetwork(store.read, login, asker);
    const wait = tooMany(this.limits.login(login, asker, isKnown));
    if (wait) return wait;
    const found = userByLogin(store.read, login);
    const user = canSignIn(store.read, found) ? found : null;
    const fits = await this.passwords.verify(password, user?.passwordHash ?? null, toParty(asker, isKnown));
    if (fits === null) {
      this.limits.giveBackLogin(login, asker, isKnown);
      return this.busy();
    }
    return store.write((tx): SignInOutcome<{ readonly token: string }> => {
      // What was verified may have been changed meanwhile.
      const now = user && userById(tx, user.id);
      const isSame = now?.passwordHash === user?.passwordHash;
      if (!fits || !canSignIn(tx, now) || !isSame || !mayComeFrom(now.role)) {
        audit(tx, clock, asker, found?.login ?? "", "sign-in refused", { step: "password" });
        return REFUSED;
      }
      tx.afterCommit(() => this.limits.forgetLogin(login, asker, isKnown));
      return accepted({ token: beginSession(tx, chance, now.id, "PASSWORD", asker, clock.nowMs()) });
    });
  }

  /** The second step: another session, with another secret, that may do everything that its user may. */
  async withFactor(
    asker: Asker,
    pending: Session,
    factor: Factor,
  ): Promise<SignInOutcome<{ readonly token: string }>> {
    const { clock, chance } = this.deps;
    const taken = await this.takeFactor(asker, pending, factor, (tx, user) => {
      // Another secret: what a browser held before it was let in is worth nothing afterwards.
      endSession(tx, user.id, pending.id);
      recordNetwork(tx, user.id, asker, clock.nowMs());
      audit(tx, clock, asker, user.login, "sign in", { by: "code" in factor ? "code" : "recovery code" });
      return beginSession(tx, chance, user.id, "FULL", asker, clock.nowMs());
    });
    return taken.ok ? accepted({ token: taken.value }) : taken;
  }

  /** Takes the second factor again, for what is costly. */
  async confirm(asker: Asker, session: Session, factor: Factor): Promise<SignInOutcome<null>> {
    const taken = await this.takeFactor(asker, session, factor, (tx) => {
      confirmSession(tx, session.id, this.deps.clock.nowMs());
      return "";
    });
    return taken.ok ? accepted(null) : taken;
  }

  /** Tells whether a password is a user's, where who asks is signed in. */
  async isPasswordOf(asker: Asker, user: ConsoleUser, password: string): Promise<SignInOutcome<boolean>> {
    const wait = tooMany(this.limits.ownPassword(user.id));
    if (wait) return wait;
    const fits = await this.passwords.verify(password, user.passwordHash, toParty(asker, true));
    if (fits === null) {
      this.limits.giveBackOwnPassword(user.id);
      return this.busy();
    }
    if (fits) this.limits.forgetOwnPassword(user.id);
    return accepted(fits);
  }

  /** Counts an attempt to use a link. */
  tryLink(asker: Asker): SignInOutcome<null> {
    return tooMany(this.limits.address(asker)) ?? accepted(null);
  }

  /** Hashes a password that a user who is signed in, or has a link, chooses. */
  async hash(asker: Asker, password: string): Promise<SignInOutcome<string>> {
    const hash = await this.passwords.hash(password, toParty(asker, true));
    return hash === null ? this.busy() : accepted(hash);
  }

  /** Takes a second factor for a session and does what follows from it. Where the session is over, nothing is used up. */
  private async takeFactor(
    asker: Asker,
    session: Session,
    factor: Factor,
    effect: (tx: Tx, user: ConsoleUser) => string,
  ): Promise<SignInOutcome<string>> {
    const { store, clock, factors } = this.deps;
    const { userId } = session;
    const wait = tooMany(this.limits.factor(userId, asker));
    if (wait) return wait;
    return store.write((tx): SignInOutcome<string> => {
      const user = userById(tx, userId);
      const nowMs = clock.nowMs();
      const mayTake = canSignIn(tx, user) && isLasting(tx, session, nowMs);
      if (!mayTake || !isFactorTaken(tx, factors, user, factor, nowMs)) {
        audit(tx, clock, asker, user?.login ?? "", "sign-in refused", { step: "second factor" });
        return REFUSED;
      }
      tx.afterCommit(() => this.limits.forgetUser(userId, asker));
      return accepted(effect(tx, user));
    });
  }

  /** The refusal where too many passwords are worked out already. */
  private busy(): typeof BUSY {
    this.limits.noteBusy();
    return BUSY;
  }
}

function tooMany(retrySeconds: number | null): SignInOutcome<never> | null {
  return retrySeconds === null ? null : { ...TOO_MANY, retrySeconds };
}

/** For whom a password is worked out: a network waits behind its own. `isPreferred`: known callers go before strangers. */
function toParty({ address }: Asker, isPreferred: boolean): Party {
  return { name: toCustomerNetwork(address), isPreferred };
}

/** A code of a step of time that was not taken before, or a recovery code that is used up with this. */
function isFactorTaken(
  tx: Tx,
  factors: FactorSeal,
  user: ConsoleUser,
  factor: Factor,
  nowMs: number,
): boolean {
  if ("recoveryCode" in factor) return useRecoveryCode(tx, user.id, factor.recoveryCode);
  const secret = user.totpSecret && factors.open(user.totpSecret, user.login);
  const step = secret && stepOfCode(secret, factor.code, nowMs);
  return typeof step === "number" && consumeTotpStep(tx, user.id, step);
}

function audit(
  tx: Tx,
  clock: Clock,
  { address, requestId }: Asker,
  login: string,
  action: string,
  detail: Readonly<Record<string, string>>,
): void {
  // What was typed as a login that nobody has may be a password: it is not written down.
  const actor = login === "" ? "unknown login" : login;
  const from = { address, request_id: requestId };
  recordAudit(tx, { atMs: clock.nowMs(), actor, action, subject: actor, detail: { ...detail, ...from } });
}

const WINDOW_MS = 15 * 60_000;
const MAX_NAMES = 10_000;
const MAX_BY_USER = 5;

/** Attempts in 15 minutes. */
type SignInQuotas = { readonly byLogin: number; readonly byNetwork: number };

/**
 * Limits how often somebody may try to sign in (docs/console.md#signing-in). Each try counts; the whole seconds to wait, or null.
 */
type SignInLimits = {
  /**
   * The network is asked first: what it is refused counts against nobody else. `isKnown`: the login came in from that network before, and
   * has attempts of its own there, which nobody elsewhere can use up.
   */
  readonly login: (login: string, from: ClientOrigin, isKnown: boolean) => number | null;
  readonly factor: (userId: number, from: ClientOrigin) => number | null;
  /** The present password of somebody who is signed in: a right one makes no wrong second factor forgotten. */
  readonly ownPassword: (userId: number) => number | null;
  readonly address: (from: ClientOrigin) => number | null;
  /** Notes that there was no room in the queue of passwords. */
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
    new AttemptLimiter(clock, { most: limit, windowMs: WINDOW_MS, mostNames: MAX_NAMES });
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
      const name = toLimitName(login);
      const own = () => (isKnown ? knownLogins.take(toLimitNameThere(name, from)) : logins.take(name));
      return address(from) ?? counted("sign-ins of a login", own());
    },
    factor: (userId, from) =>
      address(from) ?? counted("second factors of a user", users.take(String(userId))),
    ownPassword: (userId) => counted("sign-ins of a login", ownPasswords.take(String(userId))),
    address,
    noteBusy: () => countLimited(tally, "passwords at once"),
    giveBackLogin: (login, from, isKnown) => {
      const name = toLimitName(login);
      if (isKnown) knownLogins.giveBack(toLimitNameThere(name, from));
      else logins.giveBack(name);
      addresses.giveBack(toCustomerNetwork(from.address));
    },
    giveBackOwnPassword: (userId) => ownPasswords.giveBack(String(userId)),
    forgetLogin: (login, from, isKnown) => {
      const name = toLimitName(login);
      if (isKnown) knownLogins.forget(toLimitNameThere(name, from));
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

/** The name that an attempt is counted under: a login as it is looked up, whether it exists or not, of bounded length. */
function toLimitName(login: string): string {
  return normaliseLogin(login).slice(0, 254);
}

function toLimitNameThere(name: string, { address }: ClientOrigin): string {
  return `${toCustomerNetwork(address)} ${name}`;
}

type AttemptLimits = {
  /** Asked at each attempt. */
  readonly most: () => number;
  readonly windowMs: number;
  readonly mostNames: number;
};

type Window = { count: number; readonly endsMs: number };

/**
 * Counts attempts by a name in windows of time, and refuses what is too many. A name's window begins with its first attempt. Memory is
 * bounded: the name with the fewest attempts makes room for a new one, the oldest of those, so that nobody clears the window of a name that
 * has many by inventing others.
 */
export class AttemptLimiter {
  /** In the order of their ends: all windows are as long. */
  private readonly windows = new Map<string, Window>();
  /** Names by how many attempts they had, in the order in which they came to as many. */
  private readonly tiers = new Map<number, Set<string>>();

  constructor(
    private readonly clock: Pick<Clock, "steadyMs">,
    private readonly limits: AttemptLimits,
  ) {}

  /** Counts an attempt; the whole seconds to wait where there were too many, else null. */
  take(name: string): number | null {
    const { most, windowMs, mostNames } = this.limits;
    const nowMs = this.clock.steadyMs();
    const limit = most();
    const known = this.windows.get(name);
    if (known && known.endsMs > nowMs) {
      // Counted no further than it takes to refuse: there are no more tiers than that.
      this.setCount(name, known, Math.min(known.count + 1, limit + 1));
      return known.count > limit ? Math.max(1, Math.ceil((known.endsMs - nowMs) / 1000)) : null;
    }
    this.forget(name);
    if (this.windows.size >= mostNames) this.makeRoom(nowMs);
    const window = { count: 0, endsMs: nowMs + windowMs };
    this.windows.set(name, window);
    this.setCount(name, window, 1);
    return null;
  }

  /** Takes one attempt back: it succeeded, or could not be made. */
  giveBack(name: string): void {
    const window = this.windows.get(name);
    if (window && window.count > 0) this.setCount(name, window, window.count - 1);
  }

  /** Forgets all attempts of a name, as after one that succeeded. */
  forget(name: string): void {
    const window = this.windows.get(name);
    if (!window) return;
    this.leaveTier(name, window.count);
    this.windows.delete(name);
  }

  private setCount(name: string, window: Window, count: number): void {
    this.leaveTier(name, window.count);
    window.count = count;
    const tier = this.tiers.get(count);
    if (tier) tier.add(name);
    else this.tiers.set(count, new Set([name]));
  }

  private leaveTier(name: string, count: number): void {
    const tier = this.tiers.get(count);
    tier?.delete(name);
    if (tier?.size === 0) this.tiers.delete(count);
  }

  private makeRoom(nowMs: number): void {
    for (const [name, { endsMs }] of this.windows) {
      if (endsMs > nowMs) break;
      this.forget(name);
    }
    if (this.windows.size < this.limits.mostNames) return;
    const [name] = this.tiers.get(Math.min(...this.tiers.keys())) ?? [];
    if (name !== undefined) this.forget(name);
  }
}

// Networks that a user signed in from: what others try under their login elsewhere locks nobody out there.

/** Of one user, those that they came in from last. */
const MAX_NETWORKS = 20;
/** A network is known for this long after its user came in from there. */
export const KNOWN_DAYS = 90;

/** Whether the user of a login came in from there before; asks the same of the database whether there is such a user or not. */
function isKnownNetwork(read: Reader, login: string, { address }: ClientOrigin): boolean {
  const sql = `SELECT 1 FROM user_networks
    WHERE user_id = (SELECT id FROM users WHERE login = ?) AND network = ?`;
  return read.get(sql, normaliseLogin(login), toCustomerNetwork(address)) !== null;
}

/** Keeps where a user came in from. */
export function recordNetwork(tx: Tx, userId: number, { address }: ClientOrigin, nowMs: number): void {
  if (address === "") return;
  tx.run(
    `INSERT INTO user_networks (user_id, network, seen_at) VALUES ($userId, $network, $nowMs)
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = $nowMs`,
    { userId, network: toCustomerNetwork(address), nowMs },
  );
  tx.run(
    `DELETE FROM user_networks WHERE user_id = $userId AND network NOT IN
       (SELECT network FROM user_networks WHERE user_id = $userId ORDER BY seen_at DESC, network LIMIT $most)`,
    { userId, most: MAX_NETWORKS },
  );
}

/** Forgets up to `limit` networks that nobody came in from since an instant, oldest first; how many. */
export function purgeNetworks(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM user_networks WHERE (user_id, network) IN
       (SELECT user_id, network FROM user_networks WHERE seen_at < ? ORDER BY seen_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}
