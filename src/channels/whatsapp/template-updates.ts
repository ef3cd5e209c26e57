/**
 * Keeps the templates of every configured account as Meta has them: by lists that are read whole, and by what its
 * webhook reports between two reads, as far as it is understood.
 */
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { getOwn } from "../../core/own-value.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase, written } from "../../i18n/phrase.ts";
import { type CloudClient, type Fields, jsonOf, readFields, readTime } from "./cloud-api.ts";
import type { CloudChange } from "./post-facts.ts";
import { LAPSED_MS, noteSync, saveTemplates } from "./template-rows.ts";
import { type ReadTemplate, readTemplate, statusFault } from "./template-text.ts";
import type { HandleChanges } from "./webhook.ts";

/** What happened to a template of an account. */
type TemplateNews = {
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  /** When it happened, by Meta's clock; null where it does not say. */
  readonly atMs: number | null;
  readonly said: TemplateSaid;
};

type TemplateSaid =
  /** Nothing is sent with it any more, or for now. `status`: the one that it has. */
  | { readonly kind: "stops"; readonly status: string }
  | { readonly kind: "moved"; readonly category: string }
  /** It will have another category. `movesAtMs`: from when on, where Meta says. */
  | { readonly kind: "will_move"; readonly category: string; readonly movesAtMs: number | null }
  /** Meta's rating of it now. */
  | { readonly kind: "quality"; readonly quality: string }
  /** It may be sent again, or something else: Meta's list has its present state. */
  | { readonly kind: "other"; readonly event: string };

const STATUS_NEWS = "message_template_status_update";
const CATEGORY_NEWS = "template_category_update";
const QUALITY_NEWS = "message_template_quality_update";

/** The webhook fields that report on templates. */
export const NEWS_FIELDS = [STATUS_NEWS, CATEGORY_NEWS, QUALITY_NEWS] as const;

/** After these nothing may be sent until a read says otherwise; each is the status that results. */
const STOPS: readonly string[] = [
  ...["PAUSED", "DISABLED", "REJECTED", "PENDING", "IN_APPEAL", "ARCHIVED"],
  ...["DELETED", "PENDING_DELETION"],
];

const MAX_NAME_LENGTH = 512;

/** Reads a change of one of these fields; null where it is not understood. */
function readTemplateNews({ waba, field, value, atMs }: CloudChange): TemplateNews | null {
  const name = wordOf(value.message_template_name);
  const language = wordOf(value.message_template_language);
  const said = getOwn(SAID, field)?.(value) ?? null;
  if (name === null || language === null || said === null) return null;
  // Meta's list writes fr_FR where its webhook may write fr-FR.
  return { wabaId: waba, name, language: language.replaceAll("-", "_"), atMs, said };
}

const SAID: Readonly<Record<string, (value: CloudChange["value"]) => TemplateSaid | null>> = {
  [STATUS_NEWS]: statusSaid,
  [CATEGORY_NEWS]: categorySaid,
  [QUALITY_NEWS]: qualitySaid,
};

function statusSaid({ event }: CloudChange["value"]): TemplateSaid | null {
  const word = wordOf(event);
  if (word === null) return null;
  return STOPS.includes(word) ? { kind: "stops", status: word } : { kind: "other", event: word };
}

/** In the announcement of a move `new_category` is the one that the template still has. */
function categorySaid(value: CloudChange["value"]): TemplateSaid | null {
  const announced = wordOf(value.correct_category);
  if (announced !== null) {
    return { kind: "will_move", category: announced, movesAtMs: readTime(value.category_update_timestamp) };
  }
  const category = wordOf(value.new_category);
  return category === null ? null : { kind: "moved", category };
}

function qualitySaid({ new_quality_score }: CloudChange["value"]): TemplateSaid | null {
  const quality = wordOf(new_quality_score);
  return quality === null ? null : { kind: "quality", quality };
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME_LENGTH ? value : null;
}

// Changes a template between two reads of Meta's list: by news of the webhook, and by posts that Meta refused.

/** "applied", "old": something newer is known; "noted": it asks only for a read; "unknown": there is no such template. */
type TemplateNewsOutcome = "applied" | "noted" | "old" | "unknown";

const DAY_MS = 86_400_000;
/** Clocks differ: an event this shortly before a read may be missing from it. */
const CLOCKS_DIFFER_MS = 120_000;
/** Meta announces a move a day before; a time further away than this is wrong. */
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
  // An impossible time would make all later news old.
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
      // Older news that would stop it comes too late now.
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

/** Notes a move that Meta announces: within a day, where it does not say when. */
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

// Writes down what Meta reports of templates between two reads, and requests the reads that it makes necessary.

type TemplateNewsDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly readSoon: TemplateSync["readSoon"];
};

/**
 * Handles what calls report of templates; resolves once it is durable, with how much was not understood, of an account that no number has,
 * or of an unknown template. News that stops a template does so in that transaction. The account's templates are read soon, since an
 * event does not include the text; one of quality is complete.
 */
export function createTemplateNewsHandler({
  settings,
  store,
  clock,
  log,
  readSoon,
}: TemplateNewsDeps): HandleChanges {
  const isOurs = (wabaId: string): boolean =>
    Object.values(settings.now().whatsapp.numbers).some(({ waba_id }) => waba_id === wabaId);
  return async (changes) => {
    const news = changes
      .map(readTemplateNews)
      .filter((one) => one !== null && isOurs(one.wabaId)) as TemplateNews[];
    if (news.length === 0) return changes.length;
    const outcomes = await store.write((tx) => news.map((one) => applyTemplateNews(tx, one, clock.nowMs())));
    news.forEach((one, place) => {
      tell(log, one, outcomes[place] ?? "unknown");
    });
    for (const { wabaId, said } of news) if (said.kind !== "quality") readSoon(wabaId);
    return changes.length - outcomes.filter((outcome) => outcome !== "unknown").length;
  };
}

function tell(log: Log, { name, language, said }: TemplateNews, outcome: TemplateNewsOutcome): void {
  const template = { template: name, language };
  if (outcome !== "applied") return;
  switch (said.kind) {
    case "stops":
      log.warn("a template has stopped", { ...template, status: said.status });
      return;
    case "moved":
      log.warn("a template has moved", { ...template, category: said.category });
      return;
    case "will_move":
      log.warn("Meta will move a template to another category", { ...template, category: said.category });
      return;
    case "quality":
      log.info("Meta thinks otherwise of a template", { ...template, quality: said.quality });
      return;
    case "other":
  }
}

// Reads the templates of every configured account, page by page, and saves each account's list whole or not at all.

type SyncDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly client: Pick<CloudClient, "get">;
  /** An account's templates were read to their end. */
  readonly accountWasRead: (wabaId: string) => Promise<void>;
};

/** The result of reading one account's templates. */
type SyncOutcome = {
  readonly wabaId: string;
  readonly templates: number;
  /** Null where they were read to the end. */
  readonly error: Phrase | null;
};

const ON_A_PAGE = 100;
/** An account has at most 6,000 templates; a list longer than this many pages is an error. */
const MAX_PAGES = 100;
const FIELDS =
  "name,language,status,category,components,parameter_format,quality_score,message_send_ttl_seconds";

export type TemplateSync = {
  /** Reads all accounts now. Never rejects for what Meta does. */
  readonly now: (stop?: AbortSignal) => Promise<readonly SyncOutcome[]>;
  /**
   * The same where `sync_minutes` are over since the last read, or the numbers are others; else reads the accounts that were asked
   * for. Null where nothing is due.
   */
  readonly due: (stop?: AbortSignal) => Promise<false> | null;
  /** Has an account's templates read soon, since Meta reported a change. Changes that come at once share one read. */
  readonly readSoon: (wabaId: string) => void;
};

/** Meta's list shows a change a little later. */
const SOON_MS = 5000;
/** When to try again after a failed read. */
const AGAIN_MS = 60_000;

/** Reads templates when somebody asks, and every `sync_minutes`. */
export function templateSync(deps: SyncDeps): TemplateSync {
  const { settings, clock } = deps;
  let last: { readonly atMs: number; readonly of: string } | null = null;
  /** By account, when it is to be read, on the steady clock. */
  const soon = new Map<string, number>();
  const accounts = (): string => JSON.stringify([...tokensOf(settings).keys()]);
  const now = (stop?: AbortSignal): Promise<readonly SyncOutcome[]> => {
    last = { atMs: clock.steadyMs(), of: accounts() };
    soon.clear();
    return syncTemplates(deps, () => true, stop);
  };
  const asked = async (wabaIds: ReadonlySet<string>, stop?: AbortSignal): Promise<false> => {
    // A change that is reported from here on asks for another read.
    for (const wabaId of wabaIds) soon.delete(wabaId);
    for (const { wabaId, error } of await syncTemplates(deps, (id) => wabaIds.has(id), stop)) {
      if (error !== null) soon.set(wabaId, clock.steadyMs() + AGAIN_MS);
    }
    return false;
  };
  return {
    now,
    due: (stop) => {
      const everyMs = settings.now().whatsapp.sync_minutes * 60_000;
      const nowMs = clock.steadyMs();
      const isFresh = last !== null && last.of === accounts() && nowMs - last.atMs < everyMs;
      if (!isFresh) return now(stop).then(() => false);
      const dueNow = [...soon].flatMap(([wabaId, atMs]) => (atMs <= nowMs ? [wabaId] : []));
      return dueNow.length === 0 ? null : asked(new Set(dueNow), stop);
    },
    readSoon: (wabaId) => {
      if (!soon.has(wabaId)) soon.set(wabaId, clock.steadyMs() + SOON_MS);
    },
  };
}

/** A token for each account that a number belongs to: the first number's. */
function tokensOf(settings: Settings): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  for (const { waba_id, token } of Object.values(settings.now().whatsapp.numbers)) {
    if (!tokens.has(waba_id)) tokens.set(waba_id, token);
  }
  return tokens;
}

/** Reads accounts, one after the other; an account of several numbers is read once. */
async function syncTemplates(
  deps: SyncDeps,
  isMeant: (wabaId: string) => boolean,
  stop?: AbortSignal,
): Promise<readonly SyncOutcome[]> {
  const { settings, store, clock } = deps;
  const outcomes: SyncOutcome[] = [];
  for (const [wabaId, token] of tokensOf(settings)) {
    if (stop?.aborted) break;
    if (!isMeant(wabaId)) continue;
    const beganMs = clock.nowMs();
    const read = await allPages(deps, wabaId, token, stop);
    await store.write((tx) => {
      const nowMs = clock.nowMs();
      if (read.error === null) saveTemplates(tx, wabaId, read.templates, { beganMs, nowMs });
      noteSync(tx, wabaId, read.error, nowMs);
    });
    if (read.error === null) await deps.accountWasRead(wabaId);
    outcomes.push({ wabaId, templates: read.templates.length, error: read.error });
  }
  return outcomes;
}

type Pages = { readonly templates: readonly ReadTemplate[]; readonly error: Phrase | null };

async function allPages(
  { settings, client }: SyncDeps,
  wabaId: string,
  token: string,
  stop: AbortSignal | undefined,
): Promise<Pages> {
  const templates = new Map<string, ReadTemplate>();
  const ended = (error: Phrase | null): Pages => ({ templates: [...templates.values()], error });
  const asked = new Set<string>();
  let page: string | URL = `${wabaId}/message_templates?${queryOf(null)}`;
  while (asked.size < MAX_PAGES) {
    asked.add(String(page));
    const response = await client.get(page, token, stop);
    const json = readFields(jsonOf(response.answer ?? ""));
    if (response.status !== 200) return ended(faultOf(response.status, response.error, json));
    if (!Array.isArray(json.data)) return ended(phrase("template.sync.no_list"));
    for (const each of json.data) {
      const template = readTemplate(each);
      if (template) templates.set(`${template.name} ${template.language}`, template);
    }
    const { cursor, address, isSaid } = nextOf(json.paging, settings.now().whatsapp.api);
    const next = cursor === null ? address : `${wabaId}/message_templates?${queryOf(cursor)}`;
    // The end of the list may still have a cursor: nothing is behind it, or the same page again.
    if (!isSaid && (next === null || json.data.length === 0 || asked.has(String(next)))) return ended(null);
    if (next === null) return ended(phrase("template.sync.no_address"));
    if (asked.has(String(next))) return ended(phrase("template.sync.same_page"));
    page = next;
  }
  return ended(phrase("template.sync.endless", { pages: MAX_PAGES }));
}

function queryOf(after: string | null): URLSearchParams {
  const query = new URLSearchParams({ limit: String(ON_A_PAGE), fields: FIELDS });
  if (after !== null) query.set("after", after);
  return query;
}

/** The position of the next page. */
type NextPage = {
  /** The cursor to read after; null where Meta gives only an address. */
  readonly cursor: string | null;
  readonly address: URL | null;
  /** Meta says that there is more. */
  readonly isSaid: boolean;
};

/** The next page by what a page says of it, as Meta's Graph API does: a cursor, the whole address, or both. */
function nextOf(paging: unknown, api: string): NextPage {
  const { next, cursors } = readFields(paging);
  const { after } = readFields(cursors);
  const address = typeof next === "string" && next !== "" ? URL.parse(next, api) : null;
  const cursor = typeof after === "string" && after !== "" ? after : address?.searchParams.get("after");
  return { cursor: cursor || null, address, isSaid: next !== undefined && next !== null && next !== "" };
}

/** Meta's code alone: the rest of an answer may name users. */
function faultOf(status: number | null, error: Phrase | null, json: Fields): Phrase {
  const { code } = readFields(json.error);
  const why =
    status === null ? (error ?? phrase("link.no_post_answer")) : phrase("template.sync.status", { status });
  return typeof code === "number" ? phrase("template.sync.coded", { why, code }) : why;
}
