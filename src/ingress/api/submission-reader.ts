/**
 * Reads the body of a submission (docs/behaviour.md#bodies): a small one at once; a large one in a thread (`submission-thread.ts`), which
 * exists while there are large ones and hands its recipients back packed as bytes.
 */
import type { Clock } from "../../core/clock.ts";
import { accepted } from "../../core/refusals.ts";
import {
  jsonDigest,
  type PackedSubmission,
  packedBuffers,
  packSubmission,
  type ReadSubmission,
  unpackSubmission,
} from "../../domain/submission/packed-submission.ts";
import { readBatchRequest } from "../../domain/submission/request.ts";
import { SMALL_BYTES } from "../http/body.ts";
import { type JsonOutcome, parseJson, parseJsonWithLongList, readJson } from "../http/json.ts";
import { createOnDemandThread } from "./on-demand-thread.ts";

/** Reads the body of a submission; refused when it is not JSON (docs/behaviour.md#bodies). */
export function readSubmission(bytes: Uint8Array): JsonOutcome<ReadSubmission> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  return accepted({ digest: jsonDigest(json.value), request: readBatchRequest(json.value) });
}

/** Reads a large body in the thread; refused when it is not JSON, which is found because the whole body is gone through. */
export function parsePackedSubmission(bytes: Uint8Array): JsonOutcome<PackedSubmission> {
  return readJson(bytes, (text) => accepted(packSubmission(parseJsonWithLongList(text, "recipients"))));
}

/** The memory that is transferred with the thread's answer, not copied. */
export function listTransfers(outcome: JsonOutcome<PackedSubmission>): ArrayBuffer[] {
  return outcome.ok ? packedBuffers(outcome.value) : [];
}

/** After a body larger than this the thread is ended at once: only so is its memory given back. */
const MAX_RETAINED_BYTES = 1024 * 1024;

export type SubmissionReader = {
  /**
   * Reads a body; refused when it is not JSON. A small one is read at once, in less than a millisecond; large ones in a
   * thread, one after the other, where `bytes` are transferred.
   * @throws Error when the thread dies of it.
   */
  readonly read: (
    bytes: Uint8Array<ArrayBuffer>,
  ) => JsonOutcome<ReadSubmission> | Promise<JsonOutcome<ReadSubmission>>;
  readonly stop: () => void;
};

type Pending = {
  readonly resolve: (read: JsonOutcome<PackedSubmission>) => void;
  readonly reject: (error: Error) => void;
};

/** Reads the bodies of submissions, with a thread that exists while there are large ones. */
export function submissionReader(begin: () => Worker, clock: Clock): SubmissionReader {
  let pending: Pending | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const thread = createOnDemandThread({
    begin,
    clock,
    onAnswer: (answer) => pending?.resolve(answer as JsonOutcome<PackedSubmission>),
    failed: (why) => pending?.reject(new Error(`the thread that reads submissions failed: ${why}`)),
  });
  const readLarge = async (bytes: Uint8Array<ArrayBuffer>): Promise<JsonOutcome<ReadSubmission>> => {
    const size = bytes.byteLength;
    try {
      return unpack(
        await new Promise<JsonOutcome<PackedSubmission>>((resolve, reject) => {
          pending = { resolve, reject };
          thread.ask(bytes, [bytes.buffer]);
        }),
      );
    } finally {
      pending = null;
      if (size > MAX_RETAINED_BYTES) thread.end();
      else thread.rest();
    }
  };
  return {
    read: (bytes) => {
      if (bytes.byteLength <= SMALL_BYTES) return readSubmission(bytes);
      const mine = last.then(() => readLarge(bytes));
      last = mine.catch(() => {});
      return mine;
    },
    stop: thread.end,
  };
}

function unpack(read: JsonOutcome<PackedSubmission>): JsonOutcome<ReadSubmission> {
  return read.ok ? accepted(unpackSubmission(read.value)) : read;
}
