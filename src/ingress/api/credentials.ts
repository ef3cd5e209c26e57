import { type Refusal, refusalOf } from "../../core/failures.ts";
import { parseApiKey } from "../../domain/accounts/api-key.ts";

/** The scheme is a token (RFC 9110 section 5.6.2), which ends where its characters do. */
const BEARER = /^bearer(?![\w!#$%&'*+.^`|~-]) *(.*)$/is;

/**
 * The API key a request presents as `Authorization: Bearer` or `X-API-Key` (docs/public-api.md section 5), or null: none,
 * or two that differ. A Bearer of any form is presented, so one that is
 * no key beside a key is a difference; an `Authorization` of another scheme belongs to a gateway in between and is
 * passed over.
 */
export function presentedKey(headers: Headers): string | null {
  const authorization = headers.get("authorization");
  const scheme = authorization === null ? null : BEARER.exec(authorization);
  const bearer = scheme === null ? null : (scheme[1] ?? "");
  const own = headers.get("x-api-key");
  if (bearer !== null && own !== null) return bearer === own ? bearer : null;
  return bearer ?? own;
}

/** What is told where a query string holds a well-formed key, be it alone or beside a header; null where it holds none. */
export function keyInAddress(url: string): Refusal<"UNAUTHORIZED"> | null {
  const from = url.indexOf("?");
  if (from < 0) return null;
  for (const pair of new URLSearchParams(url.slice(from))) {
    if (pair.some((text) => parseApiKey(text.trim()) !== null)) return refusalOf("UNAUTHORIZED.address");
  }
  return null;
}
