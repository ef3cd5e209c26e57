/** A thread that makes a backup or looks at one, and answers with what came of it. */
import { type BackupWork, runBackupWork } from "./backup-work.ts";

declare const self: Worker;

self.onmessage = (event: MessageEvent<BackupWork>) => {
  self.postMessage(runBackupWork(event.data));
};
