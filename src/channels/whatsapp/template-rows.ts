/** Stores templates: the last that Meta listed of each account, and when that was. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase, readPhrase, written } from "../../i18n/phrase.ts";
import { toPriceFault } from "./category-prices.ts";
import type { ReadTemplate } from "./template-text.ts";

export type TemplateRecord = ReadTemplate & {
  readonly wabaId: string;
  /** Nothing is sent with it until a person releases it: Meta priced it as another category. `whyNot` says it too. */
  readonly isPriceStopped: boolean;
  /** The category that Meta has announced, and from when on; both null where it has not. */
  readonly movesTo: string | null;
  readonly movesAtMs: number | null;
  /** Epoch milliseconds. */
  readonly firstSeenMs: number;
  readonly syncedMs: number;
};

type Row = Omit<TemplateRecord, "parameters" | "copiesCode" | "isPriceStopped" | "whyNot"> & {
  readonly whyNot: string | null;
  readonly parameters: string;
  readonly copiesCode: number;
  readonly pricedAs: string | null;
  readonly priceStoppedMs: number | null;
};

const COLUMNS = `waba_id AS wabaId, name, language, status, category, body, parameters, format, copies_code AS copiesCode, quality,
  ttl_seconds AS ttlSeconds, why_not AS whyNot, priced_as AS pricedAs, price_stopped_at AS priceStoppedMs,
  moves_to AS movesTo, moves_at AS movesAtMs, first_seen_at AS firstSeenMs, synced_at AS syncedMs`;

/** The templates of an account, by name and language. */
export function readTemplates(read: Reader, wabaId: string): TemplateRecord[] {
  const sql = `SELECT ${COLUMNS} FROM whatsapp_templates WHERE waba_id = ? ORDER BY name, language`;
  return read.all<Row>(sql, wabaId).map(templateOfRow);
}

/** Returns the same object until something of templates is written, and another after that: to be compared, not to be read. */
export function readTemplatesVersion(read: Reader, wabaId: string): unknown {
  return read.known("SELECT max(synced_at) AS at FROM whatsapp_templates WHERE waba_id = ?", wabaId);
}

/** One template of an account, or null. */
export function findTemplate(
  read: Reader,
  wabaId: string,
  name: string,
  language: string,
): TemplateRecord | null {
  const sql = `SELECT ${COLUMNS} FROM whatsapp_templates WHERE waba_id = ? AND name = ? AND language = ?`;
  const row = read.known<Row>(sql, wabaId, name, language);
  return row && templateOfRow(row);
}

function templateOfRow({ parameters, copiesCode, pricedAs, priceStoppedMs, ...row }: Row): TemplateRecord {
  const isPriceStopped = priceStoppedMs !== null;
  const stopped = isPriceStopped ? toPriceFault(pricedAs ?? "") : null;
  return {
    ...row,
    isPriceStopped,
    whyNot: row.whyNot === null ? stopped : readPhrase(row.whyNot),
    parameters: JSON.parse(parameters) as string[],
    copiesCode: copiesCode === 1,
  };
}

/** The status of a template that is no longer listed: it is not sent, and messages that name it still find it. */
const GONE = "DELETED";

/** A move that was announced and that no read shows this long after its time counts as cancelled. */
export const LAPSED_MS = 86_400_000;

/** When a read of Meta's list began and ended. */
type ReadAt = { readonly beganMs: number; readonly nowMs: number };

/**
 * Saves the whole list of an account. A stored template that it lacks becomes DELETED; one that returns keeps when it was first seen.
 * News of a template since the read began stays: the list may be older.
 */
export function saveTemplates(
  tx: Tx,
  wabaId: string,
  templates: readonly ReadTemplate[],
  { beganMs, nowMs }: ReadAt,
): void {
  for (const one of templates) {
    const { name, language, status, category, body, format, quality, ttlSeconds, whyNot } = one;
    tx.run(
      `INSERT INTO whatsapp_templates (waba_id, name, language, status, category, body, parameters, format, copies_code, quality,
         ttl_seconds, why_not, first_seen_at, synced_at)
       VALUES ($wabaId, $name, $language, $status, $category, $body, $parameters, $format, $copiesCode, $quality,
         $ttlSeconds, $whyNot, $nowMs, $nowMs)
       ON CONFLICT (waba_id, name, language) DO UPDATE SET
         status = iif(status_heard_at >= $beganMs, status, excluded.status),
         why_not = iif(status_heard_at >= $beganMs, why_not, excluded.why_not),
         unusable_since = CASE WHEN status_heard_at >= $beganMs THEN unusable_since WHEN excluded.why_not IS NULL THEN NULL
           WHEN why_not IS NULL THEN $nowMs ELSE unusable_since END,
         category = iif(category_heard_at >= $beganMs, category, excluded.category),
         moved_at = iif(category_heard_at >= $beganMs OR category = excluded.category, moved_at, $nowMs),
         moves_at = iif(moves_to = excluded.category OR moves_at < $lapsedMs, NULL, moves_at),
         moves_to = iif(moves_to = excluded.category OR moves_at < $lapsedMs, NULL, moves_to),
         body = excluded.body, parameters = excluded.parameters, format = excluded.format, copies_code = excluded.copies_code,
         quality = iif(quality_heard_at >= $beganMs, quality, excluded.quality), ttl_seconds = excluded.ttl_seconds, synced_at = excluded.synced_at`,
      {
        wabaId,
        name,
        language,
        status,
        category,
        body,
        format,
        quality,
        ttlSeconds,
        whyNot: whyNot && written(whyNot),
        beganMs,
        nowMs,
        lapsedMs: beganMs - LAPSED_MS,
        parameters: JSON.stringify(one.parameters),
        copiesCode: one.copiesCode ? 1 : 0,
      },
    );
  }
  tx.run(
    `UPDATE whatsapp_templates SET status = $gone, why_not = $whyNot, synced_at = $nowMs, moves_to = NULL, moves_at = NULL,
       unusable_since = iif(why_not IS NULL, $nowMs, unusable_since)
     WHERE waba_id = $wabaId AND synced_at < $nowMs AND status <> $gone`,
    { gone: GONE, whyNot: written(phrase("template.deleted")), wabaId, nowMs },
  );
}

/** The result of the last read of an account's templates. */
type SyncState = {
  readonly wabaId: string;
  readonly triedMs: number;
  /** When they were last read whole; null: never. */
  readonly syncedMs: number | null;
  readonly error: Phrase | null;
};

export function readSyncStates(read: Reader): SyncState[] {
  return read
    .all<Omit<SyncState, "error"> & { readonly error: string | null }>(
      "SELECT waba_id AS wabaId, tried_at AS triedMs, synced_at AS syncedMs, error FROM whatsapp_syncs ORDER BY waba_id",
    )
    .map((row) => ({ ...row, error: row.error === null ? null : readPhrase(row.error) }));
}

/** Notes a read: `error` is null where it reached the end. */
export function noteSync(tx: Tx, wabaId: string, error: Phrase | null, nowMs: number): void {
  tx.run(
    `INSERT INTO whatsapp_syncs (waba_id, tried_at, synced_at, error) VALUES (?1, ?2, iif(?3 IS NULL, ?2, NULL), ?3)
     ON CONFLICT (waba_id) DO UPDATE SET tried_at = excluded.tried_at, error = excluded.error,
       synced_at = coalesce(excluded.synced_at, synced_at)`,
    ...[wabaId, nowMs, error && written(error)],
  );
}

// Template problems that somebody should know of: templates that cannot be sent any more, and lists that could not be read.

/** A template that could be sent, and no longer can, or not as before. */
type StoppedTemplate = {
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  /** The reason as lists show it beside the template. */
  readonly why: Phrase;
  readonly sinceMs: number;
};

const DAY_MS = 86_400_000;
/** For how long a stopped template is reported: whoever leaves it so for longer knows of it. */
const STOPPED_MS = 7 * DAY_MS;
/** For how long a moved template is reported: by then its senders have met the new category. */
const MOVED_MS = DAY_MS;
const MOST = 50;

type TroubleRow = Omit<StoppedTemplate, "why" | "sinceMs"> & {
  readonly category: string;
  readonly whyNot: string | null;
  readonly unusableMs: number | null;
  readonly movedMs: number | null;
  readonly pricedAs: string | null;
  readonly priceStoppedMs: number | null;
};

/** Templates that stopped or moved lately, the latest first, and all that wait for a person; not those that somebody deleted. */
export function readStoppedTemplates(read: Reader, nowMs: number): StoppedTemplate[] {
  return read
    .all<TroubleRow>(
      `SELECT waba_id AS wabaId, name, language, category, why_not AS whyNot, unusable_since AS unusableMs, moved_at AS movedMs,
         priced_as AS pricedAs, price_stopped_at AS priceStoppedMs
       FROM whatsapp_templates
       WHERE price_stopped_at IS NOT NULL OR (unusable_since > $stopped AND status NOT IN ('DELETED', 'PENDING_DELETION')) OR (why_not IS NULL AND moved_at > $moved)
       ORDER BY price_stopped_at IS NULL, max(coalesce(unusable_since, 0), coalesce(moved_at, 0)) DESC LIMIT $most`,
      { stopped: nowMs - STOPPED_MS, moved: nowMs - MOVED_MS, most: MOST },
    )
    .map(({ wabaId, name, language, ...row }) => ({ wabaId, name, language, ...causeOf(row, nowMs) }));
}

function causeOf(
  row: Omit<TroubleRow, "wabaId" | "name" | "language">,
  nowMs: number,
): Pick<StoppedTemplate, "why" | "sinceMs"> {
  const { category, whyNot, unusableMs, movedMs, pricedAs, priceStoppedMs } = row;
  if (priceStoppedMs !== null) return { why: toPriceFault(pricedAs ?? ""), sinceMs: priceStoppedMs };
  if (whyNot !== null) return { why: readPhrase(whyNot), sinceMs: unusableMs ?? nowMs };
  return { why: phrase("template.moved", { category }), sinceMs: movedMs ?? nowMs };
}

/** A template that Meta will move to another category. */
type MovingTemplate = Pick<StoppedTemplate, "wabaId" | "name" | "language"> & {
  readonly category: string;
  readonly movesAtMs: number;
  /** When Meta announced it. */
  readonly toldMs: number;
};

/** The moves that Meta has announced, the next first; not those of templates that are gone. */
export function readMovingTemplates(read: Reader): MovingTemplate[] {
  return read.all<MovingTemplate>(
    `SELECT waba_id AS wabaId, name, language, moves_to AS category, moves_at AS movesAtMs, move_told_at AS toldMs
     FROM whatsapp_templates WHERE moves_to IS NOT NULL ORDER BY moves_at, name, language LIMIT $most`,
    { most: MOST },
  );
}

/** An account whose templates could not be read the last time. */
type UnreadAccount = {
  readonly wabaId: string;
  /** When they were read last; null: never. */
  readonly readMs: number | null;
  readonly error: Phrase;
};

export function readUnreadAccounts(read: Reader): UnreadAccount[] {
  return readSyncStates(read).flatMap(({ wabaId, syncedMs, error }) =>
    error === null ? [] : [{ wabaId, readMs: syncedMs, error }],
  );
}
