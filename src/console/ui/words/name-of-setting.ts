/** What a setting is called for people, by its key. Pure. */
import {
  APPLIANCE_SETTINGS_EN,
  MAIL_SETTINGS_EN,
  RULE_SETTINGS_EN,
  TABLES_EN,
} from "./appliance-settings-en.ts";
import {
  APPLIANCE_SETTINGS_FR,
  MAIL_SETTINGS_FR,
  RULE_SETTINGS_FR,
  TABLES_FR,
} from "./appliance-settings-fr.ts";
import { SETTINGS_EN, SETTINGS_FR, type SettingNames } from "./setting-names.ts";
import { TROUBLES_EN } from "./troubles-en.ts";
import { TROUBLES_FR } from "./troubles-fr.ts";

type Names = {
  readonly ofOperator: SettingNames;
  readonly ofAppliance: SettingNames;
  readonly ofMail: SettingNames;
  readonly alarms: SettingNames;
  readonly ofRule: SettingNames;
  readonly tables: typeof TABLES_EN;
};

const NAMES: Readonly<Record<"en" | "fr", Names>> = {
  en: {
    ...{ ofOperator: SETTINGS_EN, ofAppliance: APPLIANCE_SETTINGS_EN, alarms: TROUBLES_EN.rules },
    ...{ ofMail: MAIL_SETTINGS_EN, ofRule: RULE_SETTINGS_EN, tables: TABLES_EN },
  },
  fr: {
    ...{ ofOperator: SETTINGS_FR, ofAppliance: APPLIANCE_SETTINGS_FR, alarms: TROUBLES_FR.rules },
    ...{ ofMail: MAIL_SETTINGS_FR, ofRule: RULE_SETTINGS_FR, tables: TABLES_FR },
  },
};

/** A code in a key, which has quotes where it needs them. */
const CODE = String.raw`("(?:\\.|[^"\\])*"|[^.[]+)`;
const OPERATOR = new RegExp(String.raw`^operators\.${CODE}$`);
const CONNECTION = new RegExp(String.raw`^operators\.${CODE}\.connections\[(\d+)\]$`);
const NUMBER = new RegExp(String.raw`^whatsapp\.numbers\.${CODE}$`);
const OF_OPERATOR = new RegExp(String.raw`^operators\.${CODE}\.`);
const OF_NUMBER = new RegExp(String.raw`^(whatsapp\.numbers)\.${CODE}\.`);
const MAIL = "alerts.smtp.";
const OF_RULE = /^alerts\.rules\.([a-z_]+)\.([a-z]+)$/;

/** The name of a key, whole or below its operator's table; null where it has none. */
export function nameOfSetting(language: "en" | "fr", key: string): string | null {
  const { ofOperator, ofAppliance, ofMail, alarms, ofRule, tables } = NAMES[language];
  const whole = tableName(tables, key);
  if (whole !== null) return whole;
  const [, rule = "", setting = ""] = OF_RULE.exec(key) ?? [];
  const alarm = own(alarms, rule);
  const told = own(ofRule, setting);
  if (alarm !== null && told !== null) return tables.rule(alarm, told);
  if (key.startsWith(MAIL)) return own(ofMail, key.slice(MAIL.length));
  return (
    own(ofAppliance, key.replace(OF_NUMBER, "$1.")) ??
    own(ofOperator, key.replace(OF_OPERATOR, "").replace(/\[\d+\]/, ""))
  );
}

function tableName(tables: typeof TABLES_EN, key: string): string | null {
  const [, operator] = OPERATOR.exec(key) ?? [];
  if (operator !== undefined) return tables.operator(operator);
  const [, of, place] = CONNECTION.exec(key) ?? [];
  if (of !== undefined) return tables.connection(of, String(Number(place) + 1));
  const [, number] = NUMBER.exec(key) ?? [];
  return number === undefined ? null : tables.number(number);
}

function own(names: SettingNames, key: string): string | null {
  return Object.hasOwn(names, key) ? (names[key] ?? null) : null;
}
