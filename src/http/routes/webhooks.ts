import { Elysia } from "elysia";
import type { Outcome } from "../../base/failures.ts";
import { isUlid } from "../../base/ids.ts";
import { readEndpointRequest } from "../../webhooks/endpoint-request.ts";
import { listEndpoints, publicEndpoint } from "../../webhooks/endpoints.ts";
import type { Requester } from "../../webhooks/registration.ts";
import { bodyHeadFault, readBody } from "../body.ts";
import type { HttpDeps } from "../deps.ts";
import { exchangeOf, principalOf } from "../exchange.ts";
import { API_BASE } from "../gate.ts";
import { parseJson } from "../json-text.ts";
import {
  webhookCreateDoc,
  webhookDisableDoc,
  webhookEnableDoc,
  webhookRotateDoc,
  webhooksDoc,
} from "../openapi/webhook-operations.ts";
import { dataAnswer, jsonAnswer, NOT_FOUND, problem } from "../problem.ts";

/** The largest body of a registration: a URL, a label and a list of words. */
const MOST_BODY_BYTES = 65_536;

/** Webhook endpoints (docs/public-api.md sections 4.7 to 4.11). */
export function webhookRoutes(deps: HttpDeps) {
  const { webhooks } = deps.services;

  const create = async (request: Request): Promise<Response> => {
    const refuse = refuserOf(request);
    const headFault = bodyHeadFault(request.headers, MOST_BODY_BYTES);
    if (headFault !== null) {
      return refuse({ code: "VALIDATION_FAILED", detail: headFault }, { connection: "close" });
    }
    const body = await readBody(request, MOST_BODY_BYTES, deps.clock);
    if (!body.ok) return refuse(body.refusal, { connection: "close" });
    const json = parseJson(body.value);
    if (!json.ok) return refuse(json.refusal);
    const asked = readEndpointRequest(json.value);
    if (!asked.ok) return refuse(asked.refusal);
    const created = await webhooks.create(requesterOf(request), asked.value);
    return created.ok ? jsonAnswer(201, JSON.stringify({ data: created.value })) : refuse(created.refusal);
  };

  /** Does something to the endpoint that the path names. */
  const change = async (
    request: Request,
    webhookId: string,
    work: (by: Requester, webhookId: string) => Promise<Outcome<unknown>>,
  ): Promise<Response> => {
    const refuse = refuserOf(request);
    if (!isUlid(webhookId)) return refuse(NOT_FOUND);
    const changed = await work(requesterOf(request), webhookId);
    return changed.ok ? dataAnswer(changed.value) : refuse(changed.refusal);
  };

  // Bodies are read under the limits of body.ts, or not at all.
  const unread = { parse: "none" } as const;
  return new Elysia({ prefix: `${API_BASE}/webhooks` })
    .get(
      "",
      ({ request }) =>
        dataAnswer({
          webhooks: listEndpoints(deps.store.read, principalOf(request).accountId).map(publicEndpoint),
        }),
      { detail: webhooksDoc },
    )
    .post("", ({ request }) => create(request), { ...unread, detail: webhookCreateDoc })
    .post(
      "/:webhook_id/rotate",
      ({ request, params }) => change(request, params.webhook_id, webhooks.rotate),
      {
        ...unread,
        detail: webhookRotateDoc,
      },
    )
    .post(
      "/:webhook_id/enable",
      ({ request, params }) => change(request, params.webhook_id, webhooks.enable),
      {
        ...unread,
        detail: webhookEnableDoc,
      },
    )
    .post(
      "/:webhook_id/disable",
      ({ request, params }) => change(request, params.webhook_id, webhooks.disable),
      { ...unread, detail: webhookDisableDoc },
    );
}

function requesterOf(request: Request): Requester {
  const { accountId, keyId } = principalOf(request);
  return { accountId, actor: `key ${keyId}` };
}

function refuserOf(request: Request) {
  const exchange = exchangeOf(request);
  return (refusal: Parameters<typeof problem>[1], headers: Readonly<Record<string, string>> = {}) =>
    problem(exchange, refusal, headers);
}
