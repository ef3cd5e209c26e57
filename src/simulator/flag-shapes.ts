import type { Quirks } from "./quirks.ts";
import { DEFAULTS, type SmscSettings } from "./smsc-settings.ts";

/** One flag of `bendre smsc`. */
export type SmscFlag = {
  readonly name: string;
  /** Null: the flag stands alone. */
  readonly value: string | null;
  readonly help: string;
  /** The settings with this flag's word in them; null when the word makes no sense. */
  readonly read: (settings: SmscSettings, word: string) => SmscSettings | null;
};

type QuirkOf<Value> = { [Key in keyof Quirks]: Quirks[Key] extends Value ? Key : never }[keyof Quirks];
type NumberQuirk = QuirkOf<number>;
type SwitchQuirk = QuirkOf<boolean>;
type SwitchSetting = "quiet" | "json" | "control" | "strict";
type PathSetting = "tlsKey" | "tlsCertificate";

const LARGEST_AMOUNT = 86_400_000;
const LARGEST_STATUS = 0xffff_ffff;

/** A quirk that is a whole number. */
export function amount(name: string, key: NumberQuirk, help: string): SmscFlag {
  return number(name, "N", key, `${help} [${DEFAULTS.quirks[key]}]`, (word) => wholeOf(word, LARGEST_AMOUNT));
}

export function percent(name: string, key: NumberQuirk, help: string): SmscFlag {
  return number(name, "0-100", key, `${help} [${DEFAULTS.quirks[key]}]`, (word) => wholeOf(word, 100));
}

/** A quirk that is a command_status, in decimal or as 0x… */
export function status(name: string, key: NumberQuirk, help: string): SmscFlag {
  const usual = `0x${DEFAULTS.quirks[key].toString(16).toUpperCase().padStart(2, "0")}`;
  return number(name, "0xNN", key, `${help} [${usual}]`, statusOf);
}

function number(
  name: string,
  value: string,
  key: NumberQuirk,
  help: string,
  readWord: (word: string) => number | null,
): SmscFlag {
  return {
    name,
    value,
    help,
    read: (settings, word) => {
      const found = readWord(word);
      return found === null ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

/** A quirk that takes one of a few words. */
export function oneOf<Key extends keyof Quirks>(
  name: string,
  key: Key,
  words: readonly (Quirks[Key] & string)[],
  help: string,
): SmscFlag {
  return {
    name,
    value: words.join("|"),
    help: `${help} [${DEFAULTS.quirks[key]}]`,
    read: (settings, word) => {
      const found = words.find((known) => known === word);
      return found === undefined ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

/** A quirk that is there or not. */
export function turn(name: string, key: SwitchQuirk, help: string): SmscFlag {
  const read = (settings: SmscSettings) => ({ ...settings, quirks: { ...settings.quirks, [key]: true } });
  return { name, value: null, help, read };
}

export function switched(name: string, key: SwitchSetting, help: string): SmscFlag {
  return { name, value: null, help, read: (settings) => ({ ...settings, [key]: true }) };
}

export function path(name: string, key: PathSetting, help: string): SmscFlag {
  return {
    name,
    value: "FILE",
    help,
    read: (settings, word) => (word === "" ? null : { ...settings, [key]: word }),
  };
}

/** A whole number in decimal, up to `largest`; null for anything else. */
export function wholeOf(word: string, largest: number): number | null {
  return /^\d{1,9}$/.test(word) && Number(word) <= largest ? Number(word) : null;
}

function statusOf(word: string): number | null {
  return /^(\d{1,10}|0x[\da-f]{1,8})$/i.test(word) && Number(word) <= LARGEST_STATUS ? Number(word) : null;
}
