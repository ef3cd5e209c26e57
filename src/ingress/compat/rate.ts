/** What a text to a number costs by route and price alone, as Jasmin tells rates: money, hours, senders and repetitions are not asked. */

import { deriveCached, type Settings } from "../../config/in-force.ts";
import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import type { Store } from "../../db/store.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import { priceFor } from "../../domain/accounts/prices.ts";
import { normaliseNumber } from "../../domain/submission/numbers.ts";
import { prefixTable } from "../../domain/submission/prefixes.ts";
import { applyTextPolicy } from "../../text/rewrite.ts";
import { normalizeText } from "../../text/segments.ts";

/** The price of a segment, and how many the text takes as it would be sent. */
export type Rate = { readonly price: Xof; readonly segments: number };

/** Null for a number that no operator with a price for the user's class owns. */
export type RateOf = (user: CompatUser, receiver: string, text: string) => Rate | null;

/** Reads prices as they are in force now; one for a process. */
export function createRateQuery({
  settings,
  store,
}: {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
}): RateOf {
  const owner = deriveCached(() => settings.now().operators, prefixTable);
  return ({ accountId, messageClass }, receiver, text) => {
    const { defaults, operators } = settings.now();
    const number = normaliseNumber(receiver, defaults.region, owner());
    if (number.kind !== "routable") return null;
    const { operator } = number;
    const price = priceFor(store.read, accountId, operator, messageClass, operators[operator]?.price);
    if (price === null) return null;
    const account = accountById(store.read, accountId);
    assert(account, "a user of these doors is an account's");
    const { segments } = applyTextPolicy(normalizeText(text), account.textRules.textPolicy).weight;
    return { price, segments };
  };
}
