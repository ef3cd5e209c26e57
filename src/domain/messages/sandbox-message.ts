import type { Reader } from "../../db/read.ts";

/** What of a message whoever plays its operator goes by. */
export type SandboxMessage = { readonly operator: string; readonly segments: number };

/** A message of a sandbox; null where it is gone, or is none of one. */
export function sandboxMessage(read: Reader, id: number): SandboxMessage | null {
  return read.get<SandboxMessage>(
    "SELECT operator, segments FROM messages WHERE id = ? AND account_id < 0",
    id,
  );
}
