/** A thread that recomputes the books of the data directory it is given, and answers with what it found. */
import { openForInspection, readInSnapshots } from "../../db/connections.ts";
import { openOnDisk } from "../../db/disk.ts";
import { verifyLedger } from "./ledger-verification.ts";

declare const self: Worker;

/** `isReadOnly`: the directory was opened to be read alone. */
export type LedgerCheckWork = { readonly directory: string; readonly isReadOnly: boolean };

self.onmessage = (event: MessageEvent<LedgerCheckWork>) => {
  const { directory, isReadOnly } = event.data;
  self.postMessage(readInSnapshots(directory, verifyLedger, isReadOnly ? openForInspection : openOnDisk));
};
