import { listSenders, publicSender } from "../../accounts/senders.ts";
import { dataAnswer } from "../../http/problem.ts";
import { callerOf } from "../../http/routes.ts";
import { balanceOf } from "../../wallet/wallet.ts";
import type { ApiDeps } from "../deps.ts";
import { balanceDoc, sendersDoc } from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";

/** What an account has: its balance and its sender identities (docs/public-api.md sections 4.5 and 4.6). */
export function accountRoutes(routes: ApiRoutes, { store, clock }: ApiDeps): void {
  routes
    .get(
      "/account/balance",
      ({ exchange }) => dataAnswer(balanceOf(store.read, callerOf(exchange).accountId, clock.nowMs())),
      operation(balanceDoc),
    )
    .get(
      "/sender-ids",
      ({ exchange }) =>
        dataAnswer({ sender_ids: listSenders(store.read, callerOf(exchange).accountId).map(publicSender) }),
      operation(sendersDoc),
    );
}
