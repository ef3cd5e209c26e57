/** A thread that measures or compacts the database of the data directory that it is given. */
import { compact } from "../store/compact.ts";
import { openToLook } from "../store/open.ts";
import { openOnDisk } from "../store/open-database.ts";
import { tableSizes } from "../store/table-sizes.ts";

declare const self: Worker;

export type StorageWork = {
  readonly what: "measure" | "compact";
  readonly directory: string;
  readonly isReadOnly: boolean;
};

self.onmessage = (event: MessageEvent<StorageWork>) => {
  const { what, directory, isReadOnly } = event.data;
  if (what === "compact") compact(directory);
  self.postMessage(tableSizes(directory, isReadOnly ? openToLook : openOnDisk));
};
