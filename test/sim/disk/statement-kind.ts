/** What a statement does to the files of a database, told from its words. */

export type StatementKind =
  | { readonly kind: "read" }
  | { readonly kind: "write" }
  /** `writes`: it takes the right to write at once. */
  | { readonly kind: "begin"; readonly writes: boolean }
  | { readonly kind: "commit" }
  | { readonly kind: "rollback" }
  | { readonly kind: "synchronous"; readonly level: "FULL" | "NORMAL" | "OFF" }
  | { readonly kind: "journal mode" }
  | { readonly kind: "checkpoint"; readonly mode: "PASSIVE" | "FULL" | "RESTART" | "TRUNCATE" };

const READ: StatementKind = { kind: "read" };
const WRITE: StatementKind = { kind: "write" };
const BEFORE_WORDS = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;
const SETTING = /^PRAGMA\s+(\w+)\s*(?:=\s*(\w+)|\(\s*(\w+)\s*\))?/i;

/** Reads the first words; of several statements in one text, the first. */
export function kindOf(sql: string): StatementKind {
  const text = sql.replace(BEFORE_WORDS, "");
  const word = /^\w+/.exec(text)?.[0].toUpperCase() ?? "";
  switch (word) {
    case "BEGIN":
      return { kind: "begin", writes: /^BEGIN\s+(IMMEDIATE|EXCLUSIVE)/i.test(text) };
    case "COMMIT":
    case "END":
      return { kind: "commit" };
    case "ROLLBACK":
      return /^ROLLBACK\s+(TRANSACTION\s+)?TO\b/i.test(text) ? READ : { kind: "rollback" };
    case "PRAGMA":
      return pragma(SETTING.exec(text));
    case "WITH":
      return /\b(INSERT\s+INTO|REPLACE\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b/i.test(text) ? WRITE : READ;
    case "INSERT":
    case "REPLACE":
    case "UPDATE":
    case "DELETE":
    case "CREATE":
    case "DROP":
    case "ALTER":
    case "REINDEX":
      return WRITE;
    case "VACUUM":
      // Into a file of its own.
      return /\bINTO\b/i.test(text) ? READ : WRITE;
    default:
      return READ;
  }
}

function pragma(match: RegExpExecArray | null): StatementKind {
  const value = (match?.[2] ?? match?.[3] ?? "").toUpperCase();
  switch (match?.[1]?.toLowerCase()) {
    case "synchronous":
      if (value === "OFF" || value === "0") return { kind: "synchronous", level: "OFF" };
      if (value === "NORMAL" || value === "1") return { kind: "synchronous", level: "NORMAL" };
      return value === "" ? READ : { kind: "synchronous", level: "FULL" };
    case "wal_checkpoint":
      if (value === "NOOP") return READ;
      if (value === "FULL" || value === "RESTART" || value === "TRUNCATE")
        return { kind: "checkpoint", mode: value };
      return { kind: "checkpoint", mode: "PASSIVE" };
    case "journal_mode":
      return value === "" ? READ : { kind: "journal mode" };
    case "application_id":
    case "user_version":
      return value === "" ? READ : WRITE;
    default:
      return READ;
  }
}
