/** Where a user came in from: what others try under their login elsewhere keeps nobody out there. */
import { toCustomerNetwork } from "../../core/networks.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { ClientOrigin } from "./sessions.ts";
import { normaliseLogin } from "./users.ts";

/** Of one user, those that they came in from last. */
const MAX_NETWORKS = 20;
/** A network is known for this long after its user came in from there. */
export const KNOWN_DAYS = 90;

/** Whether the user of a login came in from there before; asks the same of the database whether there is such a user or not. */
export function isKnownNetwork(read: Reader, login: string, { address }: ClientOrigin): boolean {
  const sql = `SELECT 1 FROM user_networks
    WHERE user_id = (SELECT id FROM users WHERE login = ?) AND network = ?`;
  return read.get(sql, normaliseLogin(login), toCustomerNetwork(address)) !== null;
}

/** Keeps where a user came in from. */
export function recordNetwork(tx: Tx, userId: number, { address }: ClientOrigin, nowMs: number): void {
  if (address === "") return;
  tx.run(
    `INSERT INTO user_networks (user_id, network, seen_at) VALUES ($userId, $network, $nowMs)
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = $nowMs`,
    { userId, network: toCustomerNetwork(address), nowMs },
  );
  tx.run(
    `DELETE FROM user_networks WHERE user_id = $userId AND network NOT IN
       (SELECT network FROM user_networks WHERE user_id = $userId ORDER BY seen_at DESC, network LIMIT $most)`,
    { userId, most: MAX_NETWORKS },
  );
}

/** Forgets up to `limit` networks that nobody came in from since an instant, oldest first; how many. */
export function purgeNetworks(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM user_networks WHERE (user_id, network) IN
       (SELECT user_id, network FROM user_networks WHERE seen_at < ? ORDER BY seen_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}
