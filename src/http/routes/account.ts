import { Elysia } from "elysia";
import { listSenders, publicSender } from "../../accounts/senders.ts";
import { balanceOf } from "../../wallet/wallet.ts";
import type { HttpDeps } from "../deps.ts";
import { principalOf } from "../exchange.ts";
import { API_BASE } from "../gate.ts";
import { balanceDoc, sendersDoc } from "../openapi/operations.ts";
import { dataAnswer } from "../problem.ts";

/** What an account has: its balance and its sender identities (docs/public-api.md sections 4.5 and 4.6). */
export function accountRoutes(deps: HttpDeps) {
  return new Elysia({ prefix: API_BASE })
    .get(
      "/account/balance",
      ({ request }) =>
        dataAnswer(balanceOf(deps.store.read, principalOf(request).accountId, deps.clock.nowMs())),
      { detail: balanceDoc },
    )
    .get(
      "/sender-ids",
      ({ request }) =>
        dataAnswer({
          sender_ids: listSenders(deps.store.read, principalOf(request).accountId).map(publicSender),
        }),
      { detail: sendersDoc },
    );
}
