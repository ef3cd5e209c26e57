/** Names of settings for people, by key. Pure. */
import enConnect from "../../../i18n/en/console/connect.json" with { type: "json" };
import enSettings from "../../../i18n/en/console/settings.json" with { type: "json" };
import enTroubles from "../../../i18n/en/console/troubles.json" with { type: "json" };
import frConnect from "../../../i18n/fr/console/connect.json" with { type: "json" };
import frSettings from "../../../i18n/fr/console/settings.json" with { type: "json" };
import frTroubles from "../../../i18n/fr/console/troubles.json" with { type: "json" };
import type { ConnectWords, SettingsWords, TroublesWords } from "../../../i18n/words.gen.d.ts";
import { inPrint, loadWords, type Table } from "../../../i18n/words.ts";

type Names = SettingsWords & { readonly ofOperator: Table; readonly alarms: Table };

const NAMES: Readonly<Record<"en" | "fr", Names>> = {
  en: namesFrom(loadWords(enSettings), loadWords(enConnect), loadWords(enTroubles)),
  fr: namesFrom(
    loadWords(inPrint(frSettings)),
    loadWords(inPrint(frConnect)),
    loadWords(inPrint(frTroubles)),
  ),
};

/** The form that connects an operator uses the same names. */
function namesFrom(settings: SettingsWords, form: ConnectWords, { rules }: TroublesWords): Names {
  const { name, prefixes, price, host, port, systemId, bind, window, throughput } = form;
  return {
    ...settings,
    alarms: rules,
    ofOperator: {
      name,
      prefixes,
      price,
      "connections.host": host,
      "connections.port": port,
      "connections.system_id": systemId,
      "connections.bind": bind,
      "connections.window": window,
      "connections.throughput": throughput,
      ...settings.operator,
    },
  };
}

/** A code inside a key, with quotes where it needs them. */
const CODE = String.raw`("(?:\\.|[^"\\])*"|[^.[]+)`;
const OPERATOR = new RegExp(String.raw`^operators\.${CODE}$`);
const CONNECTION = new RegExp(String.raw`^operators\.${CODE}\.connections\[(\d+)\]$`);
const NUMBER = new RegExp(String.raw`^whatsapp\.numbers\.${CODE}$`);
const OF_OPERATOR = new RegExp(String.raw`^operators\.${CODE}\.`);
const OF_NUMBER = new RegExp(String.raw`^(whatsapp\.numbers)\.${CODE}\.`);
const MAIL = "alerts.smtp.";
const OF_RULE = /^alerts\.rules\.([a-z_]+)\.([a-z]+)$/;

/** The name of a key, whole or below its operator's table; null where it has none. */
export function renderSettingName(language: "en" | "fr", key: string): string | null {
  const { ofOperator, appliance, mail, alarms, rule: ofRule, tables } = NAMES[language];
  const whole = tableName(tables, key);
  if (whole !== null) return whole;
  const [, rule = "", setting = ""] = OF_RULE.exec(key) ?? [];
  const alarm = own(alarms, rule);
  const told = own(ofRule, setting);
  if (alarm !== null && told !== null) return tables.rule({ alarm, setting: told });
  if (key.startsWith(MAIL)) return own(mail, key.slice(MAIL.length));
  return (
    own(appliance, key.replace(OF_NUMBER, "$1.").replace(/\[\d+\]/, "")) ??
    own(ofOperator, key.replace(OF_OPERATOR, "").replace(/\[\d+\]/, ""))
  );
}

function tableName(tables: SettingsWords["tables"], key: string): string | null {
  const [, operator] = OPERATOR.exec(key) ?? [];
  if (operator !== undefined) return tables.operator({ code: operator });
  const [, of, place] = CONNECTION.exec(key) ?? [];
  if (of !== undefined) return tables.connection({ code: of, place: String(Number(place) + 1) });
  const [, number] = NUMBER.exec(key) ?? [];
  return number === undefined ? null : tables.number({ code: number });
}

function own(names: Table, key: string): string | null {
  return Object.hasOwn(names, key) ? (names[key] ?? null) : null;
}
