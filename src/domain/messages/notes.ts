/** The timeline of a message beside the moves of its status: contradictory receipts, resends and the like. */
import { getOwn } from "../../core/own-value.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { phrase, readPhrase, written } from "../../i18n/phrase.ts";
import type { Note } from "./decide.ts";

/** Notes of one message that are told apart: its own are few, and an operator may say what it likes. */
const MAX_NOTES = 50;
/** What stands for all that came after them. */
const MORE: Note = { what: "more", detail: phrase("message.note.more") };

/** Events as former versions kept them, in words. */
const FORMER: Readonly<Record<string, Note["what"]>> = {
  "put off": "put_off",
  "sent back": "sent_back",
  "named by a receipt": "named_by_receipt",
  "late response": "late_response",
  "late refusal": "late_refusal",
  "accepted again": "accepted_again",
  "contradictory receipt": "contradictory_receipt",
  "arrived after all": "arrived_after_all",
  "receipt after the end": "receipt_after_end",
  "restored from a backup": "restored",
  "more of it": "more",
  "second way": "second_way",
  "first way": "first_way",
};

type KeptNote = { readonly what: string; readonly detail: string };

/** A note as it is kept, of this version or a former one. */
export function readNote({ what, detail }: KeptNote): Note {
  return { what: getOwn(FORMER, what) ?? (what as Note["what"]), detail: readPhrase(detail) };
}

/** Keeps a note. One that is there already is counted, so that however often an operator says it, it is one row. */
export function recordNote(tx: Tx, messageId: number, note: Note, nowMs: number): void {
  const detail = written(note.detail);
  const isCounted = tx.run(
    "UPDATE message_notes SET times = times + 1, last_at = ? WHERE message_id = ? AND what = ? AND detail = ?",
    nowMs,
    messageId,
    note.what,
    detail,
  );
  if (isCounted > 0) return;
  const kept = tx.get<{ n: number }>(
    "SELECT count(*) AS n FROM message_notes WHERE message_id = ?",
    messageId,
  );
  if (kept && kept.n >= MAX_NOTES && note !== MORE) {
    recordNote(tx, messageId, MORE, nowMs);
    return;
  }
  tx.insert(
    "INSERT INTO message_notes (message_id, at, what, detail, last_at) VALUES ($messageId, $nowMs, $what, $detail, $nowMs)",
    { what: note.what, detail, messageId, nowMs },
  );
}

export type TracedNote = Note & {
  /** When it came first, and last. */
  readonly at: number;
  readonly lastAt: number;
  readonly times: number;
};

/** What else happened to a message, in the order in which it first did. */
export function tracedNotes(read: Reader, messageId: number): TracedNote[] {
  const kept = read.all<Omit<TracedNote, keyof Note> & KeptNote>(
    `SELECT at, coalesce(last_at, at) AS lastAt, times, what, detail FROM message_notes
     WHERE message_id = ? ORDER BY id LIMIT 1000`,
    messageId,
  );
  return kept.map(({ what, detail, ...when }) => ({ ...when, ...readNote({ what, detail }) }));
}
