import { type TProperties, Type } from "typebox";
import { type CaseOf, type Phrase, phrase } from "../i18n/phrase.ts";

/** What stands beside every setting: its meaning, for the manual. What stands in a list has none of its own. */
type Help = { readonly means?: Phrase };

type Whole = Help & {
  /** The unit, where the key's own name does not end in it. */
  readonly unit?: CaseOf<"config.unit">;
  readonly min: number;
  readonly max: number;
  readonly default?: number;
};

/** A whole number between two bounds, both included. */
export function whole({ min, max, ...rest }: Whole) {
  return Type.Integer({ ...rest, minimum: min, maximum: max });
}

/** True or false. */
export function flag(help: Help & { readonly default: boolean }) {
  return Type.Boolean(help);
}

/** One of a few words. */
export function choice<Words extends string[]>(
  words: readonly [...Words],
  help: Help & { readonly default?: Words[number] } = {},
) {
  return Type.Enum(words, help);
}

type Text = Help & {
  /** The rule in the words of an error: "found …, expected <this>". */
  readonly expects: Phrase;
  readonly isValid: (text: string) => boolean;
  readonly default?: string;
  /** True for a text that no error, log or page may show. */
  readonly secret?: boolean;
  /** True for the path of a file, whose content may change under the same name. */
  readonly isFile?: boolean;
};

/** A text that has a rule of its own. */
export function text({ isValid, ...rest }: Text) {
  return Type.Refine(Type.String(rest), isValid);
}

/** A rule for free text: printable and `min` to `max` characters long. */
export function characters(min: number, max: number): Pick<Text, "expects" | "isValid"> {
  return {
    expects:
      min === 0
        ? phrase("config.expects.characters.at_most", { max })
        : phrase("config.expects.characters", { min, max }),
    isValid: (value) => value.length >= min && value.length <= max && !/\p{Cc}/u.test(value),
  };
}

/**
 * A rule for text that goes over the wire as a C-Octet String (SMPP 3.4 section 3.1): plain ASCII, which is all that
 * the protocol has, and `min` to `max` characters long without the octet that ends it.
 */
export function wireText(min: number, max: number): Pick<Text, "expects" | "isValid"> {
  return {
    expects:
      min === 0
        ? phrase("config.expects.wire_text.at_most", { max })
        : phrase("config.expects.wire_text", { min, max }),
    isValid: (value) => value.length >= min && value.length <= max && /^[\x20-\x7e]*$/.test(value),
  };
}

/** The path of a file; "" means none. */
export function file(help: Help) {
  return text({
    ...help,
    isFile: true,
    default: "",
    expects: phrase("config.expects.pem_path"),
    isValid: (value) => !value.includes("\0"),
  });
}

/**
 * A table of known keys. One that is left out counts as empty, so that each key takes its own default; typebox
 * fills in the tables of a record only when they have such a default.
 */
export function table<Keys extends TProperties>(keys: Keys, help: Partial<Help> = {}) {
  return Type.Object(keys, { ...help, additionalProperties: false, default: {} });
}
