import type { Reader } from "../../db/read.ts";
import {
  type BatchRow,
  batchObject,
  rejectionsOf,
  rejectionsText,
  warningsText,
} from "../../domain/messages/batches.ts";

/** Rejections read and written at a time: a few tens of kilobytes. */
export const REJECTIONS_A_CHUNK = 500;

/**
 * The body of `GET /batches/{batch_id}`: a text while its rejections fit one chunk, else a stream that reads on as
 * fast as the client does, one chunk a `turn`: a socket takes megabytes at once. Rejections of an accepted batch never
 * change, so its pages fit together.
 */
export function streamBatch(
  read: Reader,
  row: BatchRow,
  turn: () => Promise<void>,
): string | ReadableStream<Uint8Array> {
  const head = JSON.stringify({ data: batchObject(row) }).slice(0, -2);
  const opening = `${head},"warnings":${warningsText(row)},"rejections":[`;
  if (row.rejected === 0) return `${opening}]}}`;
  const first = rejectionsOf(read, row, 0, REJECTIONS_A_CHUNK);
  if (first.length < REJECTIONS_A_CHUNK) return `${opening}${rejectionsText(first)}]}}`;

  const encoder = new TextEncoder();
  let isOpen = false;
  let isCancelled = false;
  let nextIndex = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await turn();
        if (isCancelled) return;
        const page = rejectionsOf(read, row, nextIndex, REJECTIONS_A_CHUNK);
        const separator = isOpen && page.length > 0 ? "," : "";
        const isLast = page.length < REJECTIONS_A_CHUNK;
        const text = `${isOpen ? separator : opening}${rejectionsText(page)}${isLast ? "]}}" : ""}`;
        controller.enqueue(encoder.encode(text));
        isOpen = true;
        nextIndex = (page.at(-1)?.index ?? 0) + 1;
        if (isLast) controller.close();
      },
      cancel: () => {
        isCancelled = true;
      },
    },
    { highWaterMark: 1 },
  );
}
