/**
 * Judges binds: who a system_id is, whether it may bind from there, and whether the password is right. Every refusal looks the same to
 * the client, whatever its reason; the reason is for administrators.
 *
 * Only the password costs a hash, and only two are worked out at once. Whoever was right before is known again by a keyed hash in
 * memory, so that a flood of wrong ones from elsewhere locks nobody out.
 */
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import { concurrencyLimiter } from "../../core/concurrency.ts";
import { networkMatcher, toCustomerNetwork } from "../../core/ip-networks.ts";
import type { Store } from "../../db/store.ts";
import { type SmppUser, smppLogin, verifySmppPassword } from "../../domain/accounts/smpp-users.ts";
import { wrongTries } from "../../domain/accounts/wrong-tries.ts";

type SmppLogin = NonNullable<ReturnType<typeof smppLogin>>;

/** Why a bind is refused, for administrators. */
export const BIND_REFUSALS = [
  "TOO_MANY_WRONG_BINDS",
  "UNKNOWN_SYSTEM_ID",
  "NETWORK_NOT_ALLOWED",
  "TLS_REQUIRED",
  "USER_REVOKED",
  "ACCOUNT_SUSPENDED",
  "WRONG_PASSWORD",
  "TOO_BUSY",
  "TOO_MANY_BINDS",
  "TOO_MANY_CONNECTIONS",
  "STOPPING",
] as const;
export type BindRefusal = (typeof BIND_REFUSALS)[number];

export type BindVerdict =
  | { readonly ok: true; readonly user: SmppUser }
  /** `user`: who was meant, where the system_id is one. */
  | { readonly ok: false; readonly why: BindRefusal; readonly user: SmppUser | null };

/** A bind as it came, and where from. */
type BindAttempt = {
  readonly systemId: string;
  readonly password: string;
  readonly peer: string;
  readonly isTls: boolean;
};

type BindGate = {
  /** Judges all but how many sessions there are. */
  readonly judge: (attempt: BindAttempt) => Promise<BindVerdict>;
};

/** Binds of wrong ids and passwords from an address within any minute. */
const MAX_WRONG_FROM_AN_ADDRESS = 100;
/** Hashes that are worked out at once, of 19 MiB each, and those that wait. */
const MAX_HASHES = { maxConcurrent: 2, maxWaiting: 500 } as const;
const KEY_OCTETS = 32;

/** Why a user may not be bound from there now; null where it may, as far as no password is needed to say so. */
export function whyNotAllowed(
  { user, accountStatus }: Pick<SmppLogin, "user" | "accountStatus">,
  peer: string,
  isTls: boolean,
): BindRefusal | null {
  if (user.networks.length > 0 && !networkMatcher(user.networks)(peer)) return "NETWORK_NOT_ALLOWED";
  if (user.tls === "required" && !isTls) return "TLS_REQUIRED";
  if (user.revokedAtMs !== null) return "USER_REVOKED";
  return accountStatus === "ACTIVE" ? null : "ACCOUNT_SUSPENDED";
}

/** One for a process. */
export function createBindGate({
  store,
  clock,
  chance,
}: {
  readonly store: Pick<Store, "read">;
  readonly clock: Clock;
  readonly chance: Chance;
}): BindGate {
  const ofName = wrongTries();
  const ofAddress = wrongTries(MAX_WRONG_FROM_AN_ADDRESS);
  /** Addresses from which a system_id had too many: all from there wait. */
  const spent = wrongTries(1);
  const hashes = concurrencyLimiter(MAX_HASHES);
  const key = chance.bytes(KEY_OCTETS);
  /** What each user was right with, by its keyed hash. */
  const known = new Map<number, string>();
  /** The last password of a system_id from an address that is worked out: another one waits for it. */
  const underWay = new Map<string, Promise<unknown>>();

  const digest = (password: string, { user, hashes: stored }: SmppLogin): string =>
    new Bun.CryptoHasher("sha256", key).update(JSON.stringify([user.id, password, stored])).digest("hex");

  const isRight = async (
    login: SmppLogin,
    { password, peer, systemId }: BindAttempt,
  ): Promise<boolean | null> => {
    const own = digest(password, login);
    if (known.get(login.user.id) === own) return true;
    const name = `${systemId} ${toCustomerNetwork(peer)}`;
    const before = underWay.get(name);
    const work = async (): Promise<boolean | null> => {
      if (before !== undefined) await Promise.allSettled([before]);
      if (known.get(login.user.id) === own) return true;
      const party = { name, isPreferred: false };
      const fits = await hashes.enter(party, () => verifySmppPassword(password, login.hashes));
      if (fits === true) known.set(login.user.id, own);
      return fits;
    };
    const mine = work();
    underWay.set(name, mine);
    try {
      return await mine;
    } finally {
      if (underWay.get(name) === mine) underWay.delete(name);
    }
  };

  const judge = async (attempt: BindAttempt): Promise<BindVerdict> => {
    const { systemId, peer, isTls } = attempt;
    const refuse = (why: BindRefusal, user: SmppUser | null = null): BindVerdict => ({
      ok: false,
      why,
      user,
    });
    const isSpent = (): boolean => {
      const nowMs = clock.steadyMs();
      return spent.isSpent(peer, "", nowMs) || ofAddress.isSpent(peer, "", nowMs);
    };
    const login = smppLogin(store.read, systemId, clock.nowMs());
    if (isSpent()) return refuse("TOO_MANY_WRONG_BINDS", login?.user ?? null);
    if (login === null) {
      ofAddress.note(peer, "", clock.steadyMs());
      return refuse("UNKNOWN_SYSTEM_ID");
    }
    const early = whyNotAllowed(login, peer, isTls);
    if (early !== null) return refuse(early, login.user);
    const fits = await isRight(login, attempt);
    if (fits === null) return refuse("TOO_BUSY", login.user);
    if (!fits) {
      ofName.note(peer, systemId, clock.steadyMs());
      if (ofName.isSpent(peer, systemId, clock.steadyMs())) spent.note(peer, "", clock.steadyMs());
      ofAddress.note(peer, "", clock.steadyMs());
      return refuse("WRONG_PASSWORD", login.user);
    }
    // Meanwhile somebody else may have used up the tries, and an administrator may have changed the user, or its password.
    if (isSpent()) return refuse("TOO_MANY_WRONG_BINDS", login.user);
    const now = smppLogin(store.read, systemId, clock.nowMs());
    if (now === null) return refuse("UNKNOWN_SYSTEM_ID");
    const late = whyNotAllowed(now, peer, isTls);
    if (late !== null) return refuse(late, now.user);
    const isStale = !login.hashes.some((hash) => now.hashes.includes(hash));
    return isStale ? refuse("WRONG_PASSWORD", now.user) : { ok: true, user: now.user };
  };
  return { judge };
}
