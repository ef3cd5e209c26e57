import { nearest } from "../../core/nearest.ts";
import type { Reader } from "../../db/read.ts";
import {
  type Account,
  type AccountNames,
  accountById,
  accountByUlid,
  listAccountNames,
} from "../../domain/accounts/accounts.ts";
import { hasEnding, naming, normaliseName } from "./account-names.ts";
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
