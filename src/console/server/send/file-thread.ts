/** The thread that reads uploaded files: one job in, one answer out. */
import { lowerThreadPriority } from "../../../core/thread.ts";
import { answerTransfers, type FileJob, runFileJob } from "./file-jobs.ts";

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<FileJob>) => {
  lowerThreadPriority();
  const answer = runFileJob(data);
  self.postMessage(answer, answerTransfers(answer));
};
