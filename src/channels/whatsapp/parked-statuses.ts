/** Statuses that came before anything is known of their message: they wait for the answer to its post, 72 hours at most. */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { CloudStatus } from "./statuses.ts";

export const UNMATCHED_STATUS_MS = 72 * 3_600_000;

export function storeUnmatchedStatus(tx: Tx, status: CloudStatus, nowMs: number): void {
  tx.run(
    `INSERT INTO whatsapp_parked_statuses (wamid, status, received_at, told) VALUES (?, ?, ?, ?)
     ON CONFLICT (wamid, status) DO NOTHING`,
    status.wamid,
    status.status,
    nowMs,
    JSON.stringify(status),
  );
}

/** Takes the statuses of an id out, in the order in which they came. */
export function takeUnmatchedStatuses(tx: Tx, wamid: string): CloudStatus[] {
  const rows = parkedOf(tx, wamid);
  if (rows.length > 0) tx.run("DELETE FROM whatsapp_parked_statuses WHERE wamid = ?", wamid);
  return rows;
}

function parkedOf(read: Reader, wamid: string): CloudStatus[] {
  return read
    .all<{ told: string }>(
      "SELECT told FROM whatsapp_parked_statuses WHERE wamid = ? ORDER BY received_at LIMIT 16",
      wamid,
    )
    .map(({ told }) => ({ userId: null, waId: null, ...JSON.parse(told) }));
}

/** Whether one has waited since before an instant. */
export function isStatusOld(read: Reader, beforeMs: number): boolean {
  const sql = "SELECT 1 FROM whatsapp_parked_statuses WHERE received_at < ? LIMIT 1";
  return read.get(sql, beforeMs) !== null;
}

/** Drops what has waited too long, up to `limit`; how many. */
export function dropExpiredStatuses(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM whatsapp_parked_statuses WHERE (wamid, status) IN
       (SELECT wamid, status FROM whatsapp_parked_statuses WHERE received_at < ? ORDER BY received_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}
