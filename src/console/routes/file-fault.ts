/** What is wrong with the configuration file, with the line that it is about. Pure. */

export type QuotedFault = {
  /** In the reader's words. */
  readonly text: string;
  /** The line of the file as it stands there; null where the fault quotes none. */
  readonly line: string | null;
};

/** Before a line that a fault quotes (config/broken-toml.ts). */
const QUOTES = "\n    ";

/** The faults of a text that has one a line, each with what it quotes. */
export function faultsIn(text: string): string[] {
  return text.split(/\n(?! {4})/);
}

/** A fault apart from the line that it quotes. */
export function fileFault(inTheirWords: (words: string) => string): (fault: string) => QuotedFault {
  return (fault) => {
    const at = fault.indexOf(QUOTES);
    if (at === -1) return { text: inTheirWords(fault), line: null };
    return { text: inTheirWords(fault.slice(0, at)), line: fault.slice(at + QUOTES.length) };
  };
}
