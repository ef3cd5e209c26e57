/**
 * Brings the database schema to the version of this executable, all steps in one transaction. A database with a newer schema
 * is refused.
 */
import type { Database } from "bun:sqlite";
import foundation from "./migrations/0001-foundation.sql" with { type: "text" };
import policies from "./migrations/0002-policies.sql" with { type: "text" };
import screening from "./migrations/0003-screening.sql" with { type: "text" };
import books from "./migrations/0004-books.sql" with { type: "text" };
import wireAndInbound from "./migrations/0005-wire-and-inbound.sql" with { type: "text" };
import webhooks from "./migrations/0006-webhooks.sql" with { type: "text" };
import openBatches from "./migrations/0007-open-batches.sql" with { type: "text" };
import proof from "./migrations/0008-proof-of-books.sql" with { type: "text" };
import shortNames from "./migrations/0009-short-names.sql" with { type: "text" };
import times from "./migrations/0010-times-as-they-are.sql" with { type: "text" };
import operatorsThatLeft from "./migrations/0011-operators-that-left.sql" with { type: "text" };
import retiredOperators from "./migrations/0012-retired-operators.sql" with { type: "text" };
import notesCounted from "./migrations/0013-notes-counted.sql" with { type: "text" };
import receiptsOfAccounts from "./migrations/0014-receipts-of-accounts.sql" with { type: "text" };
import foundByWhatIsDue from "./migrations/0015-found-by-what-is-due.sql" with { type: "text" };
import unmarkedReceipts from "./migrations/0016-unmarked-receipts.sql" with { type: "text" };
import sendsByText from "./migrations/0017-sends-by-text.sql" with { type: "text" };
import feedOfABatch from "./migrations/0018-feed-of-a-batch.sql" with { type: "text" };
import claimsInOrder from "./migrations/0019-claims-in-order.sql" with { type: "text" };
import sendersByName from "./migrations/0020-senders-by-name.sql" with { type: "text" };
import entriesByCause from "./migrations/0021-entries-by-cause.sql" with { type: "text" };
import stampsAsTheyStand from "./migrations/0022-stamps-as-they-stand.sql" with { type: "text" };
import sendsInOrder from "./migrations/0023-sends-in-order.sql" with { type: "text" };
import closedAccounts from "./migrations/0024-closed-accounts.sql" with { type: "text" };
import sendsInRuns from "./migrations/0025-sends-in-runs.sql" with { type: "text" };
import backups from "./migrations/0026-backups.sql" with { type: "text" };
import restores from "./migrations/0027-restores.sql" with { type: "text" };
import search from "./migrations/0028-search.sql" with { type: "text" };
import repliesInOrder from "./migrations/0029-replies-in-order.sql" with { type: "text" };
import purgedMessages from "./migrations/0030-purged-messages.sql" with { type: "text" };
import upgrades from "./migrations/0031-upgrades.sql" with { type: "text" };
import dailySizes from "./migrations/0032-daily-sizes.sql" with { type: "text" };
import operatorPauses from "./migrations/0033-operator-pauses.sql" with { type: "text" };
import deliveryFigures from "./migrations/0034-delivery-figures.sql" with { type: "text" };
import alarms from "./migrations/0035-alarms.sql" with { type: "text" };
import submitsOfAccounts from "./migrations/0036-submits-of-accounts.sql" with { type: "text" };
import alarmLetters from "./migrations/0037-alarm-letters.sql" with { type: "text" };
import textsOfBatches from "./migrations/0038-texts-of-batches.sql" with { type: "text" };
import erasedNumbers from "./migrations/0039-erased-numbers.sql" with { type: "text" };
import cancelRequests from "./migrations/0040-cancel-requests.sql" with { type: "text" };
import batchesSetApart from "./migrations/0041-batches-set-apart.sql" with { type: "text" };
import operatorTests from "./migrations/0042-operator-tests.sql" with { type: "text" };
import alarmTexts from "./migrations/0043-alarm-texts.sql" with { type: "text" };
import clientReferences from "./migrations/0044-client-references.sql" with { type: "text" };
import users from "./migrations/0045-users.sql" with { type: "text" };
import sandboxes from "./migrations/0046-sandboxes.sql" with { type: "text" };
import doorsOfKannelAndJasmin from "./migrations/0047-doors-of-kannel-and-jasmin.sql" with { type: "text" };
import callbacksInOrder from "./migrations/0048-callbacks-in-order.sql" with { type: "text" };
import optOutsOfSandboxes from "./migrations/0049-opt-outs-of-sandboxes.sql" with { type: "text" };

import usesOfKeys from "./migrations/0050-uses-of-keys.sql" with { type: "text" };
import postsToWhatsapp from "./migrations/0051-posts-to-whatsapp.sql" with { type: "text" };
import createTemplateJobs from "./migrations/0052-templates-of-whatsapp.sql" with { type: "text" };
import readPastAlerts from "./migrations/0053-past-alarms.sql" with { type: "text" };
import wholeClaims from "./migrations/0054-whole-claims.sql" with { type: "text" };
import notesOfChannels from "./migrations/0055-notes-of-channels.sql" with { type: "text" };
import optOutsByMeta from "./migrations/0056-opt-outs-by-meta.sql" with { type: "text" };
import newsOfTemplates from "./migrations/0057-news-of-templates.sql" with { type: "text" };
import pricesOfTemplates from "./migrations/0058-prices-of-templates.sql" with { type: "text" };
import readByTheirUsers from "./migrations/0059-read-by-their-users.sql" with { type: "text" };
import saidApart from "./migrations/0060-what-users-and-meta-said-apart.sql" with { type: "text" };
import secondWays from "./migrations/0061-second-ways.sql" with { type: "text" };
import announcedOfTemplates from "./migrations/0062-announced-of-templates.sql" with { type: "text" };
import unreadableRows from "./migrations/0063-unreadable-rows.sql" with { type: "text" };
import callbacksByHost from "./migrations/0064-callbacks-by-host.sql" with { type: "text" };
import usersWithoutANumber from "./migrations/0065-users-without-a-number.sql" with { type: "text" };
import pricesOfDirectText from "./migrations/0066-prices-of-direct-text.sql" with { type: "text" };
import corrections from "./migrations/0067-corrections.sql" with { type: "text" };
import keysThatEnd from "./migrations/0068-keys-that-end.sql" with { type: "text" };
import fileLines from "./migrations/0069-file-lines.sql" with { type: "text" };
import correctedLines from "./migrations/0070-corrected-lines.sql" with { type: "text" };
import limits from "./migrations/0071-limits.sql" with { type: "text" };
import quietMoves from "./migrations/0072-quiet-moves.sql" with { type: "text" };
import usersByAnotherNumber from "./migrations/0073-users-by-another-number.sql" with { type: "text" };
import heldByMessage from "./migrations/0074-held-by-message.sql" with { type: "text" };
import concatenations from "./migrations/0075-concatenations.sql" with { type: "text" };
import otherTags from "./migrations/0076-other-tags.sql" with { type: "text" };
import countedFrom from "./migrations/0077-counted-from.sql" with { type: "text" };
import importRows from "./migrations/0078-import-rows.sql" with { type: "text" };
import newest from "./schema.sql" with { type: "text" };

/** Every change of the schema, in order, listed by hand. A released one is never edited: a new one follows it. */
const MIGRATIONS: readonly string[] = [
  foundation,
  policies,
  screening,
  books,
  wireAndInbound,
  webhooks,
  openBatches,
  proof,
  shortNames,
  times,
  operatorsThatLeft,
  retiredOperators,
  notesCounted,
  receiptsOfAccounts,
  foundByWhatIsDue,
  unmarkedReceipts,
  sendsByText,
  feedOfABatch,
  claimsInOrder,
  sendersByName,
  entriesByCause,
  stampsAsTheyStand,
  sendsInOrder,
  closedAccounts,
  sendsInRuns,
  backups,
  restores,
  search,
  repliesInOrder,
  purgedMessages,
  upgrades,
  dailySizes,
  operatorPauses,
  deliveryFigures,
  alarms,
  submitsOfAccounts,
  alarmLetters,
  textsOfBatches,
  erasedNumbers,
  cancelRequests,
  batchesSetApart,
  operatorTests,
  alarmTexts,
  clientReferences,
  users,
  sandboxes,
  doorsOfKannelAndJasmin,
  callbacksInOrder,
  optOutsOfSandboxes,
  usesOfKeys,
  postsToWhatsapp,
  createTemplateJobs,
  readPastAlerts,
  wholeClaims,
  notesOfChannels,
  optOutsByMeta,
  newsOfTemplates,
  pricesOfTemplates,
  readByTheirUsers,
  saidApart,
  secondWays,
  announcedOfTemplates,
  unreadableRows,
  callbacksByHost,
  usersWithoutANumber,
  pricesOfDirectText,
  corrections,
  keysThatEnd,
  fileLines,
  correctedLines,
  limits,
  quietMoves,
  usersByAnotherNumber,
  heldByMessage,
  concatenations,
  otherTags,
  countedFrom,
  importRows,
];

/** The schema this executable knows; a database with a higher number is refused. */
export const LATEST_SCHEMA = MIGRATIONS.length;

/** What an upgrade notes for an executable that is too old: which executable upgraded the schema, and the backup made before. */
export type UpgradeNote = { readonly executable: string; readonly backup: string };

/** The schema of a database; 0 of a new one. */
export function schemaOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/**
 * Migrates a database to the schema `to`, the newest: all steps in one transaction, so that one which fails, or a crash, leaves
 * it as it was. A new database begins with the result of all of them (schema.sql, which `bun test/db/schema-text.ts` writes).
 */
export function applyMigrations(
  db: Database,
  nowMs: number,
  to = LATEST_SCHEMA,
  note: UpgradeNote | null = null,
): void {
  const current = schemaOf(db);
  if (current >= to) return;
  db.transaction(() => {
    if (current === 0 && to === LATEST_SCHEMA) {
      db.run(newest);
      noteStep(db, to, nowMs);
    } else takeSteps(db, current, to, nowMs);
    if (note) {
      db.query("UPDATE schema_history SET executable = ?, backup = ? WHERE version = ?").run(
        note.executable,
        note.backup,
        to,
      );
    }
    db.run(`PRAGMA user_version = ${to}`);
  }).immediate();
}

/** The steps from one schema to another, one after the other; the caller has begun a transaction. */
export function takeSteps(db: Database, from: number, to: number, nowMs: number): void {
  for (let step = from; step < to; step++) {
    db.run(withoutLists(MIGRATIONS[step] ?? ""));
    noteStep(db, step + 1, nowMs);
  }
}

function noteStep(db: Database, version: number, nowMs: number): void {
  db.query("INSERT INTO schema_history (version, applied_at) VALUES (?, ?)").run(version, nowMs);
}

/** What the last upgrade noted; null where none did, or the database is older than such notes. */
export function upgradeNoteIn(db: Database): UpgradeNote | null {
  const columns = db
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('schema_history')")
    .all();
  if (!columns.some(({ name }) => name === "backup")) return null;
  return db
    .query<UpgradeNote, []>(
      "SELECT executable, backup FROM schema_history WHERE backup IS NOT NULL ORDER BY version DESC LIMIT 1",
    )
    .get();
}

const LISTED_CHECK = /(CHECK \()(\w+) (NOT )?IN \(((?:'[^']*',\s*){2,}'[^']*')\)/g;

/**
 * Rewrites each CHECK that a value is one of more than two as comparisons. A list costs its own table, which SQLite builds anew
 * each time that a row is written (sqlite3.c, sqlite3FindInIndex): half of what the row costs. A database that was made with
 * lists keeps them, and refuses the same values.
 */
export function withoutLists(sql: string): string {
  return sql.replace(
    LISTED_CHECK,
    (_, check: string, column: string, not: string | undefined, list: string) => {
      const [compares, joined] = not ? ["<>", " AND "] : ["=", " OR "];
      const each = list.split(/,\s*/).map((value) => `${column} ${compares} ${value}`);
      return `${check}(${each.join(joined)})`;
    },
  );
}
