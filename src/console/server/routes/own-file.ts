/** Files of recipients that are on the shelf, for whoever brought them. */
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import type { StoredUpload } from "../send/file-shelf.ts";
import type { FileSource } from "../send/file-work.ts";
import { type PageContext, resolveAccount } from "./asked.ts";

const GONE = refuse("FILE_NOT_FOUND");

/** A file of this user, for an account that it may send for. */
export function requireOwnFile(asked: PageContext, wanted: string, id: string): AdminOutcome<StoredUpload> {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const file = asked.files.get(asked.user, id);
  return file === null ? GONE : done(file);
}

/** What a thread needs to tell numbers from others. */
export function toNumberRules({ defaults, operators }: PageContext["context"]["config"]) {
  const prefixes = Object.entries(operators).map(([code, { prefixes: own }]) => [code, { prefixes: own }]);
  return { defaults: { region: defaults.region }, operators: Object.fromEntries(prefixes) };
}

/** A file as the thread that works on it takes it. */
export function toFileSource({ bytes, isParsed }: StoredUpload): FileSource {
  return { bytes, isParsed };
}
