/** The thread that reads files which people bring: one question in, one answer out. */
import { afterSending } from "../../../core/thread.ts";
import { type FileQuestion, handedBack, workOnFile } from "./file-work.ts";

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<FileQuestion>) => {
  afterSending();
  const answer = workOnFile(data);
  self.postMessage(answer, handedBack(answer));
};
