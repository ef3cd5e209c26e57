/** A flag that is typed `--name VALUE` or `--name=VALUE`, or `--name` alone when `value` is null. */
type FlagShape = { readonly name: string; readonly value: string | null };

/** The parsed command line: flags in their order, and the words that are neither flags nor their values. */
type ReadFlags<Flag> =
  | {
      readonly kind: "read";
      /** The value is null when it is missing, and "" where the flag takes none. */
      readonly given: readonly (readonly [flag: Flag, value: string | null])[];
      readonly places: readonly string[];
    }
  /** There is no flag of this name; or there is, but it takes no value, and one was typed. */
  | { readonly kind: "wrong"; readonly name: string; readonly isKnown: boolean };

/** Parses the words behind a command. Behind `--` nothing is a flag; `-h` is `--help`. */
export function readFlags<Flag extends FlagShape>(
  words: readonly string[],
  flags: readonly Flag[],
): ReadFlags<Flag> {
  const given: [Flag, string | null][] = [];
  const places: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return { kind: "read", given, places: [...places, ...words.slice(at + 1)] };
    if (!isFlag(word)) {
      places.push(word);
      continue;
    }
    const [name = "", inline] = word === "-h" ? ["help"] : word.replace(/^--?/, "").split(/=(.*)/s);
    const flag = flags.find((known) => known.name === name);
    if (!flag) return { kind: "wrong", name, isKnown: false };
    if (flag.value === null) {
      if (inline !== undefined) return { kind: "wrong", name, isKnown: true };
      given.push([flag, ""]);
    } else {
      const value = inline ?? words[++at];
      const isMissing = value === undefined || (inline === undefined && isFlag(value));
      given.push([flag, isMissing ? null : value]);
    }
  }
  return { kind: "read", given, places };
}

/** `-500` is an amount; anything else that starts with a dash is a flag. */
export function isFlag(word: string): boolean {
  return word.startsWith("-") && word !== "-" && !/^-\d/.test(word);
}
