/**
 * Sentences of refusals and warnings in another language. They are made in English where the reason is known, with values in them;
 * `{}` stands for a value there, and here `{1}` for the first of them, `{2!}` for the second where that is a sentence itself, or several
 * with `; ` between them. A sentence is one line.
 */

export type Rendering = (sentence: string) => string | null;

type Pattern = { readonly shape: RegExp; readonly words: number; readonly translated: string };

/** A rendering by a list of sentences; null for one that stands not on it. Of several that fit, the one with most words of its own. */
export function renderingBy(sentences: Readonly<Record<string, string>>): Rendering {
  const patterns = Object.entries(sentences).map(([english, translated]) => patternOf(english, translated));
  const ordered = patterns.toSorted((a, b) => b.words - a.words);
  const render: Rendering = (sentence) => {
    for (const { shape, translated } of ordered) {
      const found = shape.exec(sentence);
      if (found) return filled(translated, found.slice(1), render);
    }
    return null;
  };
  return render;
}

function patternOf(english: string, translated: string): Pattern {
  const pieces = english.split("{}");
  const source = pieces.map((piece) => RegExp.escape(piece)).join("(.*?)");
  return { shape: new RegExp(`^${source}$`, "u"), words: pieces.join("").length, translated };
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
