/** A thread that recomputes the books of the data directory it is given, and answers with what it found. */
import { readMoments } from "../store/snapshot.ts";
import { recountBooks } from "./books.ts";

declare const self: Worker;

self.onmessage = (event: MessageEvent<string>) => {
  self.postMessage(readMoments(event.data, recountBooks));
};
