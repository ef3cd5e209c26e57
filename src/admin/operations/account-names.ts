/** Finds the account that somebody typed: by id, short name or name (docs/administration.md#naming-an-account). */
import { nearest } from "../../core/edit-distance.ts";
import type { Reader } from "../../db/reader.ts";
import {
  type Account,
  type AccountNames,
  accountById,
  accountByUlid,
  listAccountNames,
} from "../../domain/accounts/accounts.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** Characters of an account's id, a ULID. */
const ID_LENGTH = 26;

/** Candidates that a refusal names. */
const MAX_NAMED = 10;

/**
 * The account that a text names: its id, its short name, its name without case and accents, or an ending of its id of at
 * least four characters, tried in that order (docs/administration.md#naming-an-account). A closed one is named by its id
 * alone. The one resolver of every command's ACCOUNT.
 */
export function findAccount(read: Reader, text: string): AdminOutcome<Account> {
  const wanted = text.trim();
  const exact = accountByUlid(read, wanted.toUpperCase());
  if (exact) return done(exact);
  const accounts = listAccountNames(read).filter(({ isClosed }) => isClosed === 0);
  const plain = normaliseName(wanted);
  const ways: readonly ((account: AccountNames) => boolean)[] = [
    ({ shortName }) => shortName === plain,
    ({ name }) => normaliseName(name) === plain,
    ({ ulid }) => hasEnding(ulid, wanted),
  ];
  for (const fits of ways) {
    const [first, ...more] = accounts.filter(fits);
    if (!first) continue;
    if (more.length > 0) return ambiguous(wanted, [first, ...more]);
    const account = accountById(read, first.id);
    if (account) return done(account);
  }
  return notFound(wanted, accounts);
}

/** The same; null where no account is named. */
export function findAccountOrNull(read: Reader, text: string | null): AdminOutcome<Account | null> {
  return text === null ? done(null) : findAccount(read, text);
}

function ambiguous(wanted: string, candidates: readonly AccountNames[]) {
  const named = candidates.slice(0, MAX_NAMED).map(naming).join(", ");
  const told = { account: wanted, candidates: candidates.length, named };
  const more = candidates.length - MAX_NAMED;
  return more > 0 ? refuse("ACCOUNT_AMBIGUOUS.many", { ...told, more }) : refuse("ACCOUNT_AMBIGUOUS", told);
}

function notFound(wanted: string, accounts: readonly AccountNames[]): AdminOutcome<never> {
  if (wanted.length === ID_LENGTH) return refuse("ACCOUNT_NOT_FOUND", { account: wanted });
  const names = new Map<string, AccountNames>();
  for (const account of accounts) {
    names.set(normaliseName(account.name), account);
    if (account.shortName !== null) names.set(account.shortName, account);
  }
  const meant = names.get(nearest(normaliseName(wanted), names.keys()) ?? "");
  return meant
    ? refuse("ACCOUNT_NOT_FOUND.meant", { account: wanted, name: meant.name, id: meant.ulid })
    : refuse("ACCOUNT_NOT_FOUND.unlike", { account: wanted });
}

// What accounts may be called, so that what is typed in place of an id means one account.

/** The shortest ending of an id that names an account. */
const MIN_ENDING = 4;

/** A name without what people do not type alike: case, accents, blanks at the ends and doubled ones. */
export function normaliseName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
}

/** A new name or short name; `of` is the account that is to have it, null for one that is being created. */
type WantedName = ({ readonly name: string } | { readonly shortName: string }) & {
  readonly of?: number;
};

/**
 * Why a name cannot be given to an account, or null. Names and short names are one another's rivals
 * (docs/administration.md#naming-an-account).
 */
export function checkAccountName(read: Reader, wanted: WantedName) {
  const others = listAccountNames(read).filter(({ id }) => id !== wanted.of);
  if ("name" in wanted) {
    const taken = others.find((other) => isCalled(other, wanted.name));
    return taken ? nameTaken(wanted.name, taken) : null;
  }
  const { shortName } = wanted;
  if (!/^[a-z0-9-]{2,20}$/.test(shortName)) return refuse("INVALID_SHORT_NAME", { name: shortName });
  const taken = others.find((other) => isCalled(other, shortName));
  if (taken) return nameTaken(shortName, taken);
  const ends = others.find(({ ulid }) => hasEnding(ulid, shortName));
  return ends
    ? refuse("INVALID_SHORT_NAME.ending", { name: shortName, account: ends.name, id: ends.ulid })
    : null;
}

/** Whether a text of at least four characters is how an id ends, in capital or small letters. */
export function hasEnding(ulid: string, text: string): boolean {
  return text.length >= MIN_ENDING && ulid.endsWith(text.toUpperCase());
}

/** An account as a sentence names it. */
function naming({ ulid, name }: Pick<AccountNames, "ulid" | "name">): string {
  return `${JSON.stringify(name)} (${ulid})`;
}

function isCalled({ name, shortName }: AccountNames, wanted: string): boolean {
  const plain = normaliseName(wanted);
  return normaliseName(name) === plain || shortName === plain;
}

function nameTaken(wanted: string, { name, ulid: id, isClosed }: AccountNames) {
  return refuse(isClosed === 1 ? "NAME_TAKEN.closed" : "NAME_TAKEN", { wanted, name, id });
}
