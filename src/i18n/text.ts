/** Texts by all catalogues: what the server says itself, in answers, terminals and mails. */
import enAlarm from "./en/alarm.json" with { type: "json" };
import enBackup from "./en/backup.json" with { type: "json" };
import enCli from "./en/cli.json" with { type: "json" };
import enCommon from "./en/common.json" with { type: "json" };
import enConfig from "./en/config.json" with { type: "json" };
import enDoctor from "./en/doctor.json" with { type: "json" };
import enFault from "./en/fault.json" with { type: "json" };
import enHealth from "./en/health.json" with { type: "json" };
import enHelp from "./en/help.json" with { type: "json" };
import enLabel from "./en/label.json" with { type: "json" };
import enLink from "./en/link.json" with { type: "json" };
import enMessage from "./en/message.json" with { type: "json" };
import enNetwork from "./en/network.json" with { type: "json" };
import enPlace from "./en/place.json" with { type: "json" };
import enReadiness from "./en/readiness.json" with { type: "json" };
import enRefusal from "./en/refusal.json" with { type: "json" };
import enRow from "./en/row.json" with { type: "json" };
import enSheet from "./en/sheet.json" with { type: "json" };
import enSimulator from "./en/simulator.json" with { type: "json" };
import enSimulatorHelp from "./en/simulator_help.json" with { type: "json" };
import enStore from "./en/store.json" with { type: "json" };
import enTemplate from "./en/template.json" with { type: "json" };
import enValue from "./en/value.json" with { type: "json" };
import enWarning from "./en/warning.json" with { type: "json" };
import enWebhook from "./en/webhook.json" with { type: "json" };
import frAlarm from "./fr/alarm.json" with { type: "json" };
import frBackup from "./fr/backup.json" with { type: "json" };
import frCli from "./fr/cli.json" with { type: "json" };
import frCommon from "./fr/common.json" with { type: "json" };
import frConfig from "./fr/config.json" with { type: "json" };
import frDoctor from "./fr/doctor.json" with { type: "json" };
import frFault from "./fr/fault.json" with { type: "json" };
import frHealth from "./fr/health.json" with { type: "json" };
import frHelp from "./fr/help.json" with { type: "json" };
import frLabel from "./fr/label.json" with { type: "json" };
import frLink from "./fr/link.json" with { type: "json" };
import frMessage from "./fr/message.json" with { type: "json" };
import frNetwork from "./fr/network.json" with { type: "json" };
import frPlace from "./fr/place.json" with { type: "json" };
import frReadiness from "./fr/readiness.json" with { type: "json" };
import frRefusal from "./fr/refusal.json" with { type: "json" };
import frRow from "./fr/row.json" with { type: "json" };
import frSheet from "./fr/sheet.json" with { type: "json" };
import frSimulator from "./fr/simulator.json" with { type: "json" };
import frSimulatorHelp from "./fr/simulator_help.json" with { type: "json" };
import frStore from "./fr/store.json" with { type: "json" };
import frTemplate from "./fr/template.json" with { type: "json" };
import frValue from "./fr/value.json" with { type: "json" };
import frWarning from "./fr/warning.json" with { type: "json" };
import frWebhook from "./fr/webhook.json" with { type: "json" };
import { hasCode, type Locale, type Phrase, type Reader, renderer } from "./phrase.ts";
import { VALUES } from "./values.ts";

const CATALOGUES = {
  en: {
    common: enCommon,
    alarm: enAlarm,
    backup: enBackup,
    cli: enCli,
    config: enConfig,
    doctor: enDoctor,
    fault: enFault,
    health: enHealth,
    help: enHelp,
    label: enLabel,
    place: enPlace,
    value: enValue,
    link: enLink,
    message: enMessage,
    network: enNetwork,
    readiness: enReadiness,
    refusal: enRefusal,
    row: enRow,
    sheet: enSheet,
    simulator: enSimulator,
    simulator_help: enSimulatorHelp,
    store: enStore,
    template: enTemplate,
    warning: enWarning,
    webhook: enWebhook,
  },
  fr: {
    common: frCommon,
    alarm: frAlarm,
    backup: frBackup,
    cli: frCli,
    config: frConfig,
    doctor: frDoctor,
    fault: frFault,
    health: frHealth,
    help: frHelp,
    label: frLabel,
    place: frPlace,
    value: frValue,
    link: frLink,
    message: frMessage,
    network: frNetwork,
    readiness: frReadiness,
    refusal: frRefusal,
    row: frRow,
    sheet: frSheet,
    simulator: frSimulator,
    simulator_help: frSimulatorHelp,
    store: frStore,
    template: frTemplate,
    warning: frWarning,
    webhook: frWebhook,
  },
};

/** A phrase as a text for a reader. */
export const t = renderer(CATALOGUES, VALUES);

/** The same as a string, which is written out: a line of a terminal, a mail, an answer of a page. */
export function renderTo(reader: Reader, phrase: Phrase): string {
  return t(phrase, reader) as unknown as string;
}

/** With values as they are. */
export function renderIn(locale: Locale, phrase: Phrase): string {
  return renderTo({ locale, timeZone: null }, phrase);
}

/** The same in English: for lines of the log, and for the public API. */
export function english(phrase: Phrase): string {
  return renderIn("en", phrase);
}

/** An answer with a text in the place of each phrase in it, however deep. */
export function withTexts(value: unknown, reader: Reader): unknown {
  return worded(value, (phrase) => t(phrase, reader));
}

/** The same with the texts that `wordsOf` makes. */
export function worded(value: unknown, wordsOf: (phrase: Phrase) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => worded(one, wordsOf));
  if (typeof value !== "object" || value === null) return value;
  if (isPhrase(value)) return wordsOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, worded(one, wordsOf)]));
}

/** Whether the catalogues have a code. */
export function hasText(code: string): boolean {
  return hasCode(CATALOGUES.en, code);
}

/**
 * Whether an object of an answer is a phrase: a code of an area that the catalogues have, with its parameters and nothing else. A code that
 * another version kept is one too. What a client calls `code`, such as an attribute of a recipient, is none.
 */
function isPhrase(value: object): value is Phrase {
  if (!("code" in value) || typeof value.code !== "string") return false;
  if (!Object.keys(value).every((name) => name === "code" || name === "params")) return false;
  const area = value.code.indexOf(".");
  return area < 0
    ? "params" in value && hasCode(CATALOGUES.en, value.code)
    : Object.hasOwn(CATALOGUES.en, value.code.slice(0, area));
}
