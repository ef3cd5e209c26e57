import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { PLACEHOLDER } from "../../src/i18n/phrase.ts";
import { isForms, type WordNode } from "../../src/i18n/words.ts";

const ROOM = resolve(import.meta.dir, "../../src/i18n");
export const WORDS_FILE = join(ROOM, "words.gen.d.ts");

/** What is looked up by a code that the server may have and the catalogue not: by the page's file and the place in it. */
const TABLES: ReadonlySet<string> = new Set([
  "access.senders.reasons",
  "access.keys.modes",
  "access.keys.scopeWords",
  "access.webhooks.states",
  "access.webhooks.eventWords",
  "users.states",
  "users.roleHelp",
  "appliance.alarms.outcomes",
  "appliance.appliance.checkStates",
  "appliance.backups.works",
  "appliance.backups.worksDone",
  "appliance.backups.worksFailed",
  "batch.advice",
  "common.classes",
  "common.states",
  "earlier.states",
  "errors.batch.names",
  "errors.number.names",
  "errors.operator.names",
  "errors.time.names",
  "errors.whatsapp.names",
  "money.account.chargeOns",
  "money.account.missings",
  "money.account.textPolicies",
  "money.accounts.billings",
  "money.money.entries",
  "send.names",
  "send.sender.why",
  "traffic.messages.events",
  "traffic.messages.verdicts",
  "traffic.queue.holds",
  "traffic.suppressions.sources",
  "troubles.advice",
  "troubles.checkAdvice",
  "troubles.checks",
  "troubles.rules",
]);

/** The words of the pages in a language, by the name of their file. */
export function pageWords(locale: string): ReadonlyMap<string, WordNode> {
  const files = readdirSync(join(ROOM, locale, "console")).sort();
  return new Map(
    files.map((file) => [
      basename(file, ".json"),
      JSON.parse(readFileSync(join(ROOM, locale, "console", file), "utf8")) as WordNode,
    ]),
  );
}

/** What a value may be by its format; any other is written as it is. */
const VALUE_TYPES: Readonly<Record<string, string>> = {
  number: "number",
  money: "number",
  time: "string | null",
  clock: "string | null",
  day: "string",
  share: "number | null",
  delay: "number | null",
};

/** What the words of a place are filled in with, and in which format a figure stands: `rows:number`. */
export function wordParams(node: WordNode): readonly string[] {
  const templates =
    typeof node === "string" ? [node] : Object.values(node).filter((one) => typeof one === "string");
  const names = templates.flatMap((template) =>
    [...template.matchAll(PLACEHOLDER)].flatMap(([, name, format = ""]) =>
      name === undefined ? [] : [format in VALUE_TYPES ? `${name}:${format}` : name],
    ),
  );
  return [...new Set(names)];
}

/** The text of the file: a type for the words of each page, as the English ones are. */
export function wordTypes(): string {
  const types = [...pageWords("en")].map(
    ([page, node]) => `export type ${typeName(page)} = ${typeOf(node, page)};\n`,
  );
  return (
    "/** The words of each page of the console, written from the English ones by `bun scripts/phrases.ts`. */\n" +
    'import type { Table, Value } from "./words.ts";\n\n' +
    types.join("\n")
  );
}

/** `batch-report` is `BatchReportWords`. */
function typeName(page: string): string {
  return `${page.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}Words`;
}

function typeOf(node: WordNode, place: string): string {
  if (typeof node === "string") return hasNoParams(node) ? "string" : `(${paramsOf(node)}) => string`;
  if (isForms(node))
    return `(${["count: number", ...(hasNoParams(node) ? [] : [paramsOf(node)])].join(", ")}) => string`;
  if (TABLES.has(place)) return "Table";
  const lines = Object.entries(node).map(
    ([name, one]) => `readonly ${JSON.stringify(name)}: ${typeOf(one, `${place}.${name}`)}`,
  );
  return `{\n${lines.join(";\n")};\n}`;
}

function hasNoParams(node: WordNode): boolean {
  return wordParams(node).length === 0;
}

function paramsOf(node: WordNode): string {
  const members = wordParams(node).map((param) => {
    const [name = "", format = ""] = param.split(":");
    return `readonly ${name}: ${VALUE_TYPES[format] ?? "Value"}`;
  });
  return `params: { ${members.join("; ")} }`;
}
