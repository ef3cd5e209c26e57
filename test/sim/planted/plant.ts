/** A bug that is put into a copy of the source, to see that a simulation finds it. */

export type Plant = {
  /** Short, for the table and the command. */
  readonly name: string;
  /** What the bug does, in words; what an operator or a client would suffer from it. */
  readonly bug: string;
  readonly edits: readonly Edit[];
  /** Options of `bun run sim` with which it is looked for, where the usual ones find it late. */
  readonly options?: readonly string[];
};

/** `find` stands exactly once in the file. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string };

/** The text with the bug in it. @throws when the place is not there, or not the only one. */
export function planted(text: string, { file, find, replace }: Edit): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file}: the place of the plant stands ${places} times: ${find}`);
  return text.replace(find, () => replace);
}
