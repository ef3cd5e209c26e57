/**
 * Sentences of refusals and warnings in another language. They are made in English where the reason is known, with values in them;
 * `{}` stands for a value there, and here `{1}` for the first of them, `{2!}` for the second where that is a sentence itself, or several
 * with `; ` between them. A sentence is one line.
 */

export type Rendering = (sentence: string) => string | null;

/** A sentence by what stands between its values. */
type Pattern = { readonly pieces: readonly string[]; readonly words: number; readonly translated: string };

/** A rendering by a list of sentences; null for one that stands not on it. Of several that fit, the one with most words of its own. */
export function renderingBy(sentences: Readonly<Record<string, string>>): Rendering {
  const patterns = Object.entries(sentences).map(([english, translated]) => patternOf(english, translated));
  const ordered = patterns.toSorted((a, b) => b.words - a.words);
  const render: Rendering = (sentence) => {
    if (LINE_END.test(sentence)) return null;
    for (const { pieces, translated } of ordered) {
      const values = valuesBetween(pieces, sentence);
      if (values !== null) return filled(translated, values, render);
    }
    return null;
  };
  return render;
}

function patternOf(english: string, translated: string): Pattern {
  const pieces = english.split("{}");
  return { pieces, words: pieces.join("").length, translated };
}

const LINE_END = /[\n\r\u2028\u2029]/;

/**
 * What stands between the pieces of a sentence, each as short as it can be; null where it is another sentence. By hand: a pattern with
 * several values takes the power of their number where a value holds what is between them.
 */
function valuesBetween(pieces: readonly string[], sentence: string): readonly string[] | null {
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return sentence === first ? [] : null;
  if (!sentence.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const piece of others) {
    const next = sentence.indexOf(piece, at);
    if (next < 0) return null;
    values.push(sentence.slice(at, next));
    at = next + piece.length;
  }
  const end = sentence.length - last.length;
  if (end < at || !sentence.endsWith(last)) return null;
  return [...values, sentence.slice(at, end)];
}

function filled(translated: string, values: readonly string[], render: Rendering): string {
  return translated.replaceAll(/\{(\d+)(!?)\}/g, (_, place: string, isSentence: string) => {
    const value = values[Number(place) - 1] ?? "";
    return isSentence === "" ? value : rendered(value, render);
  });
}

function rendered(value: string, render: Rendering): string {
  return (
    render(value) ??
    value
      .split("; ")
      .map((part) => render(part) ?? part)
      .join("\u00a0; ")
  );
}
