/** What an alarm says by mail. Pure. */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { spokenIn } from "../../i18n/text.ts";
import { REGIONS } from "../../i18n/values.ts";
import type { Errand } from "./errands.ts";
import { type AlarmLanguage, type AlarmSource, alarmPhrases } from "./texts.ts";

/** Its subject and its text; times are those of a zone. */
export function alarmMail(
  { news, starts }: Pick<Errand, "news" | "starts">,
  language: AlarmLanguage,
  timezone: string,
  { host, url }: AlarmSource,
): { readonly subject: string; readonly text: string } {
  const say = (what: Phrase): string => spokenIn(language, what);
  const { rule, state, sinceMs, atMs } = news;
  const { title, detail, action } = alarmPhrases(rule, news.facts);
  const isTest = rule === "test";
  const isOver = state === "end";
  const standing = phrase(isTest ? "alarm.state.test" : `alarm.state.${state}`);
  const when = (epochMs: number) => zoned(epochMs, language, timezone);
  const about = isTest
    ? [say(detail), "", say(action)]
    : [
        ...(isOver ? [say(phrase("alarm.mail.over")), ""] : []),
        ...(state === "repeat" ? [say(phrase("alarm.mail.still")), ""] : []),
        say(detail),
        "",
        say(phrase("alarm.mail.since", { at: when(sinceMs) })),
        ...(isOver ? [say(phrase("alarm.mail.until", { at: when(atMs) }))] : []),
        ...(isOver ? [say(phrase("alarm.mail.lasted", { time: lasted(atMs - sinceMs) }))] : []),
        ...(starts > 1 ? [say(phrase("alarm.mail.often", { starts }))] : []),
        ...(isOver ? [] : [say(phrase("alarm.mail.action", { action }))]),
      ];
  const foot = [
    say(phrase("alarm.mail.machine", { host })),
    say(phrase("alarm.mail.health", { url })),
    ...(isTest ? [] : [say(phrase("alarm.mail.more", { rule }))]),
  ];
  return {
    subject: say(phrase("alarm.mail.subject", { host, state: standing, title })),
    text: `${[...about, "", ...foot].join("\n")}\n`,
  };
}

function zoned(epochMs: number, language: AlarmLanguage, timezone: string): string {
  const format = { dateStyle: "full", timeStyle: "medium", timeZone: timezone } as const;
  return `${new Intl.DateTimeFormat(REGIONS[language], format).format(epochMs)} (${timezone})`;
}

function lasted(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
