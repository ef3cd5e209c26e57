/** The thread that makes large pages of the feed, so that neither sending nor anybody's OTP waits for them. */
import { afterSending } from "../../core/thread.ts";
import { openOnDisk } from "../../db/open-database.ts";
import { pageMaker, type ToPageMaker } from "./page-maker.ts";

declare const self: Worker;

afterSending();
const make = pageMaker(openOnDisk, (said) => {
  // A page is handed over without being copied.
  self.postMessage(said, "body" in said && said.body ? [said.body.buffer] : []);
});
self.onmessage = ({ data }: MessageEvent<ToPageMaker>) => {
  make(data);
  // Ends this thread alone.
  if (data.kind === "end") process.exit();
};
