/** What an alarm says by mail. Pure. */
import type { Errand } from "./errands.ts";
import { type AlarmLanguage, type AlarmSource, alarmWords } from "./texts.ts";

type Phrases = {
  readonly state: Readonly<Record<"start" | "repeat" | "end", string>>;
  readonly test: string;
  /** What stands between a heading and what it heads. */
  readonly colon: string;
  readonly since: string;
  readonly until: string;
  readonly lasted: string;
  readonly action: string;
  readonly still: string;
  readonly over: string;
  readonly often: (starts: number) => string;
  readonly machine: string;
  readonly health: string;
  readonly more: (rule: string) => string;
};

const PHRASES: Readonly<Record<AlarmLanguage, Phrases>> = {
  en: {
    state: { start: "ALARM", repeat: "STILL", end: "OVER" },
    test: "TEST",
    colon: ": ",
    since: "Since",
    until: "Until",
    lasted: "Lasted",
    action: "What to do",
    still: "This lasts still.",
    over: "This is over. Nothing is to be done any more. What was wrong:",
    often: (starts) => `It came and went: ${starts} times in all.`,
    machine: "Machine",
    health: "Health",
    more: (rule) =>
      `"bendre alert list" shows every alarm; "bendre alert silence ${rule} --until TIME" keeps this rule quiet.`,
  },
  fr: {
    state: { start: "ALARME", repeat: "TOUJOURS", end: "TERMINÉ" },
    test: "ESSAI",
    colon: " : ",
    since: "Depuis",
    until: "Jusqu'à",
    lasted: "Durée",
    action: "À faire",
    still: "Cela dure toujours.",
    over: "C'est terminé, il n'y a plus rien à faire. Ce qui n'allait pas :",
    often: (starts) => `C'est revenu plusieurs fois : ${starts} en tout.`,
    machine: "Machine",
    health: "État",
    more: (rule) =>
      `« bendre alert list » montre toutes les alarmes ; « bendre alert silence ${rule} --until HEURE » fait taire cette règle.`,
  },
};

/** Its subject and its text; times are those of a zone. */
export function alarmMail(
  { news, starts }: Pick<Errand, "news" | "starts">,
  language: AlarmLanguage,
  timezone: string,
  { host, url }: AlarmSource,
): { readonly subject: string; readonly text: string } {
  const say = PHRASES[language];
  const { rule, state, sinceMs, atMs } = news;
  const { title, detail, action } = alarmWords(language, rule, news.facts);
  const head = rule === "test" ? say.test : say.state[state];
  const subject = `[bendre ${host}] ${head}${say.colon}${title}`;
  const line = (name: string, value: string) => `${name}${say.colon}${value}`;
  const when = (epochMs: number) => zoned(epochMs, language, timezone);
  const about =
    rule === "test"
      ? [detail, "", action]
      : [
          ...(state === "end" ? [say.over, ""] : []),
          ...(state === "repeat" ? [say.still, ""] : []),
          detail,
          "",
          line(say.since, when(sinceMs)),
          ...(state === "end" ? [line(say.until, when(atMs)), line(say.lasted, lasted(atMs - sinceMs))] : []),
          ...(starts > 1 ? [say.often(starts)] : []),
          ...(state === "end" ? [] : [line(say.action, action)]),
        ];
  const foot = [line(say.machine, host), line(say.health, url), ...(rule === "test" ? [] : [say.more(rule)])];
  return { subject, text: `${[...about, "", ...foot].join("\n")}\n` };
}

function zoned(epochMs: number, language: AlarmLanguage, timezone: string): string {
  const format = { dateStyle: "full", timeStyle: "medium", timeZone: timezone } as const;
  const locale = language === "en" ? "en-GB" : "fr-FR";
  return `${new Intl.DateTimeFormat(locale, format).format(epochMs)} (${timezone})`;
}

function lasted(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
