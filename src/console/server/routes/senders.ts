/** The page "Senders": request, approve, reject, register; those that wait, over all accounts. */

import { done } from "../../../admin/operations/refusal.ts";
import { SENDER_OPERATIONS, senderList, senderPending } from "../../../admin/operations/senders.ts";
import { operatorNames, routeCode } from "../../../config/config.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { operationRoutes } from "./operation-routes.ts";
import { ACCOUNT_SUBJECT, type PageContext } from "./request-context.ts";
import { route, routeOn } from "./route.ts";

/** Senders waiting for a decision, oldest first; a confined user's own. */
function waitingSenders({ context, account }: PageContext) {
  const pending = senderPending(context);
  if (!pending.ok || account === null) return pending;
  return done({ senders: pending.value.senders.filter(({ account_id }) => account_id === account) });
}

/** The senders of an account. By which routes an operator knows one is for staff alone. */
function sendersOf({ context, account }: PageContext, { ulid }: Account) {
  const list = senderList(context, ulid);
  if (!list.ok) return list;
  const names = Object.entries(operatorNames(context.config));
  const senders = list.value.senders.map(({ registrations = [], ...sender }) => {
    const isKnown = (code: string) => sender.operators.includes(code);
    const ownRoutes = account === null ? registrations : [];
    const named = (code: string, name: string): string => {
      const routes = ownRoutes.filter((one) => one.startsWith(routeCode(code, "")));
      if (routes.length === 0 || ownRoutes.includes(code)) return name;
      return `${name} (${routes.map((one) => one.slice(code.length + 1)).join(", ")})`;
    };
    return {
      ...sender,
      /** What it is registered for, by code: an operator, or one of its routes. */
      ...(account === null && { registrations: registrations.length > 0 ? registrations : sender.operators }),
      /** Operators by name: those that have registered it, and those that have not. */
      known_by: names.flatMap(([code, name]) => (isKnown(code) ? [named(code, name)] : [])),
      unknown_to: names.flatMap(([code, name]) => (isKnown(code) ? [] : [name])),
    };
  });
  return done({ senders });
}

export const SENDER_ROUTES = {
  "GET /senders/waiting": route("senders.read", waitingSenders),
  "GET /accounts/:account/senders": routeOn(ACCOUNT_SUBJECT, "senders.read", sendersOf),
  ...operationRoutes({
    "POST /accounts/:account/senders": SENDER_OPERATIONS["sender request"],
    "POST /accounts/:account/senders/approve": SENDER_OPERATIONS["sender approve"],
    "POST /accounts/:account/senders/reject": SENDER_OPERATIONS["sender reject"],
    "POST /accounts/:account/senders/register": SENDER_OPERATIONS["sender register"],
    "POST /accounts/:account/senders/unregister": SENDER_OPERATIONS["sender unregister"],
  }),
};
