/** The file of who would be sent nothing, before anything is sent. */
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { SHEET_WORDS } from "../sheet-words.ts";
import type { Asked } from "./asked.ts";
import { leftOutLines } from "./left-out-file.ts";
import { numberRules, ownFile } from "./own-file.ts";
import { type Download, download } from "./route.ts";
import { UNREGISTERED } from "./send-reasons.ts";

/**
 * Every row that nothing is sent for, as it stands in the file, with why: those that cannot be read, and the first thousand that the last
 * quote rejected, or whose text would fail at an operator that does not know the sender. Corrected, the file is brought again as it is.
 */
export async function leftOut(
  asked: Asked,
  wanted: string,
  id: string,
  column: number | null,
): Promise<AdminOutcome<Download>> {
  const file = ownFile(asked, wanted, id);
  if (!file.ok) return file;
  const { files, context } = asked;
  const rejected = new Map([
    ...file.value.unreached.map(({ line }) => [line, UNREGISTERED] as const),
    ...file.value.rejected.map(({ line, reason }) => [line, reason] as const),
  ]);
  const about = { bytes: file.value.bytes, column, numbers: numberRules(context.config) };
  const written = await files.spool.write(asked, async () => {
    const read = await files.read(asked, context.machine.startThread, {
      kind: "left out",
      ...about,
      rejected,
    });
    return read.ok ? done(leftOutLines(asked, read.value)) : read;
  });
  if (!written.ok) return written;
  return done(
    download(`${SHEET_WORDS[asked.language].notSent}.csv`, "text/csv; charset=utf-8", written.value),
  );
}
