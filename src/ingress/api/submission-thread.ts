/**
 * Entry of the thread that reads large submissions: parsing 100,000 recipients fills a heap of its own, whose garbage
 * collection holds up nothing else. One message in, one out; large buffers are transferred, not copied.
 */
import { listTransfers, parsePackedSubmission } from "./submission-reader.ts";

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
  const outcome = parsePackedSubmission(data);
  self.postMessage(outcome, listTransfers(outcome));
};
