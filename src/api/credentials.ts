/** The scheme is a token (RFC 9110 section 5.6.2), which ends where its characters do. */
const BEARER = /^bearer(?![\w!#$%&'*+.^`|~-]) *(.*)$/is;

/**
 * The API key a request presents as `Authorization: Bearer` or `X-API-Key` (docs/public-api.md section 5), or null: none,
 * or two that differ. A key in the query string is never looked at. A Bearer of any form is presented, so one that is
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
