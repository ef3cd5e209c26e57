/** What an alarm says by SMS: one segment of the GSM alphabet. Pure. */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderIn } from "../../i18n/text.ts";
import { countSeptets } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import type { PendingDelivery } from "./errands.ts";
import { type AlertLanguage, renderAlert } from "./texts.ts";

/** Names of machines may be long, and say most at their beginning. */
const MAX_OF_HOST = 20;

/** The machine, how it stands, since when, what; and where to look while it lasts. Times are those of a zone. */
export function renderAlertSms(
  { news, starts }: Pick<PendingDelivery, "news" | "starts">,
  language: AlertLanguage,
  timezone: string,
  host: string,
): string {
  const { rule, state, sinceMs, atMs, facts } = news;
  const say = (what: Phrase): string => inGsm(renderIn(language, what));
  const title = say(renderAlert(rule, facts).title);
  const machine = inGsm(host).slice(0, MAX_OF_HOST);
  if (rule === "test")
    return fitted(title, (kept) =>
      say(phrase("alarm.sms.test", { host: machine, state: phrase("alarm.state.test"), title: kept })),
    );
  const head = {
    host: machine,
    state: phrase(`alarm.state.${state}`),
    often: starts > 1 ? ` x${starts}` : "",
    since: when(sinceMs, timezone),
  };
  if (state !== "end")
    return fitted(title, (kept) => say(phrase("alarm.sms.lasts", { ...head, title: kept })));
  const until = when(atMs, timezone);
  return fitted(title, (kept) => say(phrase("alarm.sms.over", { ...head, until, title: kept })));
}

/** All of it in one segment, the end of the title cut off where there is no room for it. */
function fitted(title: string, textWith: (title: string) => string): string {
  let kept = title;
  while (kept !== "" && split(textWith(kept)).parts.length > 1) kept = kept.slice(0, -1);
  return textWith(kept);
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

/** A text in the GSM alphabet: what is not in it is written as it was before there was such, loses its accent, or is "?". */
function inGsm(text: string): string {
  const has = (character: string) => countSeptets(character.charCodeAt(0)) > 0;
  return [
    ...text
      .replaceAll(/[\u00a0\u202f]/g, " ")
      .replaceAll("’", "'")
      .normalize("NFC"),
  ]
    .map((character) => (has(character) ? character : ([...character.normalize("NFD")].find(has) ?? "?")))
    .join("");
}
