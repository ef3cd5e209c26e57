/** What every list says of one number: the appliance-wide one, and those of accounts. */

import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/slices.ts";
import { accountById, listAccountNames } from "../../domain/accounts/accounts.ts";
import type { MessageClass } from "../../domain/accounts/classes.ts";
import {
  EVERYWHERE,
  type SuppressionSource,
  suppressedClasses,
  suppressionsAbout,
} from "../../domain/accounts/suppressions.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { operation } from "./operation.ts";
import { MSISDN, OF_ACCOUNT } from "./parameters.ts";
import { type AdminOutcome, done } from "./refusal.ts";
import { checkListed } from "./suppressions.ts";

export type ListedNumber = {
  /** Null: the appliance-wide list. */
  readonly account_id: string | null;
  readonly account: string | null;
  readonly message_class: MessageClass;
  /** Null of a number that was erased: only that it is on the list is known. */
  readonly source: SuppressionSource | null;
  readonly created_at: string | null;
  readonly note: string | null;
};

export type FoundSuppressions = { readonly msisdn: string; readonly lists: readonly ListedNumber[] };

/** The lists that a number stands on; with an account, its own and the appliance-wide one. In slices: there may be many accounts. */
export async function suppressionFind(
  context: AdminContext,
  number: string,
  account: string | null,
): Promise<AdminOutcome<FoundSuppressions>> {
  const msisdn = checkListed(context, number);
  if (!msisdn.ok) return msisdn;
  const { read } = context.store;
  const named = account === null ? done(null) : findAccount(read, account);
  if (!named.ok) return named;
  const ids = named.value ? [named.value.id] : listAccountNames(read).map(({ id }) => id);
  const pause = createYielder(context.clock);
  const lists: ListedNumber[] = [];
  for (const id of [EVERYWHERE, ...ids]) {
    const entries = suppressionsAbout(read, msisdn.value, id === EVERYWHERE ? [] : [id]);
    for (const messageClass of suppressedClasses(read, id, msisdn.value)) {
      const found = entries.filter((one) => one.accountId === id && one.messageClass === messageClass);
      const whose = id === EVERYWHERE ? null : accountById(read, id);
      // Nothing more is known of what stands there by the name of a number that was erased.
      for (const entry of found.length > 0 ? found : [null]) {
        lists.push({
          account_id: whose?.ulid ?? null,
          account: whose?.name ?? null,
          message_class: messageClass,
          source: entry?.source ?? null,
          created_at: entry ? isoUtc(entry.createdAtMs) : null,
          note: entry?.note ?? null,
        });
      }
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return done({ msisdn: msisdn.value, lists });
}

export const SUPPRESSION_FIND_OPERATIONS = {
  "suppression find": operation({
    may: "suppressions.read",
    does: "reads",
    params: { number: MSISDN, account: OF_ACCOUNT },
    run: (context, { number, account }) => suppressionFind(context, number, account),
  }),
};
