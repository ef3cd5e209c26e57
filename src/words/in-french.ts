/**
 * Sentences that were made in English, said in French: refusals, warnings, causes, what happened.
 *
 * They are made where something is known, in English, because scripts read them so. Whoever shows them to people asks here. The
 * dictionary is the catalogue, how it is matched is `sentences.ts`; a sentence that is none of it stays as it is. Pure; knows of no room what it does.
 */
import { PHRASES_AS_SENTENCES } from "./phrases-as-sentences.ts";
import { type Rendering, renderingBy } from "./sentences.ts";
import { typeset } from "./typeset.ts";

/** The French of a sentence; null where there is none. */
export const inFrench = renderingOf(PHRASES_AS_SENTENCES);

function renderingOf(sentences: Readonly<Record<string, string>>): Rendering {
  const all = Object.entries(sentences);
  return renderingBy(Object.fromEntries(all.map(([english, french]) => [english, typeset(french)])));
}

/** Lines as `render` says them, each on its own; those that it does not know stay. Null where it knows none. */
export function linesInFrench(text: string, render: Rendering = inFrench): string | null {
  const lines = text.split("\n").map((line) => ({ line, french: render(line) }));
  return lines.some(({ french }) => french !== null)
    ? lines.map(({ line, french }) => french ?? line).join("\n")
    : null;
}
