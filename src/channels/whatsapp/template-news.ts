/** What Meta's webhook tells of templates, as far as it is understood. Pure. */
import { getOwn } from "../../core/own-value.ts";
import type { CloudChange } from "./statuses.ts";
import { readTime } from "./told-json.ts";

/** What happened to a template of an account. */
export type TemplateNews = {
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  /** When it happened, by Meta's clock; null where it does not say. */
  readonly atMs: number | null;
  readonly said: TemplateSaid;
};

export type TemplateSaid =
  /** Nothing is sent with it any more, or for now. `status`: the one that it has. */
  | { readonly kind: "stops"; readonly status: string }
  | { readonly kind: "moved"; readonly category: string }
  /** It will have another category. `movesAtMs`: from when on, where Meta says. */
  | { readonly kind: "will_move"; readonly category: string; readonly movesAtMs: number | null }
  /** What Meta thinks of it now. */
  | { readonly kind: "quality"; readonly quality: string }
  /** It may be sent again, or else: what it says now stands in Meta's list. */
  | { readonly kind: "other"; readonly event: string };

const STATUS_NEWS = "message_template_status_update";
const CATEGORY_NEWS = "template_category_update";
const QUALITY_NEWS = "message_template_quality_update";

/** The fields by which Meta tells of templates. */
export const NEWS_FIELDS = [STATUS_NEWS, CATEGORY_NEWS, QUALITY_NEWS] as const;

/** After these nothing may be sent until a reading says otherwise; each is the status that it leaves. */
const STOPS: readonly string[] = [
  ...["PAUSED", "DISABLED", "REJECTED", "PENDING", "IN_APPEAL", "ARCHIVED"],
  ...["DELETED", "PENDING_DELETION"],
];

const MAX_NAME_LENGTH = 512;

/** Reads a change of one of these fields; null for what is not understood. */
export function readTemplateNews({ waba, field, value, atMs }: CloudChange): TemplateNews | null {
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

/** Of a move that is announced `new_category` is the one that the template still has. */
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
