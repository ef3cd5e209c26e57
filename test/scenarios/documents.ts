import type { Sentence } from "./sentence.ts";
import { behaviour } from "./sentences/behaviour.ts";
import { publicApi } from "./sentences/public-api.ts";

/** A document whose sentences are kept, by the word that stands for it in a tag: `// Keeps: public-api 4.1.3`. */
export type Document = { readonly name: string; readonly sentences: readonly Sentence[] };

export const DOCUMENTS: readonly Document[] = [
  { name: "public-api", sentences: publicApi },
  { name: "behaviour", sentences: behaviour },
];
