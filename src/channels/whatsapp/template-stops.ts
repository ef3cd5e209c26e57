/** What changes a template between two readings of Meta's list: news of its webhook, and posts that it refused. */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { written } from "../../i18n/phrase.ts";
import { statusFault } from "./read-template.ts";
import type { TemplateNews } from "./template-news.ts";
import { LAPSED_MS } from "./template-rows.ts";

/** "applied", "old": something newer is known; "noted": a reading is all that it asks for; "unknown": there is no such template. */
export type TemplateNewsOutcome = "applied" | "noted" | "old" | "unknown";

const DAY_MS = 86_400_000;
/** Clocks differ: what happened so shortly before a reading may not have stood in it. */
const CLOCKS_DIFFER_MS = 120_000;
/** Meta announces a move a day before; what names a year is no time of one. */
const MAX_NOTICE_MS = 365 * DAY_MS;

/** Writes down news of a template, unless something newer is known of it. */
export function applyTemplateNews(
  tx: Tx,
  { wabaId, name, language, atMs, said }: TemplateNews,
  nowMs: number,
): TemplateNewsOutcome {
  const key = [wabaId, name, language] as const;
  const known = knownOf(tx, key);
  if (known === null) return "unknown";
  // A time that cannot be would make all that follows old.
  const toldMs = atMs === null || atMs > nowMs + DAY_MS ? nowMs : atMs;
  const isOld = (lastToldMs: number): boolean =>
    toldMs <= lastToldMs || toldMs + CLOCKS_DIFFER_MS < known.syncedMs;
  switch (said.kind) {
    case "stops":
      if (isOld(known.statusToldMs)) return "old";
      stop(tx, key, said.status, { toldMs, nowMs });
      return "applied";
    case "moved":
      if (isOld(known.categoryToldMs)) return "old";
      move(tx, key, said.category, { toldMs, nowMs });
      return "applied";
    case "other":
      if (isOld(known.statusToldMs)) return "old";
      // What stopped it before comes too late now.
      tx.run(
        "UPDATE whatsapp_templates SET status_told_at = ? WHERE waba_id = ? AND name = ? AND language = ?",
        toldMs,
        ...key,
      );
      return "noted";
    case "will_move":
      return announce(tx, key, said, known, { toldMs, nowMs });
    case "quality":
      if (isOld(known.qualityToldMs)) return "old";
      judge(tx, key, said.quality, { toldMs, nowMs });
      return "applied";
  }
}

type Key = readonly [wabaId: string, name: string, language: string];
type At = { readonly toldMs: number; readonly nowMs: number };
type Known = {
  readonly syncedMs: number;
  readonly category: string;
  readonly statusToldMs: number;
  readonly categoryToldMs: number;
  readonly moveToldMs: number;
  readonly qualityToldMs: number;
};

function knownOf(read: Reader, key: Key): Known | null {
  return read.get<Known>(
    `SELECT synced_at AS syncedMs, category, status_told_at AS statusToldMs, category_told_at AS categoryToldMs,
       move_told_at AS moveToldMs, quality_told_at AS qualityToldMs
     FROM whatsapp_templates WHERE waba_id = ? AND name = ? AND language = ?`,
    ...key,
  );
}

function stop(tx: Tx, [wabaId, name, language]: Key, status: string, { toldMs, nowMs }: At): void {
  const whyNot = statusFault(status);
  tx.run(
    `UPDATE whatsapp_templates SET status = $status, why_not = $whyNot, status_told_at = $toldMs, status_heard_at = $nowMs,
       unusable_since = iif(why_not IS NULL, $nowMs, unusable_since)
     WHERE waba_id = $wabaId AND name = $name AND language = $language`,
    {
      wabaId,
      name,
      language,
      status,
      toldMs,
      nowMs,
      whyNot: whyNot && written(whyNot),
    },
  );
}

function move(tx: Tx, [wabaId, name, language]: Key, category: string, { toldMs, nowMs }: At): void {
  tx.run(
    `UPDATE whatsapp_templates SET moved_at = iif(category = $category, moved_at, $nowMs), category = $category,
       category_told_at = $toldMs, category_heard_at = $nowMs,
       moves_to = iif(move_told_at > $toldMs, moves_to, NULL), moves_at = iif(move_told_at > $toldMs, moves_at, NULL)
     WHERE waba_id = $wabaId AND name = $name AND language = $language`,
    { wabaId, name, language, category, toldMs, nowMs },
  );
}

/** A move that Meta announces: within a day, where it does not say when. */
function announce(
  tx: Tx,
  [wabaId, name, language]: Key,
  { category, movesAtMs }: Extract<TemplateNews["said"], { readonly kind: "will_move" }>,
  known: Known,
  { toldMs, nowMs }: At,
): TemplateNewsOutcome {
  const isTime = movesAtMs !== null && movesAtMs < nowMs + MAX_NOTICE_MS;
  const movesMs = isTime ? movesAtMs : toldMs + DAY_MS;
  const isOld = toldMs <= known.moveToldMs || toldMs <= known.categoryToldMs;
  if (isOld || category === known.category || movesMs < nowMs - LAPSED_MS) return "old";
  tx.run(
    `UPDATE whatsapp_templates SET moves_to = $category, moves_at = $movesMs, move_told_at = $toldMs
     WHERE waba_id = $wabaId AND name = $name AND language = $language`,
    { wabaId, name, language, category, movesMs, toldMs },
  );
  return "applied";
}

function judge(tx: Tx, [wabaId, name, language]: Key, quality: string, { toldMs, nowMs }: At): void {
  tx.run(
    `UPDATE whatsapp_templates SET quality = $quality, quality_told_at = $toldMs, quality_heard_at = $nowMs
     WHERE waba_id = $wabaId AND name = $name AND language = $language`,
    { wabaId, name, language, quality, toldMs, nowMs },
  );
}
