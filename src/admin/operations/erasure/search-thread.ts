/** A thread that looks for octets in a file which is open already. */
import { afterSending } from "../../../core/thread.ts";
import { placesOf } from "../../../db/octets.ts";

declare const self: Worker;

export type SearchWork = { readonly file: number; readonly text: string };

self.onmessage = (event: MessageEvent<SearchWork>) => {
  afterSending();
  const { file, text } = event.data;
  self.postMessage(placesOf(file, Buffer.from(text)));
};
