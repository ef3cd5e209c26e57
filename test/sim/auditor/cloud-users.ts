/** What users wrote to numbers of WhatsApp and said of their marketing, as calls of the webhook told it; forged ones apart. */
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
/** What Meta said of a template. */
export type TemplateNews = Pick<Called, "atMs" | "takenAtMs"> & {
  readonly name: string;
  readonly event: string;
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
    for (const change of list(parseJson(seen.body), "entry").flatMap((entry) => list(entry, "changes"))) {
      const key = JSON.stringify(change);
      const known = found.get(key) ?? { change, atMs: seen.atMs, takenAtMs: null };
      known.takenAtMs ??= taken.get(seen.id) ?? null;
      found.set(key, known);
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
        ...{ ...about, id: text(told, "id") ?? "", from: text(told, "from") ?? "" },
        text: text(told, "text", "body") ?? "",
      })),
    ),
    preferences: all.flatMap(({ value, about }) =>
      list(value, "user_preferences").map((told) => ({
        ...{ ...about, from: text(told, "wa_id") ?? "", isStop: text(told, "value") === "stop" },
        saidAt: number(told, "timestamp") ?? Number(text(told, "timestamp")),
      })),
    ),
    news: all.flatMap(({ change, value, about }) =>
      text(change, "field") === "message_template_status_update"
        ? [
            {
              ...{ atMs: about.atMs, takenAtMs: about.takenAtMs },
              ...{ name: text(value, "message_template_name") ?? "", event: text(value, "event") ?? "" },
            },
          ]
        : [],
    ),
  };
});
