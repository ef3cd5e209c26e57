/** What is wrong with the configuration file, with the line that it is about. Pure. */

export type QuotedFault = {
  /** In the reader's words. */
  readonly text: string;
  /** The key that it is about, which then stands in no word of the text; null of what is about none. */
  readonly key: string | null;
  /** The line of the file as it stands there; null where the fault quotes none. */
  readonly line: string | null;
};

/** Before a line that a fault quotes (config/broken-toml.ts). */
const QUOTES = "\n    ";

/** What a fault says of a key (config/fault.ts), behind the file and its line. */
const OF_KEY =
  /^(?<place>.+?: )(?<key>[A-Za-z_](?:[\w-]|\.|\[\d+\]|"(?:\\.|[^"\\])*")*): (?<found>found .*)$/s;

/** The faults of a text that has one a line, each with what it quotes. */
export function faultsIn(text: string): string[] {
  return text.split(/\n(?! {4})/);
}

/** A fault apart from the line that it quotes. */
export function fileFault(inTheirWords: (words: string) => string): (fault: string) => QuotedFault {
  return (fault) => {
    const at = fault.indexOf(QUOTES);
    const [said, line] = at === -1 ? [fault, null] : [fault.slice(0, at), fault.slice(at + QUOTES.length)];
    const { place = "", key = null, found = "" } = OF_KEY.exec(said)?.groups ?? {};
    return { text: inTheirWords(key === null ? said : `${place}${found}`), key, line };
  };
}
