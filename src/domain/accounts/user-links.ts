/**
 * One-time links by which a console user sets password and second factor. A link works once, a first invitation for three days and any
 * other for 30 minutes, and ends all earlier sessions.
 */
import type { Chance } from "../../core/chance.ts";
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { recordAudit } from "./audit.ts";
import type { LinkEnd, LinkView } from "./link-view.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./passwords.ts";
import type { Role } from "./roles.ts";
import { generateFactor, generateRecoveryCodes, openProposal, stepOfCode } from "./second-factor.ts";
import { beginSession, endSessions, hashOfSecret } from "./sessions.ts";
import { type Asker, recordNetwork, type SignIn, type SignInCode, type SignInDeps } from "./sign-in.ts";
import {
  type ConsoleUser,
  canSignIn,
  createUser,
  hasUsers,
  isLogin,
  normaliseLogin,
  setPassword,
  setSecondFactor,
  userById,
} from "./users.ts";

/** So long a link works that resets something, or makes the first user. */
const LINK_MS = 30 * 60_000;
/** So long a link works for somebody who has never come in: it is mailed, and read when there is time. */
const INVITATION_MS = 3 * 86_400_000;
const SECRET_OCTETS = 32;

/** A link that sets a password and a second factor; without a user it makes the first one. */
type UserLink = { readonly id: number; readonly userId: number | null };

/** A link as it is handed over. */
export type NewLink = { readonly secret: string; readonly untilMs: number };

/**
 * Makes a link. It voids what the same user had before. `isInvitation`: for somebody who has never come in, whom it lets choose; any other
 * link resets what somebody has.
 */
export function createLink(
  tx: Tx,
  chance: Chance,
  userId: number | null,
  nowMs: number,
  isInvitation = false,
): NewLink {
  revokeLinks(tx, userId);
  const secret = Buffer.from(chance.bytes(SECRET_OCTETS)).toString("base64url");
  const untilMs = nowMs + (isInvitation ? INVITATION_MS : LINK_MS);
  tx.insert(
    "INSERT INTO user_links (user_id, secret_hash, expires_at) VALUES (?, ?, ?)",
    userId,
    hashOfSecret(secret),
    untilMs,
  );
  return { secret, untilMs };
}

/** Voids every link of a user; of null, those that make the first one. */
export function revokeLinks(tx: Tx, userId: number | null): void {
  tx.run("DELETE FROM user_links WHERE user_id IS ?", userId);
}

/** The link of a secret while it works; looking it up changes nothing. */
function findUsableLink(read: Reader, secret: string, nowMs: number): UserLink | null {
  return read.get<UserLink>(
    "SELECT id, user_id AS userId FROM user_links WHERE secret_hash = ? AND expires_at > ?",
    hashOfSecret(secret),
    nowMs,
  );
}

/** The link of a secret, however long ago it ended; it is known for about a day. */
function findLink(read: Reader, secret: string): UserLink | null {
  return read.get<UserLink>(
    "SELECT id, user_id AS userId FROM user_links WHERE secret_hash = ?",
    hashOfSecret(secret),
  );
}

/** Forgets up to `limit` links that ended before an instant; how many. */
export function purgeLinks(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    "DELETE FROM user_links WHERE id IN (SELECT id FROM user_links WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
    beforeMs,
    limit,
  );
}

type LinkCode = "LINK_INVALID" | "LOGIN_REFUSED" | "PASSWORD_REFUSED" | "TOO_LATE" | SignInCode;

/** What a form brings that uses a link. */
type LinkForm = {
  readonly secret: string;
  /** Taken by the link that makes the first user alone. */
  readonly login?: string | undefined;
  readonly password: string;
  readonly code: string;
  /** Brings back the second factor that was proposed, whose code it is. */
  readonly proposal: string;
};

const LINK_INVALID = refuse("LINK_INVALID");
const PASSWORD_REFUSED = refuse("PASSWORD_REFUSED");
const LOGIN_REFUSED = refuse("LOGIN_REFUSED");
const CODE_REFUSED = refuse("SIGN_IN_REFUSED");
const TOO_LATE = refuse("TOO_LATE");

/** Whether a password is acceptable. */
export function isPasswordAcceptable(password: string, login: string): boolean {
  const { length } = password;
  return (
    length >= MIN_PASSWORD_LENGTH &&
    length <= MAX_PASSWORD_LENGTH &&
    normaliseLogin(password) !== normaliseLogin(login)
  );
}

/** Whether somebody of a role may be let in from where a form comes from: no link works elsewhere. */
type MayComeFrom = (role: Role) => boolean;

/** The user that the link of the first start makes. */
const FIRST = { login: "", role: "OWNER" } as const;

/** Only what was proposed to whoever had this link opens under it. */
const labelOf = (secret: string): string => `link ${hashOfSecret(secret)}`;

/**
 * Shows what a link offers, with a second factor that is drawn for whoever looks: nothing of the link leads to it. Changes nothing: what
 * previews links must not use them up.
 */
export function viewLink(
  deps: Pick<SignInDeps, "store" | "clock" | "chance" | "factors">,
  secret: string,
  mayComeFrom: MayComeFrom,
): Outcome<LinkView, "LINK_INVALID"> {
  const nowMs = deps.clock.nowMs();
  const found = foundBy(deps.store.read, secret, nowMs);
  const { login, role } = found?.user ?? FIRST;
  if (!found || !mayComeFrom(role)) return LINK_INVALID;
  const proposedFor = { label: labelOf(secret), name: login || "console", untilMs: nowMs + LINK_MS };
  return accepted({ login, role, ...generateFactor(deps, proposedFor) });
}

/** Why the link of a secret does not work. */
export function deriveLinkEnd(read: Reader, secret: string): LinkEnd {
  const link = findLink(read, secret);
  if (!hasUsers(read)) return { why: link === null ? "NOBODY_YET" : "FIRST_RAN_OUT" };
  const user = link && link.userId !== null ? userById(read, link.userId) : null;
  return canSignIn(read, user)
    ? { why: user.accountId === null ? "STAFF_RAN_OUT" : "CLIENT_RAN_OUT", login: user.login }
    : { why: "UNKNOWN" };
}

/** What a link was used for. */
type LinkUsed = { readonly recoveryCodes: readonly string[]; readonly token: string };

/** Sets password and second factor, and lets the user in; the link, and every session before, end with that. */
export async function redeemLink(
  { store, clock, chance, factors }: SignInDeps,
  signIn: Pick<SignIn, "hash">,
  asker: Asker,
  { secret, login = "", password, code, proposal }: LinkForm,
  mayComeFrom: MayComeFrom,
): Promise<Outcome<LinkUsed, LinkCode> & { readonly retrySeconds?: number }> {
  const found = foundBy(store.read, secret, clock.nowMs());
  if (!found || !mayComeFrom((found.user ?? FIRST).role)) return LINK_INVALID;
  const name = found.user?.login ?? normaliseLogin(login);
  if (!isLogin(name)) return LOGIN_REFUSED;
  if (!isPasswordAcceptable(password, name)) return PASSWORD_REFUSED;
  const factor = openProposal(factors, proposal, labelOf(secret), clock.nowMs());
  if (factor === null) return TOO_LATE;
  const step = stepOfCode(factor, code, clock.nowMs());
  if (step === null) return CODE_REFUSED;
  const hash = await signIn.hash(asker, password);
  if (!hash.ok) return hash;
  // Before the transaction, which the writer may run twice: sealing draws.
  const sealed = factors.close(factor, name);
  return store.write((tx): Outcome<LinkUsed, LinkCode> => {
    const nowMs = clock.nowMs();
    const still = foundBy(tx, secret, nowMs);
    if (!still) return LINK_INVALID;
    const first = { ...FIRST, login: name, accountId: null, language: null };
    const userId = still.user?.id ?? createUser(tx, first, nowMs);
    setPassword(tx, userId, hash.value);
    setSecondFactor(tx, userId, sealed, step);
    recordNetwork(tx, userId, asker, nowMs);
    endSessions(tx, userId);
    revokeLinks(tx, userId);
    revokeLinks(tx, null);
    const { address, requestId } = asker;
    const detail = { is_first: still.user === null, address, request_id: requestId };
    recordAudit(tx, { atMs: nowMs, actor: name, action: "user link used", subject: name, detail });
    const recoveryCodes = generateRecoveryCodes(tx, chance, userId);
    return accepted({ recoveryCodes, token: beginSession(tx, chance, userId, "FULL", asker, nowMs) });
  });
}

type Found = { readonly link: UserLink; readonly user: ConsoleUser | null };

/** A link that works, with its user; null for the first one. */
function foundBy(read: Reader, secret: string, nowMs: number): Found | null {
  const link = findUsableLink(read, secret, nowMs);
  if (!link) return null;
  if (link.userId === null) return hasUsers(read) ? null : { link, user: null };
  const user = userById(read, link.userId);
  return canSignIn(read, user) ? { link, user } : null;
}
