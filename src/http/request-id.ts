import type { NewId } from "../base/ids.ts";

/** Characters that are safe in a log line, a header and a support ticket. */
const SAFE = /^[A-Za-z0-9._:-]{1,64}$/;

/** The client's own X-Request-Id when it is at most 64 safe characters, else a new ULID (docs/behaviour.md#request-id). */
export function requestIdFor(headers: Headers, newId: NewId): string {
  const own = headers.get("x-request-id");
  return own !== null && SAFE.test(own) ? own : newId();
}
