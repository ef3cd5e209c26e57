import type { Clock } from "../../core/clock.ts";
import { declaredBytes, readBody, SMALL_BYTES } from "../http/body.ts";
import { type Arguments, readArguments } from "./arguments.ts";

/** The longest body: some five thousand numbers. */
const MAX_BYTES = SMALL_BYTES;

/** What a body is said to be, without its parameters. */
export function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** A body of at most 64 KiB, or null for one that is longer, or did not arrive. */
export async function shortBody(request: Request, clock: Clock): Promise<Uint8Array | null> {
  if ((declaredBytes(request.headers) ?? 0) > MAX_BYTES) return null;
  const read = await readBody(request, MAX_BYTES, clock);
  return read.ok ? read.value : null;
}

/** Those of a form come before those of the URL. */
export function joined(form: Uint8Array, query: Arguments): Arguments {
  return new Map([...query, ...readArguments(form)]);
}
