/** A thread that recomputes the books of the data directory it is given, and answers with what it found. */
import { openForInspection } from "../../db/open.ts";
import { openOnDisk } from "../../db/open-database.ts";
import { readInSnapshots } from "../../db/snapshot.ts";
import { verifyLedger } from "./books.ts";

declare const self: Worker;

/** `isReadOnly`: the directory was opened to be read alone. */
export type LedgerCheckWork = { readonly directory: string; readonly isReadOnly: boolean };

self.onmessage = (event: MessageEvent<LedgerCheckWork>) => {
  const { directory, isReadOnly } = event.data;
  self.postMessage(readInSnapshots(directory, verifyLedger, isReadOnly ? openForInspection : openOnDisk));
};
