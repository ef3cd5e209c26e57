import type { Principal } from "../../accounts/keys.ts";
import { isUlid } from "../../base/ids.ts";
import { bodyHeadFault, readBody } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { parseJson } from "../../http/json-text.ts";
import { dataAnswer, jsonAnswer, NOT_FOUND, problem } from "../../http/problem.ts";
import { callerOf } from "../../http/routes.ts";
import { readEndpointRequest } from "../../webhooks/endpoint-request.ts";
import { listEndpoints, publicEndpoint } from "../../webhooks/endpoints.ts";
import type { Requester, WebhookOutcome } from "../../webhooks/registration.ts";
import type { ApiDeps } from "../deps.ts";
import {
  webhookCreateDoc,
  webhookDisableDoc,
  webhookEnableDoc,
  webhookRotateDoc,
  webhooksDoc,
} from "../openapi/operations.ts";
import { type ApiRoutes, operation } from "../operation.ts";

/** The largest body of a registration: a URL, a label and a list of words. */
const MOST_BODY_BYTES = 65_536;

/** Webhook endpoints (docs/public-api.md sections 4.7 to 4.11). */
export function webhookRoutes(routes: ApiRoutes, deps: ApiDeps): void {
  const { store } = deps;
  const { webhooks } = deps.services;
  routes
    .get(
      "/webhooks",
      ({ exchange }) =>
        dataAnswer({ webhooks: listEndpoints(store.read, callerOf(exchange).accountId).map(publicEndpoint) }),
      operation(webhooksDoc),
    )
    .post(
      "/webhooks",
      ({ exchange, request }) => create(deps, exchange, request),
      operation(webhookCreateDoc),
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

async function create(
  { clock, services }: ApiDeps,
  exchange: Exchange<Principal>,
  request: Request,
): Promise<Response> {
  const headFault = bodyHeadFault(request.headers, MOST_BODY_BYTES);
  if (headFault !== null) {
    return problem(exchange, { code: "VALIDATION_FAILED", detail: headFault }, { connection: "close" });
  }
  const body = await readBody(request, MOST_BODY_BYTES, clock);
  if (!body.ok) return problem(exchange, body.refusal, { connection: "close" });
  const json = parseJson(body.value);
  if (!json.ok) return problem(exchange, json.refusal);
  const asked = readEndpointRequest(json.value);
  if (!asked.ok) return problem(exchange, asked.refusal);
  const created = await services.webhooks.create(requesterOf(exchange), asked.value);
  return created.ok
    ? jsonAnswer(201, JSON.stringify({ data: created.value }))
    : problem(exchange, created.refusal);
}

/** Does something to the endpoint that the path names. */
async function change(
  exchange: Exchange<Principal>,
  webhookId: string,
  work: (by: Requester, webhookId: string) => Promise<WebhookOutcome<unknown>>,
): Promise<Response> {
  if (!isUlid(webhookId)) return problem(exchange, NOT_FOUND);
  const changed = await work(requesterOf(exchange), webhookId);
  return changed.ok ? dataAnswer(changed.value) : problem(exchange, changed.refusal);
}

function requesterOf(exchange: Exchange<Principal>): Requester {
  const { accountId, keyId } = callerOf(exchange);
  return { accountId, actor: `key ${keyId}` };
}
