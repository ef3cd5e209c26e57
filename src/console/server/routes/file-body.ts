import type { Clock } from "../../../core/clock.ts";
import { type Phrase, phrase } from "../../../i18n/phrase.ts";
import { declaredBytes, readBody } from "../../../ingress/http/body.ts";
import type { BodyClaim } from "../../../ingress/http/body-budget.ts";

/** A file as somebody brought it, or why it was not read. */
export type FileBody =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly isTooLarge: false; readonly detail: Phrase }
  | { readonly ok: false; readonly isTooLarge: true };

export type FileBodyDeps = {
  readonly clock: Clock;
  /** Of memory; the caller's to release. */
  readonly claim: (longest: number) => BodyClaim;
  readonly mostBytes: number;
};

/** Sixteen megabytes over a slow telephone line. One that drips gives way as soon as somebody else waits for its memory. */
const DEADLINE_MS = 600_000;

/** Reads a file that is the whole body of a request. One that says that it is too large is refused before anything of it is read. */
export async function readFileBody(
  request: Request,
  { clock, claim, mostBytes }: FileBodyDeps,
): Promise<FileBody> {
  const declared = declaredBytes(request.headers);
  if (declared !== null && declared > mostBytes) return { ok: false, isTooLarge: true };
  if (request.headers.has("content-encoding")) {
    return { ok: false, isTooLarge: false, detail: phrase("refusal.VALIDATION_FAILED.encoding") };
  }
  const read = await readBody(request, mostBytes, clock, claim, DEADLINE_MS);
  if (read.ok) return { ok: true, bytes: read.value };
  return read.isTooLarge
    ? { ok: false, isTooLarge: true }
    : { ok: false, isTooLarge: false, detail: read.refusal.detail };
}
