import { isIP } from "node:net";
import type { HttpsTarget } from "../https/target.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";

/** The longest URL of an endpoint (docs/public-api.md section 8). */
export const MAX_URL_LENGTH = 2048;

/**
 * `https:`, two slashes and an authority, as RFC 9110 section 4.2.2 has it. Parsers of URLs are those of browsers: they
 * read a host into `https:///hook`, `https:hook` and `https:/hook`, which another reader finds elsewhere.
 */
const WRITTEN_OUT = /^https:\/\/[^/?#@]+(?=[/?#]|$)/i;

/** What DNS can hold (RFC 1035 section 2.3.4). */
const MAX_NAME_LENGTH = 253;
const LABEL = /^[^.]{1,63}$/;

/**
 * What is wrong with a URL that somebody wants to register; null when nothing is. Stricter than `readEndpointUrl`,
 * which also reads what was registered before.
 */
export function findEndpointUrlFault(text: string): Phrase | null {
  const read = readEndpointUrl(text);
  if ("fault" in read) return read.fault;
  if (!WRITTEN_OUT.test(text)) return phrase("fault.url.written_out");
  const { host, isAddress } = read.target;
  if (isAddress) return null;
  return host.length <= MAX_NAME_LENGTH && host.split(".").every((label) => LABEL.test(label))
    ? null
    : phrase("fault.url.name");
}

/** Takes an endpoint's URL apart, or says what is wrong with it (docs/public-api.md section 4.8). Asks nobody. */
export function readEndpointUrl(text: string): { readonly target: HttpsTarget } | { readonly fault: Phrase } {
  if (text.length > MAX_URL_LENGTH) return { fault: phrase("fault.too_long", { most: MAX_URL_LENGTH }) };
  // The parser would drop or encode these without a word; the receiver's own log would show another URL.
  if (/[\s\p{Cc}\\]/u.test(text)) return { fault: phrase("fault.url.signs") };
  const url = URL.parse(text);
  if (!url) return { fault: phrase("fault.url") };
  if (url.protocol !== "https:") return { fault: phrase("fault.url.https") };
  if (url.username !== "" || url.password !== "") return { fault: phrase("fault.url.credentials") };
  if (url.port === "0") return { fault: phrase("fault.url.port") };
  // A trailing dot ends an absolute name in DNS and has no place in TLS (RFC 6066 section 3).
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") return { fault: phrase("fault.url.no_host") };
  return {
    target: {
      host,
      isAddress: isIP(host) !== 0,
      port: url.port === "" ? 443 : Number(url.port),
      path: `${url.pathname}${url.search}`,
      authority: url.host,
    },
  };
}
