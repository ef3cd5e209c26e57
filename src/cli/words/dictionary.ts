import type { ToldRefusal } from "../../control/control-message.ts";
import type { Phrase } from "../../i18n/phrase.ts";

/** How the command line renders what stands elsewhere as English sentences. It goes when none does. */
export type Dictionary = {
  /** Help of the simulators: a summary, what a flag means. */
  readonly text: (english: string) => string;
  /** The name of a column. */
  readonly label: (name: string) => string;
  readonly warning: (detail: Phrase, code: string) => string;
  /** A phrase, and what is said in it that is none yet. */
  readonly phrase: (phrase: Phrase) => string;
  /** Why something was refused. */
  readonly refusal: (refusal: ToldRefusal) => string;
  /** A sentence in an answer: a warning, a consequence. */
  readonly sentence: (english: string) => string;
};
