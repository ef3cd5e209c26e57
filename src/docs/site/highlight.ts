/** Colours code in the pages, by highlight.js. */
import { escaped } from "./escape.ts";

type Highlighter = {
  readonly registerLanguage: (name: string, grammar: unknown) => void;
  readonly highlight: (code: string, options: { readonly language: string }) => { readonly value: string };
};

// Loaded without its types: they bring those of a browser along, which would hide faults in all other code.
const highlighter: Highlighter = require("highlight.js/lib/core");

/** The languages that are coloured, by the word after the fence. */
const GRAMMARS: Readonly<Record<string, unknown>> = {
  sh: require("highlight.js/lib/languages/bash"),
  python: require("highlight.js/lib/languages/python"),
  js: require("highlight.js/lib/languages/javascript"),
  php: require("highlight.js/lib/languages/php"),
  java: require("highlight.js/lib/languages/java"),
  go: require("highlight.js/lib/languages/go"),
  ruby: require("highlight.js/lib/languages/ruby"),
  json: require("highlight.js/lib/languages/json"),
};
for (const [name, grammar] of Object.entries(GRAMMARS)) highlighter.registerLanguage(name, grammar);

/** The HTML of a program or document, with its parts in spans of the classes `hljs-…`; in an unknown language without. */
export function highlight(code: string, language: string): string {
  return language in GRAMMARS ? highlighter.highlight(code, { language }).value : escaped(code);
}
