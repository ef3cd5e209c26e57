/** Routes of an account: what was agreed with it, its balance, its sender ids and templates (docs/public-api.md sections 4.5, 4.6). */
import { type Config, operatorCodes } from "../../../config/config.ts";
import { assert } from "../../../core/assert.ts";
import { renderHours } from "../../../core/calendar.ts";
import { CURRENCY } from "../../../core/money.ts";
import { isSandbox, toLiveId } from "../../../core/sandbox.ts";
import type { Reader } from "../../../db/reader.ts";
import { accountById } from "../../../domain/accounts/accounts.ts";
import { derivePolicy } from "../../../domain/accounts/policies.ts";
import { publicSenders } from "../../../domain/accounts/senders.ts";
import { readBalance } from "../../../domain/ledger/wallet.ts";
import { listAllPrices } from "../../../domain/submission/price-list.ts";
import { dataAnswer } from "../../http/problem.ts";
import { requireCaller } from "../../http/router.ts";
import type { ApiDeps } from "../deps.ts";
import { accountDoc, balanceDoc, sendersDoc, templatesDoc } from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";

/** Adds the routes. */
export function accountRoutes(routes: ApiRoutes, { store, clock, settings, services }: ApiDeps): void {
  const senderIds = (accountId: number) => {
    const senders = publicSenders(store.read, accountId, operatorCodes(settings.now()));
    return { sender_ids: senders, is_sandbox: isSandbox(accountId) };
  };
  routes
    .get(
      "/account",
      ({ exchange }) =>
        dataAnswer(toAccountObject(store.read, settings.now(), requireCaller(exchange).accountId)),
      operation(accountDoc),
    )
    .get(
      "/account/balance",
      ({ exchange }) => dataAnswer(readBalance(store.read, requireCaller(exchange).accountId, clock.nowMs())),
      operation(balanceDoc),
    )
    .get(
      "/sender-ids",
      ({ exchange }) => dataAnswer(senderIds(requireCaller(exchange).accountId)),
      operation(sendersDoc),
    )
    .get(
      "/templates",
      ({ exchange }) => {
        const { accountId } = requireCaller(exchange);
        return dataAnswer({ templates: services.listTemplates(accountId), is_sandbox: isSandbox(accountId) });
      },
      operation(templatesDoc),
    );
}

/**
 * What a client must know of its account to understand the answers that it gets, named as settings and commands name it
 * (docs/behaviour.md#account). A sandbox has the rules and prices of its account.
 */
function toAccountObject(
  read: Reader,
  config: Pick<Config, "operators" | "policy" | "whatsapp">,
  accountId: number,
) {
  const account = accountById(read, toLiveId(accountId));
  assert(account, `the account ${accountId} of a key exists`);
  const policy = derivePolicy(account, config.policy);
  return {
    account_id: account.ulid,
    name: account.name,
    billing_mode: account.billingMode,
    currency: CURRENCY,
    timezone: account.timezone,
    classes: account.classes,
    marketing_hours: renderHours(policy.marketingHours),
    marketing_per_day: policy.marketingPerDay,
    marketing_per_week: policy.marketingPerWeek,
    recipients_per_minute: policy.recipientsPerMinute,
    recipients_per_day: policy.recipientsPerDay,
    text_policy: account.textRules.textPolicy,
    missing_attributes: account.textRules.missingAttributes,
    prices: listAllPrices(config, read, accountId),
    is_sandbox: isSandbox(accountId),
  };
}
