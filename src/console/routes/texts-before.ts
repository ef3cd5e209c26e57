/** What the batches of a family said to each number that has a text of theirs, for rows that say something else. */
import { slicer } from "../../base/slices.ts";
import { batchById, batchWritten } from "../../messages/batches.ts";
import type { FamilyBatch } from "../../messages/corrections.ts";
import { earlierTexts } from "../../messages/earlier.ts";
import { writtenIn } from "../../operations/batch-text.ts";
import type { Reader } from "../../store/read.ts";
import { compileTemplate } from "../../text/template.ts";
import type { EarlierNumber } from "../send/earlier-rows.ts";
import { type SaidBefore, textMark, type Written } from "../send/said-before.ts";
import type { Asked } from "./asked.ts";

/** Read in slices beside other work. */
export async function saidBefore(
  { context }: Asked,
  batches: readonly FamilyBatch[],
  numbers: ReadonlyMap<string, EarlierNumber>,
): Promise<SaidBefore> {
  const { read } = context.store;
  const written = batches.map(({ id }) => howWritten(read, id));
  const marks = new Map<string, string>();
  const pause = slicer(context.clock);
  for (const [place, batch] of batches.entries()) {
    if (written[place] === null) continue;
    for (const texts of earlierTexts(read, batch)) {
      for (const { msisdn, text } of texts) {
        if (hasFrom(numbers.get(msisdn), place)) marks.set(msisdn, textMark(text));
      }
      await pause();
    }
  }
  return { marks, written };
}

/** The texts themselves, of a few numbers. */
export async function textsTo(
  { context }: Asked,
  batches: readonly FamilyBatch[],
  few: readonly { readonly msisdn: string; readonly batch: number }[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = Map.groupBy(few, ({ batch }) => batch);
  const found = new Map<string, string>();
  const pause = slicer(context.clock);
  for (const [place, rows] of wanted) {
    const numbers = new Set(rows.map(({ msisdn }) => msisdn));
    const batch = batches[place];
    if (!batch) continue;
    for (const texts of earlierTexts(context.store.read, batch)) {
      for (const { msisdn, text } of texts) if (numbers.has(msisdn)) found.set(msisdn, text);
      await pause();
    }
  }
  return found;
}

function hasFrom(number: EarlierNumber | undefined, place: number): boolean {
  return number !== undefined && number.state !== "FAILED" && number.batch === place;
}

/** What was sent again to those who failed was written in the batch before. */
function howWritten(read: Reader, id: number): Written | null {
  const own = writtenIn(read, id);
  const written = batchWritten(read, own);
  const policy = batchById(read, own)?.text_policy;
  const { hasTags } = compileTemplate(written.body, written.otherTags);
  return policy !== undefined && hasTags ? { ...written, policy } : null;
}
