/** Flags of `bendre whatsapp-sim` with their values and bounds, the parser of its command line, and its help. */
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import {
  flagRow,
  readSettings,
  renderHelp,
  type Say,
  type SettingFlag,
  type SimulatorInvocation,
  switchFlag,
} from "../usage.ts";
import { cloudCode, isBareStatus } from "./fate.ts";
import { type Failure, parseWaIdForm, SIM_DEFAULTS, type WhatsappSimSettings } from "./settings.ts";
import { SIM_COMMANDS } from "./typed-commands.ts";

/** Reads the words behind `bendre whatsapp-sim`: `--flag value`, `--flag=value`, `--switch`. */
export function parseSimInvocation(words: readonly string[]): SimulatorInvocation<WhatsappSimSettings> {
  return readSettings(words, SIM_FLAGS, SIM_DEFAULTS);
}

const WIDTH = 22;

/** As a person types them; the same in every language. */
const EXAMPLES = [
  "--port 2776 --webhook http://127.0.0.1:8080/whatsapp/webhook",
  "--webhook http://127.0.0.1:8080/whatsapp/webhook --fail 131026:0.2 --lose 0.05 --control",
  "--webhook http://127.0.0.1:8080/whatsapp/webhook --wa-id usual --gone 100000000000002",
];

/** What `bendre whatsapp-sim --help` prints. */
export function simUsage(say: Say = english): string {
  return [
    say(phrase("simulator_help.whatsapp-sim")),
    "",
    say(phrase("simulator_help.whatsapp-sim.usage")),
    "",
    say(phrase("simulator_help.whatsapp-sim.about")),
    "",
    say(phrase("simulator_help.whatsapp-sim.examples")),
    "",
    ...EXAMPLES.map((words) => `  bendre whatsapp-sim ${words}`),
    "",
    ...SIM_FLAGS.map((flag) => row(...flagRow("whatsapp-sim", flag, say))),
    "",
    say(phrase("simulator_help.typed")),
    "",
    ...[...SIM_COMMANDS].map(([name, { words }]) =>
      row(`${name} ${words}`, say(renderHelp("whatsapp-sim", name))),
    ),
    "",
  ].join("\n");
}

function row(left: string, right: string): string {
  return left.length < WIDTH
    ? `  ${left.padEnd(WIDTH)}${right}`
    : `  ${left}\n  ${" ".repeat(WIDTH)}${right}`;
}

/** One flag of `bendre whatsapp-sim`. */
type SimFlag = SettingFlag<WhatsappSimSettings>;

type KeysOf<Value> = {
  [Key in keyof WhatsappSimSettings]: WhatsappSimSettings[Key] extends Value ? Key : never;
}[keyof WhatsappSimSettings];

const MAX_MS = 86_400_000;
const MAX_CODE = 9_999_999;

function whole(name: string, value: string, key: KeysOf<number>, largest: number): SimFlag {
  return {
    name,
    value,
    usual: String(SIM_DEFAULTS[key]),
    read: (settings, word) =>
      /^\d{1,10}$/.test(word) && Number(word) <= largest ? { ...settings, [key]: Number(word) } : null,
  };
}

function share(name: string, key: KeysOf<number>): SimFlag {
  return {
    name,
    value: "P",
    usual: String(SIM_DEFAULTS[key]),
    read: (settings, word) => {
      const found = shareOf(word);
      return found === null ? null : { ...settings, [key]: found };
    },
  };
}

function text(name: string, value: string, key: "appSecret" | "verifyToken"): SimFlag {
  const read: SimFlag["read"] = (settings, word) => (word === "" ? null : { ...settings, [key]: word });
  return { name, value, usual: SIM_DEFAULTS[key], read };
}

const WEBHOOK: SimFlag = {
  name: "webhook",
  value: "URL",
  read: (settings, word) => (/^https?:\/\/[^/?#\s]+/.test(word) ? { ...settings, webhook: word } : null),
};

const FAIL: SimFlag = {
  name: "fail",
  value: "CODE:P",
  read: (settings, word) => {
    const failure = failureOf(word);
    return failure === null ? null : { ...settings, failures: [...settings.failures, failure] };
  },
};

const WA_ID: SimFlag = {
  name: "wa-id",
  value: "FROM=TO",
  read: (settings, word) => {
    const form = parseWaIdForm(word);
    return form === null ? null : { ...settings, waIds: [...settings.waIds, form] };
  },
};

const GONE: SimFlag = {
  name: "gone",
  value: "ID",
  read: (settings, word) =>
    /^\d{1,20}$/.test(word) ? { ...settings, gone: [...settings.gone, word] } : null,
};

/** Every flag, in the order of the help. */
export const SIM_FLAGS: readonly SimFlag[] = [
  whole("port", "N", "port", 65_535),
  WEBHOOK,
  text("app-secret", "S", "appSecret"),
  text("verify-token", "V", "verifyToken"),
  whole("seed", "N", "seed", 4_294_967_295),
  share("lose", "lose"),
  share("lose-answers", "loseAnswers"),
  share("double", "double"),
  whole("disorder", "MS", "disorderMs", MAX_MS),
  FAIL,
  WA_ID,
  GONE,
  whole("delay", "MS", "delayMs", MAX_MS),
  share("read", "read"),
  share("free", "free"),
  whole("throughput", "N", "throughput", 100_000),
  whole("pair-ms", "MS", "pairMs", MAX_MS),
  switchFlag("quiet"),
  switchFlag("json"),
  switchFlag("control"),
];

/** A share: "0.05" and "5" are both five in a hundred, "1" is all. Null for anything else. */
export function shareOf(word: string): number | null {
  if (!/^(\d{1,3}(\.\d{1,6})?|\.\d{1,6})$/.test(word)) return null;
  const number = Number(word);
  if (number <= 1) return number;
  return number <= 100 ? number / 100 : null;
}

function failureOf(word: string): Failure | null {
  const [, digits = "", portion = "", how] = /^(\d{1,7}):([\d.]+)(?::(answer|status))?$/.exec(word) ?? [];
  const share = shareOf(portion);
  const code = Number(digits);
  if (digits === "" || share === null || code > MAX_CODE) return null;
  if (how === "status" && isBareStatus(code)) return null;
  return { code, share, as: how === "status" || how === "answer" ? how : cloudCode(code).as };
}
