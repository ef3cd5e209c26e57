/** A thread that recomputes the books of the data directory it is given, and answers with what it found. */
import { openToLook } from "../store/open.ts";
import { openOnDisk } from "../store/open-database.ts";
import { readMoments } from "../store/snapshot.ts";
import { recountBooks } from "./books.ts";

declare const self: Worker;

/** `isReadOnly`: the directory was opened to be read alone. */
export type BooksWork = { readonly directory: string; readonly isReadOnly: boolean };

self.onmessage = (event: MessageEvent<BooksWork>) => {
  const { directory, isReadOnly } = event.data;
  self.postMessage(readMoments(directory, recountBooks, isReadOnly ? openToLook : openOnDisk));
};
