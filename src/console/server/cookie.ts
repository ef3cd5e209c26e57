/** The cookie of a session: for this host alone, never read by a script, never sent by another site. */

/** Over TLS, where the browser itself holds that it is of this host and of TLS alone (RFC 6265bis section 4.1.3.2). */
const OVER_TLS = "__Host-bendre";
const WITHOUT = "bendre";

/** What secrets of sessions look like. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The secret that a browser brought; null where there is none that could be one. */
export function readSessionToken(headers: Headers, isTls: boolean): string | null {
  const name = isTls ? OVER_TLS : WITHOUT;
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && TOKEN.test(value) ? value : null;
}

/** `Set-Cookie` that keeps a secret until the browser is closed. */
export function renderSessionCookie(token: string, isTls: boolean): string {
  return isTls ? `${OVER_TLS}=${token}; ${ATTRIBUTES}; Secure` : `${WITHOUT}=${token}; ${ATTRIBUTES}`;
}

/** `Set-Cookie` that forgets it. */
export function renderExpiredCookie(isTls: boolean): string {
  return `${renderSessionCookie("", isTls)}; Max-Age=0`;
}

const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";
