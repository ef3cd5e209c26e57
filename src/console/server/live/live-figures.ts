/** The figures of the start pages: requested once by a page, then streamed as they change. */

import type { AdminContext } from "../../../admin/operations/context.ts";
import { assert } from "../../../core/assert.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Reader } from "../../../db/reader.ts";
import { accountById } from "../../../domain/accounts/accounts.ts";
import type { Reader as PageReader } from "../../../i18n/phrase.ts";
import { createDatabaseFigures } from "../../../ops/metrics/database-figures.ts";
import { accountFigures } from "./account-figures.ts";
import { dayFigures } from "./day-figures.ts";
import type { LiveView } from "./live-view.ts";
import { staffFigures } from "./staff-figures.ts";

/** The reader of the figures. */
export type LiveReader = {
  readonly context: AdminContext;
  /** Row id of the account that they are confined to; null for staff. */
  readonly accountId: number | null;
  readonly seesMoney: boolean;
  readonly managesKeys: boolean;
  readonly reader: PageReader;
};

/** Makes the figures of a reader. What has to be counted is counted once for all readers, and cached briefly. */
export function createLiveFigures(read: Reader, clock: Clock): (reader: LiveReader) => Promise<LiveView> {
  const counted = createDatabaseFigures(read, clock);
  const dayOf = dayFigures();
  return async ({ context, accountId, seesMoney, managesKeys, reader }) => {
    if (accountId === null) {
      const [{ queues }, day] = await Promise.all([counted(), dayOf(context, null)]);
      return staffFigures(context, reader, { queues, day, seesMoney });
    }
    const account = accountById(context.store.read, accountId);
    assert(account, "a user's account is not forgotten while the user is there");
    const day = await dayOf(context, account.ulid);
    return accountFigures(context, account, { day, seesMoney, managesKeys });
  };
}
