import type { Reader } from "../../db/read.ts";

export type OperatorWaiting = { readonly operator: string; readonly messages: number };

/** How many messages of a batch have not left, by operator. Read off an index, one entry a message: of 100,000 in a few milliseconds. */
export function waitingByOperator(read: Reader, batchId: number): OperatorWaiting[] {
  return read.all<OperatorWaiting>(
    `SELECT operator, count(*) AS messages FROM messages
     WHERE batch_id = +? AND status = 'QUEUED' GROUP BY operator ORDER BY operator`,
    batchId,
  );
}
