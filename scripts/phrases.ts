/**
 * Writes `src/i18n/phrases.gen.d.ts`, the codes and parameters of all phrases, from the English catalogue: `bun run phrases`, after a
 * phrase was added or its parameters changed.
 */
import { writeFileSync } from "node:fs";
import { PHRASES_FILE, phraseTypes } from "./phrases/phrase-types.ts";

writeFileSync(PHRASES_FILE, phraseTypes());
