/** A thread that looks for octets in a file which is open already. */
import { lowerThreadPriority } from "../../../core/thread.ts";
import { countOccurrences } from "../../../db/count-octets.ts";

declare const self: Worker;

export type SearchWork = { readonly file: number; readonly text: string };

self.onmessage = (event: MessageEvent<SearchWork>) => {
  lowerThreadPriority();
  const { file, text } = event.data;
  self.postMessage(countOccurrences(file, Buffer.from(text)));
};
