/**
 * Reads a comma-separated list of known words, in capital or small letters; "all" is every one. `unknown` is the
 * first word that is none of them, or null.
 */
export function readList<Word extends string>(
  text: string,
  words: readonly Word[],
  isWord: (text: string) => text is Word,
): { readonly known: readonly Word[]; readonly unknown: string | null } {
  if (text.trim().toLowerCase() === "all") return { known: words, unknown: null };
  const known: Word[] = [];
  for (const item of text.split(",")) {
    const word = item.trim().toUpperCase();
    if (!isWord(word)) return { known, unknown: item.trim() };
    known.push(word);
  }
  return { known: words.filter((word) => known.includes(word)), unknown: null };
}
