/** Routes of an account: its balance and its sender ids (docs/public-api.md sections 4.5, 4.6). */
import { operatorCodes } from "../../../config/config.ts";
import { isSandbox } from "../../../core/sandbox.ts";
import { publicSenders } from "../../../domain/accounts/senders.ts";
import { readBalance } from "../../../domain/ledger/wallet.ts";
import { dataAnswer } from "../../http/problem.ts";
import { requireCaller } from "../../http/router.ts";
import type { ApiDeps } from "../deps.ts";
import { balanceDoc, sendersDoc, templatesDoc } from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";

/** The account's balance, its sender identities and templates (docs/public-api.md sections 4.5 and 4.6). */
export function accountRoutes(routes: ApiRoutes, { store, clock, settings, services }: ApiDeps): void {
  const senderIds = (accountId: number) => {
    const senders = publicSenders(store.read, accountId, operatorCodes(settings.now()));
    return { sender_ids: senders, is_sandbox: isSandbox(accountId) };
  };
  routes
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
