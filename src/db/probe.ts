/** A commit that proves that the database can be written. */
import { APPLICATION_ID } from "./connections.ts";
import type { Tx } from "./writer.ts";

/**
 * Writes the database's first page again as it is: a commit that needs room and the right to write, and changes nothing
 * that anybody reads.
 */
export function rewriteHeader(tx: Tx): void {
  tx.run(`PRAGMA application_id = ${APPLICATION_ID}`);
}
