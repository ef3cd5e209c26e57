import type { Quirks } from "./quirks.ts";
import { DEFAULTS, type SmscSettings } from "./smsc-settings.ts";

/** One flag of `bendre smsc`. */
export type SmscFlag = {
  readonly name: string;
  /** Null: the flag stands alone. */
  readonly value: string | null;
  /** What it is unless it is given, as the help shows it behind its meaning. */
  readonly usual?: string;
  /** The settings with this flag's word in them; null when the word makes no sense. */
  readonly read: (settings: SmscSettings, word: string) => SmscSettings | null;
};

type QuirkOf<Value> = { [Key in keyof Quirks]: Quirks[Key] extends Value ? Key : never }[keyof Quirks];
type NumberQuirk = QuirkOf<number>;
type SwitchQuirk = QuirkOf<boolean>;
type SwitchSetting = "quiet" | "json" | "control" | "strict";
type PathSetting = "tlsKey" | "tlsCertificate";

const MAX_AMOUNT = 86_400_000;
const MAX_STATUS = 0xffff_ffff;

/** A quirk that is a whole number. */
export function amount(name: string, key: NumberQuirk): SmscFlag {
  return number(name, "N", key, String(DEFAULTS.quirks[key]), (word) => wholeOf(word, MAX_AMOUNT));
}

export function percent(name: string, key: NumberQuirk): SmscFlag {
  return number(name, "0-100", key, String(DEFAULTS.quirks[key]), (word) => wholeOf(word, 100));
}

/** A quirk that is a command_status, in decimal or as 0x… */
export function status(name: string, key: NumberQuirk): SmscFlag {
  const usual = `0x${DEFAULTS.quirks[key].toString(16).toUpperCase().padStart(2, "0")}`;
  return number(name, "0xNN", key, usual, statusOf);
}

function number(
  name: string,
  value: string,
  key: NumberQuirk,
  usual: string,
  readWord: (word: string) => number | null,
): SmscFlag {
  return {
    name,
    value,
    usual,
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
): SmscFlag {
  return {
    name,
    value: words.join("|"),
    usual: String(DEFAULTS.quirks[key]),
    read: (settings, word) => {
      const found = words.find((known) => known === word);
      return found === undefined ? null : { ...settings, quirks: { ...settings.quirks, [key]: found } };
    },
  };
}

/** A quirk that is there or not. */
export function turn(name: string, key: SwitchQuirk): SmscFlag {
  const read = (settings: SmscSettings) => ({ ...settings, quirks: { ...settings.quirks, [key]: true } });
  return { name, value: null, read };
}

export function switched(name: string, key: SwitchSetting): SmscFlag {
  return { name, value: null, read: (settings) => ({ ...settings, [key]: true }) };
}

export function path(name: string, key: PathSetting): SmscFlag {
  return {
    name,
    value: "FILE",
    read: (settings, word) => (word === "" ? null : { ...settings, [key]: word }),
  };
}

/** A whole number in decimal, up to `largest`; null for anything else. */
export function wholeOf(word: string, largest: number): number | null {
  return /^\d{1,9}$/.test(word) && Number(word) <= largest ? Number(word) : null;
}

function statusOf(word: string): number | null {
  return /^(\d{1,10}|0x[\da-f]{1,8})$/i.test(word) && Number(word) <= MAX_STATUS ? Number(word) : null;
}
