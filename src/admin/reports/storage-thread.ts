/** A thread that measures or compacts the database of the data directory that it is given. */

import { compact, openForInspection } from "../../db/connections.ts";
import { openOnDisk } from "../../db/disk.ts";
import { tableSizes } from "../../db/sizes.ts";

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
