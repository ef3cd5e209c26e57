import { type HttpsTarget, parseTarget } from "../../https/target.ts";

/** The longest that a client may ask for, as addresses of endpoints are limited. What is filled in may make it longer. */
const MAX_URL_LENGTH = 2048;

/** Whether a client may ask to be told there. */
export function isCallbackUrlAllowed(text: string, mayBePlain: boolean): boolean {
  return text.length <= MAX_URL_LENGTH && readCallbackUrl(text, mayBePlain) !== null;
}

/** Where a callback goes, or null for a text that is no such address. `mayBePlain`: http is taken as well. */
export function readCallbackUrl(text: string, mayBePlain: boolean): HttpsTarget | null {
  if (/[\s\p{Cc}\\]/u.test(text)) return null;
  const target = parseTarget(text);
  return target?.isPlain === true && !mayBePlain ? null : target;
}
