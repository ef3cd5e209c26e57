/** A thread that measures or compacts the database of the data directory that it is given. */
import { compact } from "../store/compact.ts";
import { tableSizes } from "../store/table-sizes.ts";

declare const self: Worker;

export type StorageWork = { readonly what: "measure" | "compact"; readonly directory: string };

self.onmessage = (event: MessageEvent<StorageWork>) => {
  const { what, directory } = event.data;
  if (what === "compact") compact(directory);
  self.postMessage(tableSizes(directory));
};
