/** What accounts may be called, so that what is typed in place of an id means one account. */

import type { Reader } from "../../db/read.ts";
import { type AccountNames, listAccountNames } from "../../domain/accounts/accounts.ts";
import { refuse } from "./refusal.ts";

/** The shortest ending of an id that names an account. */
const MIN_ENDING = 4;

/** A name without what people do not type alike: case, accents, blanks at the ends and doubled ones. */
export function normaliseName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
}

/** A new name or short name; `of` is the account that is to have it, null for one that is being created. */
export type WantedName = ({ readonly name: string } | { readonly shortName: string }) & {
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
export function naming({ ulid, name }: Pick<AccountNames, "ulid" | "name">): string {
  return `${JSON.stringify(name)} (${ulid})`;
}

function isCalled({ name, shortName }: AccountNames, wanted: string): boolean {
  const plain = normaliseName(wanted);
  return normaliseName(name) === plain || shortName === plain;
}

function nameTaken(wanted: string, { name, ulid: id, isClosed }: AccountNames) {
  return refuse(isClosed === 1 ? "NAME_TAKEN.closed" : "NAME_TAKEN", { wanted, name, id });
}
