import { PURGE_OPERATIONS } from "../../operations/storage-purge.ts";
import { STORAGE_OPERATIONS } from "../../reports/storage.ts";
import { commandsOf } from "../commands-of.ts";

export const STORAGE_COMMANDS = commandsOf(
  { ...STORAGE_OPERATIONS, ...PURGE_OPERATIONS },
  { "storage show": { table: { rows: "tables", columns: ["name", "bytes", "rows"] } } },
);
