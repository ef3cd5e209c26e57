/** A thread that measures or compacts the database of the data directory that it is given. */
import { compact } from "../../db/compact.ts";
import { openForInspection } from "../../db/open.ts";
import { openOnDisk } from "../../db/open-database.ts";
import { tableSizes } from "../../db/table-sizes.ts";

declare const self: Worker;

export type StorageWork = {
  readonly what: "measure" | "compact";
  readonly directory: string;
  readonly isReadOnly: boolean;
};

self.onmessage = (event: MessageEvent<StorageWork>) => {
  const { what, directory, isReadOnly } = event.data;
  if (what === "compact") compact(directory);
  self.postMessage(tableSizes(directory, isReadOnly ? openForInspection : openOnDisk));
};
