import { finder, type Rule } from "../finding.ts";

const unsound = finder(
  "backup",
  "A backup is a consistent copy, made while sending goes on: its pages, its books and its keys are sound.",
);
/** What a look at a backup finds in it; other refusals speak of the disk. */
const FAULTY = /\d+ fault\(s\)|is not a database|malformed|no backup/;

/** Each backup that was restored for a trial, in the middle of everything. */
export const backupsSound: Rule = ({ commands }) =>
  commands.flatMap(({ name, outcome, endedAtMs, id }) => {
    if (name !== "backup drill" || !outcome || outcome.ok || outcome.code !== "BACKUP_UNSOUND") return [];
    return FAULTY.test(outcome.detail) ? [unsound(endedAtMs ?? 0, outcome.detail, `command ${id}`)] : [];
  });
