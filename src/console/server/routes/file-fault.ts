/** What is wrong with the configuration file, with the line that it is about. Pure. */
import { type Phrase, paramsIn, phrase } from "../../../i18n/phrase.ts";

export type QuotedFault = {
  /** In the reader's words. */
  readonly text: string;
  /** The key that it is about, which then stands in no word of the text; null of what is about none. */
  readonly key: string | null;
  /** The line of the file as it stands there; null where the fault quotes none. */
  readonly line: string | null;
};

/** A fault apart from its key, and from the line that it quotes. */
export function toQuotedFault(translate: (words: Phrase) => string): (fault: Phrase) => QuotedFault {
  return (fault) => {
    const ofKey = paramsIn(fault, "config.fault.of_key");
    if (ofKey !== null) {
      const { key, ...told } = ofKey;
      return { text: translate(phrase("config.fault", told)), key: String(key), line: null };
    }
    const quoted = paramsIn(fault, "config.no_toml.quoted");
    if (quoted !== null) {
      const { line, ...told } = quoted;
      return { text: translate(phrase("config.no_toml", told)), key: null, line: String(line) };
    }
    return { text: translate(fault), key: null, line: null };
  };
}
