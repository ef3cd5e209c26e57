/** The page "Senders": request, approve, reject, register; those that wait, over all accounts. */
import { type Static, Type as t } from "@sinclair/typebox";
import { operatorNames } from "../../config/operator-codes.ts";
import { done } from "../../operations/refusal.ts";
import {
  senderApprove,
  senderList,
  senderPending,
  senderRegister,
  senderReject,
  senderRequest,
  senderUnregister,
} from "../../operations/senders.ts";
import { type Asked, oneAccount } from "./asked.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH, REASON, WORD } from "./shapes.ts";

const NAME = t.String({ minLength: 1, maxLength: 32 });
export const SENDER = t.Object({ sender: NAME });
const REJECT = t.Object({ sender: NAME, reason: REASON });
/** An operator's code, or "all" of the configuration. */
const REGISTER = t.Object({ sender: NAME, operator: WORD });

/** Senders that wait for somebody, oldest first; a confined user's own. */
function waitingSenders({ context, account }: Asked) {
  const pending = senderPending(context);
  if (!pending.ok || account === null) return pending;
  return done({ senders: pending.value.senders.filter(({ account_id }) => account_id === account) });
}

export function sendersOf(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const list = senderList(asked.context, account.value);
  if (!list.ok) return list;
  const names = Object.entries(operatorNames(asked.context.config));
  const senders = list.value.senders.map((sender) => {
    const isKnown = (code: string) => sender.operators.includes(code);
    return {
      ...sender,
      /** Operators by name: those that have registered it, and those that have not. */
      known_by: names.flatMap(([code, name]) => (isKnown(code) ? [name] : [])),
      unknown_to: names.flatMap(([code, name]) => (isKnown(code) ? [] : [name])),
    };
  });
  return done({ senders });
}

export function requestSender(asked: Asked, wanted: string, { sender }: Static<typeof SENDER>) {
  const account = oneAccount(asked, wanted);
  return account.ok ? senderRequest(asked.context, account.value, sender) : account;
}

export function approveSender({ context }: Asked, account: string, { sender }: Static<typeof SENDER>) {
  return senderApprove(context, account, sender);
}

export function rejectSender({ context }: Asked, account: string, body: Static<typeof REJECT>) {
  return senderReject(context, account, body.sender, body.reason);
}

export function registerSender({ context }: Asked, account: string, body: Static<typeof REGISTER>) {
  return senderRegister(context, account, body.sender, body.operator);
}

export function unregisterSender({ context }: Asked, account: string, body: Static<typeof REGISTER>) {
  return senderUnregister(context, account, body.sender, body.operator);
}

export const SENDER_ROUTES = {
  "GET /senders/waiting": route({ operation: "senders.read" }, waitingSenders),
  "GET /accounts/:account/senders": route(
    { operation: "senders.read", params: ACCOUNT_PATH },
    (asked, { params }) => sendersOf(asked, params.account),
  ),
  "POST /accounts/:account/senders": route(
    { operation: "senders.request", params: ACCOUNT_PATH, body: SENDER },
    (asked, { params, body }) => requestSender(asked, params.account, body),
  ),
  "POST /accounts/:account/senders/approve": route(
    { operation: "senders.decide", params: ACCOUNT_PATH, body: SENDER },
    (asked, { params, body }) => approveSender(asked, params.account, body),
  ),
  "POST /accounts/:account/senders/reject": route(
    { operation: "senders.decide", params: ACCOUNT_PATH, body: REJECT },
    (asked, { params, body }) => rejectSender(asked, params.account, body),
  ),
  "POST /accounts/:account/senders/register": route(
    { operation: "senders.decide", params: ACCOUNT_PATH, body: REGISTER },
    (asked, { params, body }) => registerSender(asked, params.account, body),
  ),
  "POST /accounts/:account/senders/unregister": route(
    { operation: "senders.decide", params: ACCOUNT_PATH, body: REGISTER },
    (asked, { params, body }) => unregisterSender(asked, params.account, body),
  ),
};
