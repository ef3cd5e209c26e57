import type { ToldRefusal } from "../../control/control-message.ts";

/**
 * What the command line says in one language: its own phrases, and how it renders what stands elsewhere in English
 * (help, names of members, refusals). Each language has all of it, or it does not compile.
 */
export type Dictionary = {
  /** Behind a name, before its value. */
  readonly colon: string;
  readonly usage: string;
  readonly anyCall: string;
  readonly commands: string;
  readonly examples: string;
  readonly forOne: (command: string) => string;
  readonly forAny: string;
  readonly forAll: string;
  readonly required: string;
  readonly noCommand: string;
  readonly flagFirst: (flag: string) => string;
  readonly unknownFlag: (name: string) => string;
  readonly takesNoValue: (name: string) => string;
  readonly givenTwice: (name: string) => string;
  readonly needsValue: (name: string, meaning: string) => string;
  readonly oneOf: (name: string, choices: readonly string[]) => string;
  readonly notTogether: (one: string, other: string) => string;
  readonly missing: (what: string) => string;
  readonly unexpected: (word: string) => string;
  readonly needsVerb: (noun: string) => string;
  readonly unknownCommand: (typed: string) => string;
  readonly didYouMean: (meant: string) => string;
  /** While something lasts, after so many seconds. */
  readonly working: (seconds: number) => string;
  /** Whether to go on, the answers that agree, and what is said after another. */
  readonly goOn: string;
  readonly agreements: readonly string[];
  readonly nothingDone: string;
  /** A value that is there, and true or not. */
  readonly yes: string;
  readonly no: string;
  /** A list that holds nothing. */
  readonly none: string;
  /** Between the whole and the fraction of a number. */
  readonly point: string;
  /** Help: a summary, what a flag means. */
  readonly text: (english: string) => string;
  /** The name of a place or a value in a usage, such as ACCOUNT. */
  readonly place: (english: string) => string;
  /** The name of a member of an answer as people read it; a dot leads into an object inside. */
  readonly label: (name: string) => string;
  /** The configuration has a fault, and a server that runs has answered. */
  readonly fileHasFault: string;
  readonly fileIsMissing: string;
  readonly warning: (detail: string, code: string) => string;
  /** Why something was refused. */
  readonly refusal: (refusal: ToldRefusal) => string;
  /** A word that is the value of a member, such as what was done with a file. */
  readonly value: (member: string, english: string) => string;
  /** A sentence in an answer: a warning, a consequence. */
  readonly sentence: (english: string) => string;
};
