/** Entry of the thread that makes large pages of the feed, so that sending does not wait for them. */
import { lowerThreadPriority } from "../../core/thread.ts";
import { openOnDisk } from "../../db/disk.ts";
import { createFeedRenderer, type ToFeedRenderer } from "./feed-page.ts";

declare const self: Worker;

lowerThreadPriority();
const make = createFeedRenderer(openOnDisk, (said) => {
  // A page is transferred, not copied.
  self.postMessage(said, "body" in said && said.body ? [said.body.buffer] : []);
});
self.onmessage = ({ data }: MessageEvent<ToFeedRenderer>) => {
  make(data);
  // Ends this thread alone.
  if (data.kind === "end") process.exit();
};
