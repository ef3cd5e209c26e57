/** What somebody should know of templates: those that cannot be sent any more, and lists that could not be read. */

import type { Reader } from "../../db/read.ts";
import { type Phrase, phrase, readPhrase } from "../../i18n/phrase.ts";

import { toPriceFault } from "./template-prices.ts";
import { readSyncStates } from "./template-rows.ts";

/** A template that could be sent, and cannot be as it could. */
export type StoppedTemplate = {
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  /** As it stands beside the template in lists. */
  readonly why: Phrase;
  readonly sinceMs: number;
};

const DAY_MS = 86_400_000;
/** Whoever leaves a template as it is for so long knows of it. */
const STOPPED_MS = 7 * DAY_MS;
/** Who sends by it has met that the class is another by then. */
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

/** Those that stopped or moved lately, the latest first, and all that wait for a person; not those that somebody deleted. */
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
export type MovingTemplate = Pick<StoppedTemplate, "wabaId" | "name" | "language"> & {
  readonly category: string;
  readonly movesAtMs: number;
  /** When Meta announced it. */
  readonly toldMs: number;
};

/** Those that Meta has announced, the next first; not those that are not there any more. */
export function readMovingTemplates(read: Reader): MovingTemplate[] {
  return read.all<MovingTemplate>(
    `SELECT waba_id AS wabaId, name, language, moves_to AS category, moves_at AS movesAtMs, move_told_at AS toldMs
     FROM whatsapp_templates WHERE moves_to IS NOT NULL ORDER BY moves_at, name, language LIMIT $most`,
    { most: MOST },
  );
}

/** An account whose templates could not be read the last time. */
export type UnreadAccount = {
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
