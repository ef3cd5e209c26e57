/**
 * The thread that reads large submissions: parsing 100,000 recipients fills a heap of its own, whose collection holds
 * up nobody. One message in, one out; what is large in them changes hands without being copied.
 */
import { handedOver, parsePackedSubmission } from "./read-submission.ts";

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
  const outcome = parsePackedSubmission(data);
  self.postMessage(outcome, handedOver(outcome));
};
