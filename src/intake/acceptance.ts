import type { Account } from "../accounts/accounts.ts";
import { type Policy, policyOf } from "../accounts/policies.ts";
import { priceFor } from "../accounts/prices.ts";
import { assert } from "../base/assert.ts";
import { isWithin } from "../base/hours.ts";
import type { NewId } from "../base/ids.ts";
import { dayOf, isoWeekOf, minuteOfDay } from "../base/zoned-time.ts";
import { type Config, operatorMaxSegments } from "../config/config.ts";
import type { NewBatch } from "../messages/insert.ts";
import type { Tx } from "../store/write.ts";
import type { Acceptance, AcceptedBatch, Intake } from "./accept.ts";
import type { OwnerOf } from "./numbers.ts";
import { planner, type Route } from "./plan.ts";
import type { ScreeningRules } from "./screening.ts";

export type AcceptanceDeps = Intake & {
  readonly config: Config;
  readonly newId: NewId;
  readonly owner: OwnerOf;
};

/** Everything that accepting a batch of an account goes by, as accounts, prices and configuration stand now. */
export function acceptanceFor(
  deps: AcceptanceDeps,
  account: Account,
  batch: NewBatch,
  onAccepted: (tx: Tx, result: AcceptedBatch) => void,
): Acceptance {
  const policy = policyOf(account, deps.config.policy);
  return {
    batch,
    accountTimezone: account.timezone,
    plan: planner({
      body: batch.body,
      region: deps.config.defaults.region,
      owner: deps.owner,
      clock: deps.clock,
      newId: deps.newId,
      routeOf: routesFor(deps, batch),
    }),
    screener: {
      accountId: batch.accountId,
      accountTimezone: account.timezone,
      messageClass: batch.messageClass,
      rules: rulesFor(batch, account.timezone, policy),
      recipientsPerDay: policy.recipientsPerDay,
      recipientsPerMinute: policy.recipientsPerMinute,
      nowMs: batch.createdAt,
      stages: deps.stages,
    },
    onAccepted,
  };
}

function rulesFor(batch: NewBatch, timezone: string, policy: Policy): ScreeningRules {
  const plannedAt = batch.scheduledAt ?? batch.createdAt;
  const isMarketing = batch.messageClass === "MARKETING";
  return {
    isMarketing,
    isWithinHours: !isMarketing || isWithin(policy.marketingHours, minuteOfDay(plannedAt, timezone)),
    marketingPerDay: policy.marketingPerDay,
    marketingPerWeek: policy.marketingPerWeek,
    day: dayOf(plannedAt, timezone),
    week: isMarketing ? isoWeekOf(plannedAt, timezone) : dayOf(plannedAt, timezone),
    plannedAt,
  };
}

/** What each operator means for the batch; null for one without a price. */
function routesFor({ config, store, log }: AcceptanceDeps, batch: NewBatch) {
  const known = new Map<string, Route | null>();
  return (code: string): Route | null => {
    const found = known.get(code);
    if (found !== undefined) return found;
    const operator = config.operators[code];
    assert(operator, `operator ${code} owns a prefix, so it is configured`);
    const price = priceFor(store.read, batch.accountId, code, batch.messageClass, operator.price);
    if (price === null) log.error("a batch was refused: the operator has no price", { operator: code });
    const route = price === null ? null : { price, maxSegments: operatorMaxSegments(operator) };
    known.set(code, route);
    return route;
  };
}
