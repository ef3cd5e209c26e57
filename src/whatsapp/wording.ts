import type { QueuedBatch, QueuedMessage } from "../messages/queue.ts";
import type { SendingGate } from "../outbound/gate.ts";
import type { Reader } from "../store/read.ts";
import type { WhatIsPosted } from "./post-body.ts";

/** What the templates say of what is to be posted. */
export type Wording = {
  /** Whether the messages of a batch may be posted: their template may be paused, gone, or of another category. */
  readonly gateOf: (read: Reader, batch: QueuedBatch) => SendingGate;
  /** What is posted for a message of a batch that may; null where that cannot be said any more. */
  readonly postOf: (read: Reader, batch: QueuedBatch, message: QueuedMessage) => WhatIsPosted | null;
  /** How long Meta tries to deliver a batch's messages, in milliseconds; null where that is not known. */
  readonly lifeMs: (read: Reader, batchId: number) => number | null;
};

/** Where no template is known, nothing leaves. */
export const NO_WORDING: Wording = {
  gateOf: () => ({ kind: "held", untilMs: null }),
  postOf: () => null,
  lifeMs: () => null,
};
