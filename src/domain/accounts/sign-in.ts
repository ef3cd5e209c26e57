import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import { accepted, type Outcome, refuse } from "../../core/failures.ts";
import type { Party } from "../../core/fair-queue.ts";
import { toCustomerNetwork } from "../../core/networks.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/write.ts";
import { recordAudit } from "./audit.ts";
import type { FactorSeal } from "./factor-seal.ts";
import { isKnownNetwork, recordNetwork } from "./known-networks.ts";
import { type Passwords, passwords } from "./passwords.ts";
import { useRecoveryCode } from "./recovery-codes.ts";
import type { Role } from "./role.ts";
import {
  beginSession,
  type ClientOrigin,
  confirmSession,
  endSession,
  isLasting,
  type Session,
} from "./sessions.ts";
import { type SignInLimits, type SignInQuotas, createSignInLimits } from "./sign-in-limits.ts";
import { stepOfCode } from "./totp.ts";
import { type ConsoleUser, canSignIn, consumeTotpStep, userById, userByLogin } from "./users.ts";

export type SignInCode = "SIGN_IN_REFUSED" | "TOO_MANY_ATTEMPTS";
export type SignInOutcome<T> = Outcome<T, SignInCode> & { readonly retrySeconds?: number };

/** Who asks, for limits and the list of recorded changes. */
export type Asker = ClientOrigin & { readonly requestId: string };

/** The second factor as it is typed: a code, or one of the codes for a lost telephone. */
export type Factor = { readonly code: string } | { readonly recoveryCode: string };

export type SignIn = {
  /** The first step: a session that only takes the second factor. `mayComeFrom`: whether a role may sign in from where this one asks. */
  readonly withPassword: (
    asker: Asker,
    typed: { readonly login: string; readonly password: string },
    mayComeFrom: (role: Role) => boolean,
  ) => Promise<SignInOutcome<{ readonly token: string }>>;
  /** The second step: another session, of another secret, that may everything that its user may. */
  readonly withFactor: (
    asker: Asker,
    pending: Session,
    factor: Factor,
  ) => Promise<SignInOutcome<{ readonly token: string }>>;
  /** The second factor again, for what is costly. */
  readonly confirm: (asker: Asker, session: Session, factor: Factor) => Promise<SignInOutcome<null>>;
  /** Whether a password is a user's, where who asks is signed in. */
  readonly isPasswordOf: (
    asker: Asker,
    user: ConsoleUser,
    password: string,
  ) => Promise<SignInOutcome<boolean>>;
  /** Counts an attempt to use a link. */
  readonly tryLink: (asker: Asker) => SignInOutcome<null>;
  /** What is kept of a password that somebody gives themselves who is signed in, or has a link. */
  readonly hash: (asker: Asker, password: string) => Promise<SignInOutcome<string>>;
};

/** Every refusal to sign in is this one, so that nobody learns which logins exist (docs/administration.md#signing-in). */
const REFUSED = refuse("SIGN_IN_REFUSED");

const TOO_MANY = refuse("TOO_MANY_ATTEMPTS");

export type SignInDeps = {
  readonly store: Pick<Store, "read" | "write" | "tally">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly factors: FactorSeal;
};

/** How long somebody waits who comes while too many passwords are worked out. */
const BUSY_SECONDS = 5;
const BUSY = { ...TOO_MANY, retrySeconds: BUSY_SECONDS } as const;

type Desk = SignInDeps & { readonly limits: SignInLimits; readonly passwords: Passwords };

/** Lets people in, one step after the other. */
export function signIn(deps: SignInDeps, most: () => SignInQuotas): SignIn {
  const limits = createSignInLimits(deps.clock, most, deps.store.tally);
  const desk: Desk = { ...deps, limits, passwords: passwords() };
  const busy = () => {
    limits.noteBusy();
    return BUSY;
  };
  return {
    hash: async (asker, password) => {
      const hash = await desk.passwords.hash(password, partyOf(asker, true));
      return hash === null ? busy() : accepted(hash);
    },
    withPassword: (asker, typed, mayComeFrom) => byPassword(desk, asker, typed, mayComeFrom),
    withFactor: (asker, pending, factor) => byFactor(desk, asker, pending, factor),
    confirm: async (asker, session, factor) => {
      const taken = await takeFactor(desk, asker, session, factor, (tx) => {
        confirmSession(tx, session.id, desk.clock.nowMs());
        return "";
      });
      return taken.ok ? accepted(null) : taken;
    },
    isPasswordOf: async (asker, user, password) => {
      const wait = tooMany(limits.ownPassword(user.id));
      if (wait) return wait;
      const fits = await desk.passwords.verify(password, user.passwordHash, partyOf(asker, true));
      if (fits === null) {
        limits.giveBackOwnPassword(user.id);
        return busy();
      }
      if (fits) limits.forgetOwnPassword(user.id);
      return accepted(fits);
    },
    tryLink: (asker) => tooMany(limits.address(asker)) ?? accepted(null),
  };
}

function tooMany(retrySeconds: number | null): SignInOutcome<never> | null {
  return retrySeconds === null ? null : { ...TOO_MANY, retrySeconds };
}

/** For whom a password is worked out: a network waits behind its own. `isPreferred`: whoever is known goes before strangers. */
function partyOf({ address }: Asker, isPreferred: boolean): Party {
  return { name: toCustomerNetwork(address), isPreferred };
}

async function byPassword(
  { store, clock, chance, limits, passwords: verifier }: Desk,
  asker: Asker,
  { login, password }: Parameters<SignIn["withPassword"]>[1],
  mayComeFrom: (role: Role) => boolean,
): Promise<SignInOutcome<{ readonly token: string }>> {
  const isKnown = isKnownNetwork(store.read, login, asker);
  const wait = tooMany(limits.login(login, asker, isKnown));
  if (wait) return wait;
  const found = userByLogin(store.read, login);
  const user = canSignIn(store.read, found) ? found : null;
  const fits = await verifier.verify(password, user?.passwordHash ?? null, partyOf(asker, isKnown));
  if (fits === null) {
    limits.giveBackLogin(login, asker, isKnown);
    limits.noteBusy();
    return BUSY;
  }
  return store.write((tx): SignInOutcome<{ readonly token: string }> => {
    // What was verified may have been changed meanwhile.
    const now = user && userById(tx, user.id);
    const isSame = now?.passwordHash === user?.passwordHash;
    if (!fits || !canSignIn(tx, now) || !isSame || !mayComeFrom(now.role)) {
      audit(tx, clock, asker, found?.login ?? "", "sign-in refused", { step: "password" });
      return REFUSED;
    }
    tx.afterCommit(() => limits.forgetLogin(login, asker, isKnown));
    return accepted({ token: beginSession(tx, chance, now.id, "PASSWORD", asker, clock.nowMs()) });
  });
}

async function byFactor(
  desk: Desk,
  asker: Asker,
  pending: Session,
  factor: Factor,
): Promise<SignInOutcome<{ readonly token: string }>> {
  const { clock, chance } = desk;
  const taken = await takeFactor(desk, asker, pending, factor, (tx, user) => {
    // Another secret: what a browser held before it was let in is worth nothing afterwards.
    endSession(tx, user.id, pending.id);
    recordNetwork(tx, user.id, asker, clock.nowMs());
    audit(tx, clock, asker, user.login, "sign in", { by: "code" in factor ? "code" : "recovery code" });
    return beginSession(tx, chance, user.id, "FULL", asker, clock.nowMs());
  });
  return taken.ok ? accepted({ token: taken.value }) : taken;
}

/** Takes a second factor for a session and does what follows from it. Where the session is over, nothing is used up. */
async function takeFactor(
  { store, clock, limits, factors }: Desk,
  asker: Asker,
  session: Session,
  factor: Factor,
  effect: (tx: Tx, user: ConsoleUser) => string,
): Promise<SignInOutcome<string>> {
  const { userId } = session;
  const wait = tooMany(limits.factor(userId, asker));
  if (wait) return wait;
  return store.write((tx): SignInOutcome<string> => {
    const user = userById(tx, userId);
    const nowMs = clock.nowMs();
    const mayTake = canSignIn(tx, user) && isLasting(tx, session, nowMs);
    if (!mayTake || !isFactorTaken(tx, factors, user, factor, nowMs)) {
      audit(tx, clock, asker, user?.login ?? "", "sign-in refused", { step: "second factor" });
      return REFUSED;
    }
    tx.afterCommit(() => limits.forgetUser(userId, asker));
    return accepted(effect(tx, user));
  });
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
