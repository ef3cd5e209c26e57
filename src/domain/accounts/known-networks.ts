/** Where a user came in from: what others try under their login elsewhere keeps nobody out there. */
import { networkOf } from "../../core/networks.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { CameFrom } from "./sessions.ts";
import { plainLogin } from "./users.ts";

/** Of one user, those that they came in from last. */
const MAX_NETWORKS = 20;
/** A network is known for this long after its user came in from there. */
export const KNOWN_DAYS = 90;

/** Whether the user of a login came in from there before; asks the same of the database whether there is such a user or not. */
export function isKnownNetwork(read: Reader, login: string, { address }: CameFrom): boolean {
  const sql = `SELECT 1 FROM user_networks
    WHERE user_id = (SELECT id FROM users WHERE login = ?) AND network = ?`;
  return read.get(sql, plainLogin(login), networkOf(address)) !== null;
}

/** Keeps where a user came in from. */
export function keepNetwork(tx: Tx, userId: number, { address }: CameFrom, nowMs: number): void {
  if (address === "") return;
  tx.run(
    `INSERT INTO user_networks (user_id, network, seen_at) VALUES ($userId, $network, $nowMs)
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = $nowMs`,
    { userId, network: networkOf(address), nowMs },
  );
  tx.run(
    `DELETE FROM user_networks WHERE user_id = $userId AND network NOT IN
       (SELECT network FROM user_networks WHERE user_id = $userId ORDER BY seen_at DESC, network LIMIT $most)`,
    { userId, most: MAX_NETWORKS },
  );
}

/** Forgets up to `limit` networks that nobody came in from since an instant, oldest first; how many. */
export function forgetNetworks(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM user_networks WHERE (user_id, network) IN
       (SELECT user_id, network FROM user_networks WHERE seen_at < ? ORDER BY seen_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}
