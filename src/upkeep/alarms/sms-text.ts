/** What an alarm says by SMS: one segment of the GSM alphabet. Pure. */
import { septetsOf } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import type { Errand } from "./errands.ts";
import { type AlarmLanguage, alarmWords } from "./texts.ts";

type Phrases = {
  readonly state: Readonly<Record<"start" | "repeat" | "end", string>>;
  readonly test: string;
  readonly colon: string;
  readonly see: string;
};

const PHRASES: Readonly<Record<AlarmLanguage, Phrases>> = {
  en: {
    state: { start: "ALARM", repeat: "STILL", end: "OVER" },
    test: "TEST",
    colon: ": ",
    see: "See: bendre alert list",
  },
  fr: {
    state: { start: "ALARME", repeat: "TOUJOURS", end: "TERMINÉ" },
    test: "ESSAI",
    colon: " : ",
    see: "Voir : bendre alert list",
  },
};

/** Names of machines may be long, and say most at their beginning. */
const MOST_OF_HOST = 20;

/** The machine, how it stands, since when, what; and where to look while it lasts. Times are those of a zone. */
export function alarmText(
  { news, starts }: Pick<Errand, "news" | "starts">,
  language: AlarmLanguage,
  timezone: string,
  host: string,
): string {
  const say = PHRASES[language];
  const { rule, state, sinceMs, atMs } = news;
  const title = inGsm(alarmWords(language, rule, news.facts).title);
  const machine = inGsm(host).slice(0, MOST_OF_HOST);
  const often = starts > 1 ? ` x${starts}` : "";
  if (rule === "test") return fitted(`${machine} ${say.test}${say.colon}`, title, "");
  const until = state === "end" ? `-${when(atMs, timezone)}` : "";
  const head = `${machine} ${say.state[state]}${often} ${when(sinceMs, timezone)}${until}${say.colon}`;
  return fitted(head, title, state === "end" ? "" : `. ${say.see}`);
}

/** All of it in one segment, the end of the title cut off where there is no room for it. */
function fitted(head: string, title: string, tail: string): string {
  let kept = title;
  while (kept !== "" && split(`${head}${kept}${tail}`).parts.length > 1) kept = kept.slice(0, -1);
  return `${head}${kept}${tail}`;
}

/** Day, month and time, as in 02/03 09:12. */
function when(epochMs: number, timezone: string): string {
  const two = "2-digit" as const;
  const format = {
    day: two,
    month: two,
    hour: two,
    minute: two,
    hourCycle: "h23",
    timeZone: timezone,
  } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(epochMs).replace(",", "");
}

/** A text in the GSM alphabet: what is not in it loses its accent, or is "?". */
function inGsm(text: string): string {
  const has = (character: string) => septetsOf(character.charCodeAt(0)) > 0;
  return [...text.normalize("NFC")]
    .map((character) => (has(character) ? character : ([...character.normalize("NFD")].find(has) ?? "?")))
    .join("");
}
