/** A thread that recomputes the books of the data directory it is given, and answers with what it found. */
import { openToLook } from "../../db/open.ts";
import { openOnDisk } from "../../db/open-database.ts";
import { readMoments } from "../../db/snapshot.ts";
import { recountBooks } from "./books.ts";

declare const self: Worker;

/** `isReadOnly`: the directory was opened to be read alone. */
export type BooksWork = { readonly directory: string; readonly isReadOnly: boolean };

self.onmessage = (event: MessageEvent<BooksWork>) => {
  const { directory, isReadOnly } = event.data;
  self.postMessage(readMoments(directory, recountBooks, isReadOnly ? openToLook : openOnDisk));
};
