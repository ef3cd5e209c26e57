/**
 * The manual of the configuration: every setting with what it means, what it takes and its default, made of the schema and of the
 * catalogue, so that both languages have one source. `config.example.toml` is the English one below the lines that most need. Pure.
 */
import { getOwn } from "../core/own-value.ts";
import { wrapText } from "../core/terminal-text.ts";
import { type Code, type Locale, type Phrase, phrase } from "../i18n/phrase.ts";
import { hasText, renderIn } from "../i18n/text.ts";
import { describeExpected } from "./faults.ts";
import { SETTINGS, type Setting } from "./settings.ts";

/** Columns of a line of words. */
const WIDTH = 120;

/** Codes that stand for those that people choose. */
const OPERATOR = "orange";
const NUMBER = "main";
const ROUTE = "direct";

/** Mobile ranges of Burkina Faso (docs/behaviour.md#9-burkina-faso-ranges). */
const RANGES = {
  orange: [4, 5, 6, 7, 44, 45, 46, 54, 55, 56, 57, 64, 65, 66, 67, 74, 75, 76, 77],
  moov: [1, 2, 3, 50, 51, 52, 53, 60, 61, 62, 63, 70, 71, 72, 73],
  telecel: [58, 68, 69, 78, 79],
} as const;

function prefixesOf(operator: keyof typeof RANGES): string {
  return `[${RANGES[operator].map((range) => `"226${String(range).padStart(2, "0")}"`).join(", ")}]`;
}

/** What stands in the manual in place of a default: values of operators and numbers, which have none. */
const ILLUSTRATIONS: Readonly<Record<string, string>> = {
  "operators.name": '"Orange Burkina Faso"',
  "operators.prefixes": prefixesOf("orange"),
  "operators.price": "15",
  "operators.routes.order": "1",
  "operators.routes.receipts": "false",
  "operators.routes.cost": '"9"',
  "operators.connections.route": `"${ROUTE}"`,
  "operators.connections.host": '"smsc.orange.example.net"',
  "operators.connections.system_id": '"bendre"',
  "operators.connections.password": `"\${ORANGE_SMPP_PASSWORD}"`,
  "whatsapp.app_secret": `"\${WA_APP_SECRET}"`,
  "whatsapp.verify_token": `"\${WA_VERIFY_TOKEN}"`,
  "whatsapp.numbers.phone_number_id": '"1"',
  "whatsapp.numbers.waba_id": '"2"',
  "whatsapp.numbers.token": `"\${WA_TOKEN}"`,
  "whatsapp.numbers.price.OTP": "6",
  "whatsapp.numbers.price.TRANSACTIONAL": "5",
  "whatsapp.numbers.price.MARKETING": "21",
};

/** Keys that may be left out, and have no default then. */
const MAY_BE_ABSENT = /^(operators\.price|operators\.routes\.(cost|receipts)|whatsapp\.numbers\.price\.\w+)$/;

/** Other operators, each for what it shows. */
const MORE_OPERATORS: readonly { readonly words: Phrase; readonly lines: readonly string[] }[] = [
  {
    words: phrase("manual.example.moov"),
    lines: [
      "[operators.moov]",
      'name = "Moov Africa Burkina Faso"',
      `prefixes = ${prefixesOf("moov")}`,
      "price = 15",
      ...["transmitter", "receiver"].flatMap((bind) => [
        "[[operators.moov.connections]]",
        'host = "smsc.moov.example.net"',
        'system_id = "bendre"',
        `password = "\${MOOV_SMPP_PASSWORD}"`,
        `bind = "${bind}"`,
        ...(bind === "transmitter" ? ["window = 20", "throughput = 50"] : []),
      ]),
    ],
  },
  {
    words: phrase("manual.example.telecel"),
    lines: [
      "[operators.telecel]",
      'name = "Telecel Faso"',
      `prefixes = ${prefixesOf("telecel")}`,
      "price = 18",
      "receipts = false",
      "[[operators.telecel.connections]]",
      'host = "smsc.telecel.example.net"',
      'system_id = "bendre"',
      `password = "\${TELECEL_SMPP_PASSWORD}"`,
      'bind = "transmitter"',
      "throughput = 10",
    ],
  },
];

/** The lines that most need, each with what it is; held back by a `#` are those without which the appliance starts. */
const FIRST_LINES: readonly { readonly line: string; readonly words?: Phrase }[] = [
  { line: "[server]" },
  { line: 'listen = "127.0.0.1:8080"', words: phrase("manual.line.listen") },
  { line: '#public_url = "https://sms.example.bf"', words: phrase("manual.line.public_url") },
  { line: "[storage]" },
  { line: 'directory = "./data"' },
  { line: `#[operators.${OPERATOR}]`, words: phrase("manual.line.operator") },
  { line: '#name = "Orange Burkina Faso"' },
  { line: `#prefixes = ${prefixesOf("orange")}` },
  { line: "#price = 15", words: phrase("manual.line.price") },
  { line: `#[[operators.${OPERATOR}.connections]]`, words: phrase("manual.line.connection") },
  { line: '#host = "smsc.orange.example.net"' },
  { line: "#port = 2775" },
  { line: '#system_id = "bendre"' },
  { line: `#password = "\${ORANGE_SMPP_PASSWORD}"`, words: phrase("manual.line.password") },
  { line: "#throughput = 30", words: phrase("manual.line.throughput") },
];

/** What a new configuration begins as: the lines that most need, and below them the manual. */
export function renderExample(locale: Locale): string {
  const column = 2 + Math.max(...FIRST_LINES.map(({ line, words }) => (words ? line.length : 0)));
  const lines = FIRST_LINES.map(({ line, words }) =>
    words === undefined ? line : `${line.padEnd(column)}# ${renderIn(locale, words)}`,
  );
  return [
    ...comment(locale, phrase("manual.head")),
    ...comment(locale, phrase("manual.head.operator")),
    "",
    ...lines,
    "",
    "",
    renderManual(locale),
  ].join("\n");
}

/** The whole manual, every line of it held back: it can stand in any configuration. */
export function renderManual(locale: Locale): string {
  const begin = [
    ...comment(locale, phrase("manual.begin")),
    "#",
    ...comment(locale, phrase("manual.begin.environment")),
    "#",
    ...comment(locale, phrase("manual.begin.check")),
    ...comment(locale, phrase("manual.begin.units")),
  ];
  const more = MORE_OPERATORS.map(({ words, lines }) =>
    [...comment(locale, words), ...lines.map((line) => `#${line}`)].join("\n"),
  );
  return `${[begin.join("\n"), ...tablesOf(locale, SETTINGS), ...more].join("\n\n\n")}\n`;
}

/** The part of the manual that is about a key or a table; null where nothing has that name. */
export function renderManualOf(locale: Locale, key: string): string | null {
  const found = findSettings(key);
  return found.length === 0 ? null : `${tablesOf(locale, found).join("\n\n\n")}\n`;
}

export type ManualEntry = {
  /** CODE stands for a code that people choose, `[]` for each table of a list. */
  readonly key: string;
  readonly means: Phrase;
  readonly takes: Phrase;
  /** Null where there is none. */
  readonly default: unknown;
};

/** The same as values. */
export function listManual(settings: readonly Setting[] = SETTINGS): readonly ManualEntry[] {
  return settings.map(({ table, key, shape }) => ({
    key: `${table}.${key}`,
    means: meaningOf(shape),
    takes: describeExpected(shape),
    default: shape.default ?? null,
  }));
}

/**
 * The settings that a text names: a key by its full path, with an operator's own code or without, a table with all below it, or a key by
 * its last words, wherever it stands.
 */
export function findSettings(text: string): readonly Setting[] {
  const plain = text.replaceAll(/\[\d*\]/g, "").replaceAll(/[[\]]/g, "");
  const withoutCode = plain
    .replace(/^(operators|whatsapp\.numbers)\.("[^"]*"|[^.]+)/, "$1")
    .replace(/^operators\.routes\.("[^"]*"|[^.]+)/, "operators.routes");
  for (const name of [plain, withoutCode]) {
    const found = SETTINGS.filter((one) => `${plainKey(one)}.`.startsWith(`${name}.`));
    if (found.length > 0) return found;
  }
  return SETTINGS.filter((one) => plainKey(one).endsWith(`.${plain}`));
}

/** Every name that `findSettings` knows in full, tables too. */
export function listNames(): readonly string[] {
  const tables = SETTINGS.flatMap((one) => {
    const steps = plainKey(one).split(".");
    return steps.map((_, at) => steps.slice(0, at + 1).join("."));
  });
  return [...new Set([...tables, ...SETTINGS.map(({ key }) => key)])];
}

/** A setting's path without what stands for codes and places. */
function plainKey({ table, key }: Setting): string {
  return `${plainTable(table)}.${key}`;
}

function plainTable(table: string): string {
  return table.replaceAll(/\.CODE|\[\]/g, "");
}

function tablesOf(locale: Locale, settings: readonly Setting[]): string[] {
  const connection = "operators.CODE.connections[]";
  const byTable = Map.groupBy(settings, ({ table }) => (table.startsWith(connection) ? connection : table));
  return [...byTable].map(([table, own]) => renderTable(locale, table, own));
}

function renderTable(locale: Locale, table: string, settings: readonly Setting[]): string {
  const path = table
    .replace("operators.CODE", `operators.${OPERATOR}`)
    .replace("routes.CODE", `routes.${ROUTE}`)
    .replace("numbers.CODE", `numbers.${NUMBER}`);
  const code = `manual.table.${plainTable(table)}`;
  const words = hasText(code) ? comment(locale, { code: code as Code }) : [];
  const head = path.endsWith("[]") ? `#[[${path.slice(0, -2)}]]` : `#[${path}]`;
  const entries = settings.map((setting) => renderSetting(locale, table, path, setting));
  return [[...words, head].join("\n"), ...entries].join("\n\n");
}

function renderSetting(locale: Locale, table: string, path: string, setting: Setting): string {
  const { shape, key } = setting;
  const plain = plainKey(setting);
  const below = setting.table.slice(table.length + 1);
  const name = below === "" ? key : `${below}.${key}`;
  const isOpenTable = shape.type === "object";
  const value = getOwn(ILLUSTRATIONS, plain) ?? valueText(shape.default);
  return [
    ...comment(locale, meaningOf(shape)),
    ...comment(locale, takesPhrase(plain, setting)),
    ...(isOpenTable ? [`#[${path}.${name}]`, '#"0x45" = "retry"'] : [`#${name} = ${value}`]),
  ].join("\n");
}

function takesPhrase(plain: string, { shape }: Setting): Phrase {
  const expected = describeExpected(shape);
  if (shape.type === "object") return phrase("manual.takes.empty_table", { expected });
  if (MAY_BE_ABSENT.test(plain)) return phrase("manual.takes.no_default", { expected });
  if (shape.default === undefined) return phrase("manual.takes.required", { expected });
  return phrase("manual.takes", { expected, value: valueText(shape.default) });
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(valueText).join(", ")}]` : JSON.stringify(value);
}

function meaningOf({ means }: Setting["shape"]): Phrase {
  if (means === undefined) throw new Error("every setting has a meaning");
  return means;
}

function comment(locale: Locale, words: Phrase): string[] {
  return wrapText(renderIn(locale, words), WIDTH - 2).map((line) => `# ${line}`);
}
