/** What an operation answers: a value, or a refusal that commands and pages word alike. */
import {
  accepted,
  type CodeOfCase,
  type Outcome,
  type Refusal,
  type RefusalCase,
  refuse,
} from "../../core/refusals.ts";

/** The refusal codes of administrative operations: the catalogue's, and those worded otherwise. Scripts rely on them. */
export type AdminCode =
  | CodeOfCase<RefusalCase>
  | "INVALID_REASON"
  | "INVALID_REFERENCE"
  | "INVALID_MSISDN"
  | "INVALID_NOTE";

/** A refusal to an administrator, in words that say what to do instead. Never holds a secret. */
export type AdminRefusal = Refusal<AdminCode>;

export type AdminOutcome<T> = Outcome<T, AdminCode>;

export const done = accepted;
export { refuse };

/** The answer to a command that only a running server can do. */
export function serverNotRunning(directory: string) {
  return refuse("SERVER_NOT_RUNNING", { directory });
}
