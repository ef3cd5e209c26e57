/**
 * By whose clocks the days are that blocks told. A timezone may be changed, and then each block is to tell its days anew: until all of
 * them did, what they told is of other days than what is asked for.
 */
import type { Reader } from "../../../db/read.ts";
import type { Tx } from "../../../db/write.ts";

/** Timezones by the account whose days they make; those of the appliance's own days stand under `APPLIANCE`. */
export type Zones = ReadonlyMap<number, string>;

/** No account has this row. */
export const APPLIANCE = 0;

/** Those among some timezones by which not all is told that was told. */
export function toldOtherwise(read: Reader, zones: Zones): Zones {
  const told = new Map(
    read
      .all<{ id: number; timezone: string }>(
        `SELECT account_id AS id, timezone FROM figure_zones
         WHERE account_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify([...zones.keys()]),
      )
      .map(({ id, timezone }) => [id, timezone]),
  );
  return new Map([...zones].filter(([id, timezone]) => told.get(id) !== timezone));
}

/** Whether anything is told of an account, or of any where it is the appliance's days. */
export function isAnythingTold(read: Reader, accountId: number): boolean {
  return accountId === APPLIANCE
    ? read.get("SELECT 1 FROM block_figures LIMIT 1") !== null
    : read.get("SELECT 1 FROM search_facets WHERE account_id = ? LIMIT 1", accountId) !== null;
}

/** Notes that all is told by some timezones. */
export function recordZones(tx: Tx, zones: Zones): void {
  for (const [accountId, timezone] of zones) {
    tx.run(
      `INSERT INTO figure_zones (account_id, timezone) VALUES (?1, ?2)
       ON CONFLICT (account_id) DO UPDATE SET timezone = ?2`,
      accountId,
      timezone,
    );
  }
}
