import { isIP } from "node:net";
import type { HttpsTarget } from "../https/target.ts";

/** The longest that a client may ask for, as addresses of endpoints are limited. What is filled in may make it longer. */
const LONGEST_URL = 2048;

/** Whether a client may ask to be told there. */
export function mayBeTold(text: string, mayBePlain: boolean): boolean {
  return text.length <= LONGEST_URL && readCallbackUrl(text, mayBePlain) !== null;
}

/** Where a callback goes, or null for a text that is no such address. `mayBePlain`: http is taken as well. */
export function readCallbackUrl(text: string, mayBePlain: boolean): HttpsTarget | null {
  if (/[\s\p{Cc}\\]/u.test(text)) return null;
  const url = /^https?:\/\/[^/?#]/i.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== "" || url.password !== "" || url.port === "0") return null;
  const isPlain = url.protocol === "http:";
  if (isPlain && !mayBePlain) return null;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") return null;
  const port = url.port === "" ? (isPlain ? 80 : 443) : Number(url.port);
  return {
    ...{ host, isAddress: isIP(host) !== 0, port, authority: url.host },
    ...{ path: `${url.pathname}${url.search}`, isPlain },
  };
}
