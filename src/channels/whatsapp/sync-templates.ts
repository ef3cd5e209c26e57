/** Reads the templates of every configured account, page by page, and saves each account's list whole or not at all. */

import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { CloudClient } from "./cloud-api.ts";
import { type Fields, jsonOf, readFields } from "./meta-json.ts";
import { type ReadTemplate, readTemplate } from "./read-template.ts";
import { noteSync, saveTemplates } from "./template-rows.ts";

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
    const told = await client.get(page, token, stop);
    const json = readFields(jsonOf(told.answer ?? ""));
    if (told.status !== 200) return ended(faultOf(told.status, told.error, json));
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
function nextOf(told: unknown, api: string): NextPage {
  const { next, cursors } = readFields(told);
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
