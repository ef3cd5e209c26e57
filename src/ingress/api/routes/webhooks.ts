/** Routes of webhook endpoints (docs/public-api.md sections 4.7 to 4.11). */
import { isUlid } from "../../../core/ids.ts";
import { isSandbox } from "../../../core/sandbox.ts";
import type { Principal } from "../../../domain/accounts/api-keys.ts";
import { EXACT_ENGLISH } from "../../../i18n/phrase.ts";
import { withTexts } from "../../../i18n/text.ts";
import { readEndpointRequest } from "../../../webhooks/endpoint-request.ts";
import { listEndpoints, toPublicEndpoint } from "../../../webhooks/endpoints.ts";
import type { Requester, WebhookOutcome } from "../../../webhooks/registration.ts";
import { dataAnswer, jsonAnswer, NOT_FOUND, problem } from "../../http/problem.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requireCaller } from "../../http/router.ts";
import type { ApiDeps } from "../deps.ts";
import {
  webhookCreateDoc,
  webhookDisableDoc,
  webhookEnableDoc,
  webhookRotateDoc,
  webhooksDoc,
  webhookTestDoc,
} from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";
import { readSmallBody } from "../request-parsers.ts";

/** Webhook endpoints (docs/public-api.md sections 4.7 to 4.11, docs/behaviour.md#tests-of-endpoints). */
export function webhookRoutes(routes: ApiRoutes, deps: ApiDeps): void {
  const { store } = deps;
  const { webhooks } = deps.services;
  routes
    .get(
      "/webhooks",
      ({ exchange }) => {
        const { accountId } = requireCaller(exchange);
        const webhooks = listEndpoints(store.read, accountId).map(toPublicEndpoint);
        return dataAnswer({ webhooks, is_sandbox: isSandbox(accountId) });
      },
      operation(webhooksDoc),
    )
    .post(
      "/webhooks",
      ({ exchange, request }) => create(deps, exchange, request),
      operation(webhookCreateDoc),
    );
  routes.post(
    "/webhooks/:webhook_id/test",
    ({ exchange, params }) => test(deps, exchange, params.webhook_id),
    operation(webhookTestDoc),
  );
  for (const [verb, work, doc] of [
    ["rotate", webhooks.rotate, webhookRotateDoc],
    ["enable", webhooks.enable, webhookEnableDoc],
    ["disable", webhooks.disable, webhookDisableDoc],
  ] as const) {
    routes.post(
      `/webhooks/:webhook_id/${verb}`,
      ({ exchange, params }) => change(exchange, params.webhook_id, work),
      operation(doc),
    );
  }
}

/** Posts a test event to the endpoint that the path names. */
async function test(
  { services }: ApiDeps,
  exchange: RequestContext<Principal>,
  webhookId: string,
): Promise<Response> {
  if (!isUlid(webhookId)) return problem(exchange, NOT_FOUND);
  const tested = await services.testWebhook(requireCaller(exchange).accountId, webhookId);
  if (tested.ok) return dataAnswer(withTexts(tested.value, EXACT_ENGLISH));
  const later = "retrySeconds" in tested ? { "retry-after": String(tested.retrySeconds) } : {};
  return problem(exchange, tested.refusal, later);
}

async function create(
  { clock, services }: ApiDeps,
  exchange: RequestContext<Principal>,
  request: Request,
): Promise<Response> {
  const body = await readSmallBody(exchange, request, clock);
  if (!body.ok) return body.answer;
  const asked = readEndpointRequest(body.json);
  if (!asked.ok) return problem(exchange, asked.refusal);
  const created = await services.webhooks.create(requesterOf(exchange), asked.value);
  return created.ok
    ? jsonAnswer(201, JSON.stringify({ data: created.value }))
    : problem(exchange, created.refusal);
}

/** Applies a change to the endpoint that the path names. */
async function change(
  exchange: RequestContext<Principal>,
  webhookId: string,
  work: (by: Requester, webhookId: string) => Promise<WebhookOutcome<unknown>>,
): Promise<Response> {
  if (!isUlid(webhookId)) return problem(exchange, NOT_FOUND);
  const changed = await work(requesterOf(exchange), webhookId);
  return changed.ok ? dataAnswer(changed.value) : problem(exchange, changed.refusal);
}

function requesterOf(exchange: RequestContext<Principal>): Requester {
  const { accountId, keyId } = requireCaller(exchange);
  return { accountId, actor: `key ${keyId}` };
}
