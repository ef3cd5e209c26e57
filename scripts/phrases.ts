/**
 * Writes the types of what the product says from the English catalogue: `src/i18n/phrases.gen.d.ts`, the codes of the server and their
 * parameters, and `src/i18n/words.gen.d.ts`, the words of the console. `bun scripts/phrases.ts`, after a text was added or its parameters changed.
 */
import { writeFileSync } from "node:fs";
import { PHRASES_FILE, phraseTypes } from "./phrases/phrase-types.ts";
import { WORDS_FILE, wordTypes } from "./phrases/word-types.ts";

writeFileSync(PHRASES_FILE, phraseTypes());
writeFileSync(WORDS_FILE, wordTypes());
