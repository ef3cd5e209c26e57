/**
 * What users wrote to numbers of WhatsApp and said of their marketing, and what Meta said of templates, as calls of the webhook told it;
 * forged ones apart.
 */
import type { History } from "./history.ts";
import { type Json, list, member, number, parseJson, text } from "./json.ts";
import { once } from "./once.ts";

type Called = {
  /** Digits. */
  readonly from: string;
  readonly phone: string;
  /** When a call that brought it was made first, and when one was answered with 200; null: never. */
  readonly atMs: number;
  readonly takenAtMs: number | null;
};

/** A text, once, however often Meta called for it. */
export type UserText = Called & { readonly id: string; readonly text: string };
export type UserPreference = Called & { readonly isStop: boolean; readonly saidAt: number };
/** What Meta said of a template. `word`: its status, its category, the one that it will have, or what Meta thinks of it. */
export type TemplateNews = Pick<Called, "atMs" | "takenAtMs"> & {
  readonly name: string;
  readonly kind: "status" | "moved" | "announced" | "quality";
  readonly word: string;
  /** Of an announcement: from when on, milliseconds since the epoch. */
  readonly movesAtMs: number | null;
};

type Told = {
  readonly texts: readonly UserText[];
  readonly preferences: readonly UserPreference[];
  readonly news: readonly TemplateNews[];
};

export const textsOf = (history: History): readonly UserText[] => toldByUsers(history).texts;
export const preferencesOf = (history: History): readonly UserPreference[] =>
  toldByUsers(history).preferences;
export const newsOf = (history: History): readonly TemplateNews[] => toldByUsers(history).news;

const toldByUsers = once((history): Told => {
  const taken = new Map<number, number>();
  for (const seen of history.observations) {
    if (seen.kind === "call answer" && seen.status === 200) taken.set(seen.id, seen.atMs);
  }
  const found = new Map<string, { readonly change: Json; readonly atMs: number; takenAtMs: number | null }>();
  for (const seen of history.observations) {
    if (seen.kind !== "call" || seen.isForged) continue;
    for (const entry of list(parseJson(seen.body), "entry")) {
      for (const change of list(entry, "changes")) {
        // What is told again says when it was told first.
        const key = JSON.stringify([member(entry, "time"), change]);
        const known = found.get(key) ?? { change, atMs: seen.atMs, takenAtMs: null };
        known.takenAtMs ??= taken.get(seen.id) ?? null;
        found.set(key, known);
      }
    }
  }
  const all = [...found.values()].map(({ change, ...when }) => {
    const value = member(change, "value");
    const phone = text(value, "metadata", "phone_number_id") ?? "";
    return { change, value, about: { ...when, phone } };
  });
  return {
    texts: all.flatMap(({ value, about }) =>
      list(value, "messages").map((told) => ({
        ...about,
        id: text(told, "id") ?? "",
        from: text(told, "from") ?? "",
        text: wordsOf(told),
      })),
    ),
    preferences: all.flatMap(({ value, about }) =>
      list(value, "user_preferences").map((told) => ({
        ...about,
        from: text(told, "wa_id") ?? "",
        isStop: text(told, "value") === "stop",
        saidAt: number(told, "timestamp") ?? Number(text(told, "timestamp")),
      })),
    ),
    news: all.flatMap(({ change, value, about: { atMs, takenAtMs } }) => {
      const said = newsIn(text(change, "field") ?? "", value);
      return said === null
        ? []
        : [{ ...said, atMs, takenAtMs, name: text(value, "message_template_name") ?? "" }];
    }),
  };
});

/** What a user wrote, or the text of what was pressed or chosen. */
function wordsOf(told: Json): string {
  return (
    text(told, "text", "body") ??
    text(told, "button", "text") ??
    text(told, "interactive", "list_reply", "title") ??
    ""
  );
}

function newsIn(field: string, value: Json): Pick<TemplateNews, "kind" | "word" | "movesAtMs"> | null {
  const said = (kind: TemplateNews["kind"], word: string | null, movesAtMs: number | null = null) =>
    word === null ? null : { kind, word, movesAtMs };
  switch (field) {
    case "message_template_status_update":
      return said("status", text(value, "event"));
    case "message_template_quality_update":
      return said("quality", text(value, "new_quality_score"));
    case "template_category_update": {
      const announced = text(value, "correct_category");
      const seconds = number(value, "category_update_timestamp");
      return announced === null
        ? said("moved", text(value, "new_category"))
        : said("announced", announced, seconds === null ? null : seconds * 1000);
    }
    default:
      return null;
  }
}
