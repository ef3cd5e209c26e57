const BEARER = /^bearer +([^\s]+)$/i;

/**
 * The API key a request presents as `Authorization: Bearer` or `X-API-Key` (public-api.md section 5), or null: none,
 * or two that differ. A key in the query string is never looked at. An `Authorization` of another scheme belongs to a
 * gateway in between and is passed over.
 */
export function presentedKey(headers: Headers): string | null {
  const authorization = headers.get("authorization");
  const bearer = authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? null);
  const own = headers.get("x-api-key");
  if (bearer !== null && own !== null) return bearer === own ? bearer : null;
  return bearer ?? own;
}
