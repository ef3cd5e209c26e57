/** Files of recipients that are on the shelf, for whoever brought them. */
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import type { KeptFile } from "../send/file-shelf.ts";
import type { FileAtHand } from "../send/file-work.ts";
import { type Asked, oneAccount } from "./asked.ts";

const GONE = refuse("FILE_NOT_FOUND");

/** A file of this user, for an account that it may send for. */
export function ownFile(asked: Asked, wanted: string, id: string): AdminOutcome<KeptFile> {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const file = asked.files.get(asked.user, id);
  return file === null ? GONE : done(file);
}

/** What a thread needs to tell numbers from others. */
export function numberRules({ defaults, operators }: Asked["context"]["config"]) {
  const prefixes = Object.entries(operators).map(([code, { prefixes: own }]) => [code, { prefixes: own }]);
  return { defaults: { region: defaults.region }, operators: Object.fromEntries(prefixes) };
}

/** A file as the thread that works on it takes it. */
export function atHand({ bytes, isParsed }: KeptFile): FileAtHand {
  return { bytes, isParsed };
}
