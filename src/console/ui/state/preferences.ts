/** The reader's choice of language and theme. Until they choose, the browser's preference counts. */
import { effect, signal } from "@preact/signals";
import { keep, kept } from "../browser.ts";
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from "../format.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const keptTheme = THEMES.find((one) => one === kept("theme"));
const keptLanguage = CONSOLE_LANGUAGES.find((one) => one === kept("language"));
const servedLanguage = document.documentElement.lang === "fr" ? "fr" : "en";

export const theme = signal<Theme>(keptTheme ?? "system");
export const language = signal<ConsoleLanguage>(keptLanguage ?? servedLanguage);

/** The zone in which times are shown: the account's, for staff their own. */
export const timezone = signal<string>(Intl.DateTimeFormat().resolvedOptions().timeZone);

effect(() => {
  document.documentElement.lang = language.value;
});
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function chooseLanguage(wanted: ConsoleLanguage): void {
  language.value = wanted;
  keep("language", wanted);
}

export function chooseTheme(wanted: Theme): void {
  theme.value = wanted;
  keep("theme", wanted === "system" ? null : wanted);
}
