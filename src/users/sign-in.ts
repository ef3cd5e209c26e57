import { recordAudit } from "../accounts/audit.ts";
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import type { FactorSeal } from "./factor-seal.ts";
import { type Passwords, passwords } from "./passwords.ts";
import { useRecoveryCode } from "./recovery-codes.ts";
import type { Role } from "./role.ts";
import { beginSession, type CameFrom, confirmSession, endSession, type Session } from "./sessions.ts";
import { type SignInLimits, signInLimits } from "./sign-in-limits.ts";
import { stepOfCode } from "./totp.ts";
import { type ConsoleUser, mayComeIn, takeTotpStep, userById, userByLogin } from "./users.ts";

export type SignInCode = "SIGN_IN_REFUSED" | "TOO_MANY_ATTEMPTS";
export type SignInOutcome<T> = Outcome<T, SignInCode> & { readonly retrySeconds?: number };

/** Who asks, for limits and the list of recorded changes. */
export type Asker = CameFrom & { readonly requestId: string };

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
  readonly isPasswordOf: (user: ConsoleUser, password: string) => Promise<SignInOutcome<boolean>>;
  /** Counts an attempt to use a link. */
  readonly tryLink: (asker: Asker) => SignInOutcome<null>;
  readonly passwords: Passwords;
};

/** Every refusal to sign in is this one, so that nobody learns which logins exist (docs/administration.md#signing-in). */
const REFUSED = refused("SIGN_IN_REFUSED", "the sign-in was refused: look at what you typed, and try again");

const TOO_MANY = refused("TOO_MANY_ATTEMPTS", "too many attempts: wait, then try again");

export type SignInDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly factors: FactorSeal;
};

/** How long somebody waits who comes while too many passwords are worked out. */
const BUSY_SECONDS = 5;
const BUSY = { ...TOO_MANY, retrySeconds: BUSY_SECONDS } as const;

type Desk = SignInDeps & { readonly limits: SignInLimits; readonly passwords: Passwords };

/** Lets people in, one step after the other. */
export function signIn(deps: SignInDeps): SignIn {
  const desk: Desk = { ...deps, limits: signInLimits(deps.clock), passwords: passwords() };
  const { limits } = desk;
  return {
    passwords: desk.passwords,
    withPassword: (asker, typed, mayComeFrom) => byPassword(desk, asker, typed, mayComeFrom),
    withFactor: (asker, pending, factor) => byFactor(desk, asker, pending, factor),
    confirm: async (asker, session, factor) => {
      const taken = await takeFactor(desk, asker, session.userId, factor, (tx) => {
        confirmSession(tx, session.id, desk.clock.nowMs());
        return "";
      });
      return taken.ok ? accepted(null) : taken;
    },
    isPasswordOf: async (user, password) => {
      const wait = tooMany(limits.ownPassword(user.id));
      if (wait) return wait;
      const fits = await desk.passwords.verify(password, user.passwordHash);
      if (fits === null) return BUSY;
      if (fits) limits.forgetOwnPassword(user.id);
      return accepted(fits);
    },
    tryLink: (asker) => tooMany(limits.address(asker)) ?? accepted(null),
  };
}

function tooMany(retrySeconds: number | null): SignInOutcome<never> | null {
  return retrySeconds === null ? null : { ...TOO_MANY, retrySeconds };
}

async function byPassword(
  { store, clock, chance, limits, passwords: verifier }: Desk,
  asker: Asker,
  { login, password }: Parameters<SignIn["withPassword"]>[1],
  mayComeFrom: (role: Role) => boolean,
): Promise<SignInOutcome<{ readonly token: string }>> {
  const wait = tooMany(limits.login(login, asker));
  if (wait) return wait;
  const found = userByLogin(store.read, login);
  const user = mayComeIn(store.read, found) ? found : null;
  const fits = await verifier.verify(password, user?.passwordHash ?? null);
  if (fits === null) return BUSY;
  return store.write((tx): SignInOutcome<{ readonly token: string }> => {
    // What was verified may have been changed meanwhile.
    const now = user && userById(tx, user.id);
    const isSame = now?.passwordHash === user?.passwordHash;
    if (!fits || !mayComeIn(tx, now) || !isSame || !mayComeFrom(now.role)) {
      audit(tx, clock, asker, found?.login ?? "", "sign-in refused", { step: "password" });
      return REFUSED;
    }
    tx.afterCommit(() => limits.forgetLogin(login, asker));
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
  const taken = await takeFactor(desk, asker, pending.userId, factor, (tx, user) => {
    // Another secret: what a browser held before it was let in is worth nothing afterwards.
    if (!endSession(tx, user.id, pending.id)) return null;
    audit(tx, clock, asker, user.login, "sign in", { by: "code" in factor ? "code" : "recovery code" });
    return beginSession(tx, chance, user.id, "FULL", asker, clock.nowMs());
  });
  return taken.ok ? accepted({ token: taken.value }) : taken;
}

/** Takes a second factor and does what follows from it; refused where `effect` gives nothing. */
async function takeFactor(
  { store, clock, limits, factors }: Desk,
  asker: Asker,
  userId: number,
  factor: Factor,
  effect: (tx: Tx, user: ConsoleUser) => string | null,
): Promise<SignInOutcome<string>> {
  const wait = tooMany(limits.factor(userId, asker));
  if (wait) return wait;
  return store.write((tx): SignInOutcome<string> => {
    const user = userById(tx, userId);
    const isTaken = mayComeIn(tx, user) && isFactorTaken(tx, factors, user, factor, clock.nowMs());
    const value = user && isTaken ? effect(tx, user) : null;
    if (value === null) {
      audit(tx, clock, asker, user?.login ?? "", "sign-in refused", { step: "second factor" });
      return REFUSED;
    }
    tx.afterCommit(() => limits.forgetUser(userId, asker));
    return accepted(value);
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
  return typeof step === "number" && takeTotpStep(tx, user.id, step);
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
