import { type Phrase, phrase } from "../i18n/phrase.ts";

/** One thing wrong with a configuration: which key, what stands there, what should. Never a secret's value. */
export type Fault = { readonly key: string; readonly found: Phrase; readonly expected: Phrase };

/** What is found where something is missing. */
export const NOTHING = phrase("config.found.nothing");

/** A step into a document: a key of a table or a position in a list. */
export type Step = string | number;

/** A key's full path as a person would write it: operators.orange.connections[0].window. */
export function keyText(steps: readonly Step[]): string {
  let key = "";
  for (const step of steps) {
    if (typeof step === "number") {
      key += `[${step}]`;
      continue;
    }
    const bare = /^[A-Za-z0-9_-]+$/.test(step) ? step : JSON.stringify(step);
    key += key === "" ? bare : `.${bare}`;
  }
  return key;
}

/** A fault as one line, under the name of the file that has it, with the line there where it is known. */
export function faultLine(file: string, { key, found, expected }: Fault, line: number | null = null): Phrase {
  const place = line === null ? file : `${file}:${line}`;
  return key === ""
    ? phrase("config.fault", { place, found, expected })
    : phrase("config.fault.of_key", { place, key, found, expected });
}
