/**
 * Operations on sender identities: request, approve, reject, list, and the registration with each operator, or with one of its routes,
 * that sending requires.
 */
import { routeCode } from "../../config/config.ts";
import { assert } from "../../core/assert.ts";
import { isoUtc } from "../../core/clock.ts";
import { getOwn } from "../../core/own-value.ts";
import { refused } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import {
  adminSender,
  approveSender,
  dropRegistration,
  listSenders,
  pendingSenders,
  publicSender,
  registerSender,
  rejectSender,
  requestSender,
  type Sender,
  senderByName,
  senderFault,
  unregisterSender,
} from "../../domain/accounts/senders.ts";
import { findAccount } from "./account-names.ts";
import { changeOpenAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { checkRouteCode } from "./operators.ts";
import { ACCOUNT, REASON, text, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** Asks for a sender in the name of an account; refused when no SMS could carry it. */
export async function senderRequest(context: AdminContext, accountId: string, name: string) {
  const fault = senderFault(name);
  if (fault) return refused("INVALID_SENDER", fault);
  return changeOpenAccount(context, accountId, (tx, { id, ulid }, nowMs) => {
    const before = senderByName(tx, id, name);
    requestSender(tx, id, name, nowMs);
    const after = senderByName(tx, id, name);
    assert(after, "a requested sender exists");
    return done({
      value: { account_id: ulid, ...publicSender(after) },
      audit:
        before?.status === after.status
          ? null
          : { action: "sender request", subject: ulid, detail: { sender: name } },
      concern: { kind: "account", accountId: id },
    });
  });
}

/** Lets an account use a sender, as far as operators know it. */
export function senderApprove(context: AdminContext, accountId: string, name: string) {
  return changeSender(context, accountId, name, "sender approve", {}, (tx, sender) => {
    approveSender(tx, sender.id);
    return done(sender.status !== "APPROVED");
  });
}

/** What stands for every operator of the configuration. */
const ALL = "all";

/**
 * Notes that an operator, or "all" of the configuration, has registered the sender; from then on messages may go there, by any of its
 * routes, or by the one that is named. A number of WhatsApp is named by its code, and never meant by "all": it speaks for whoever it is
 * registered with.
 */
export async function senderRegister(
  context: AdminContext,
  accountId: string,
  name: string,
  operator: string,
) {
  const known = operator === ALL ? done(null) : checkRouteCode(context.config, operator);
  if (!known.ok) return known;
  const codes = operator === ALL ? Object.keys(context.config.operators) : [operator];
  return changeSender(context, accountId, name, "sender register", { operator }, (tx, sender, nowMs) => {
    const isNew = codes.map((code) => registerSender(tx, sender.id, code, nowMs));
    return done(isNew.includes(true));
  });
}

/**
 * Takes a registration back, which may stand under a code that left the configuration since. What is noted for all routes of an operator
 * loses one of them only once it is noted for each of the others by itself: nobody is to lose a route unawares.
 */
function senderUnregister(context: AdminContext, accountId: string, name: string, code: string) {
  return changeSender(context, accountId, name, "sender unregister", { operator: code }, (tx, sender) => {
    const [operator = code, route] = code.split("/");
    if (route === undefined) return done(unregisterSender(tx, sender.id, operator));
    const routes = Object.keys(getOwn(context.config.operators, operator)?.routes ?? {});
    const { registrations } = sender;
    if (!registrations.includes(operator) || !routes.includes(route))
      return done(dropRegistration(tx, sender.id, code));
    const missing = routes
      .filter((one) => one !== route)
      .map((one) => routeCode(operator, one))
      .filter((one) => !registrations.includes(one));
    if (missing.length > 0)
      return refuse("SENDER_ON_ALL_ROUTES", {
        sender: name,
        operator,
        route: code,
        missing: missing.join(", "),
      });
    dropRegistration(tx, sender.id, operator);
    dropRegistration(tx, sender.id, code);
    return done(true);
  });
}

/** Every sender the account has requested. */
export function senderList(context: AdminContext, accountId: string) {
  const account = findAccount(context.store.read, accountId);
  if (!account.ok) return account;
  return done({ senders: listSenders(context.store.read, account.value.id).map(adminSender) });
}

/** Senders that one answer names. */
const MAX_PENDING = 1000;

/** Every sender that waits for somebody, over all accounts, oldest first: up to a thousand. */
export function senderPending(context: AdminContext) {
  const pending = pendingSenders(context.store.read, MAX_PENDING);
  return done({
    senders: pending.map(({ accountUlid, accountName, name, status, createdAtMs }) => ({
      account_id: accountUlid,
      account: accountName,
      sender: name,
      waits_for: status === "REQUESTED" ? "approval" : "registration",
      created_at: isoUtc(createdAtMs),
    })),
  });
}

/** Changes a sender that exists; `work` tells whether anything is new. */
function changeSender(
  context: AdminContext,
  accountId: string,
  name: string,
  action: string,
  detail: Readonly<Record<string, string>>,
  work: (tx: Tx, sender: Sender, nowMs: number) => AdminOutcome<boolean>,
) {
  return changeOpenAccount(context, accountId, (tx, { id, ulid }, nowMs) => {
    const sender = findSender(tx, id, name);
    if (!sender.ok) return sender;
    const isNew = work(tx, sender.value, nowMs);
    if (!isNew.ok) return isNew;
    const after = findSender(tx, id, name);
    if (!after.ok) return after;
    return done({
      value: { account_id: ulid, ...adminSender(after.value) },
      audit: isNew.value ? { action, subject: ulid, detail: { sender: name, ...detail } } : null,
      concern: { kind: "account", accountId: id },
    });
  });
}

function findSender(read: Reader, accountId: number, name: string): AdminOutcome<Sender> {
  const sender = senderByName(read, accountId, name);
  return sender ? done(sender) : refuse("SENDER_NOT_FOUND", { sender: name });
}

const SENDER = word("NAME", text("NAME", 32));
/** The code of an operator, or of one of its routes, or "all" operators of the configuration. */
const OPERATOR = text("CODE", 100);

export const SENDER_OPERATIONS = {
  "sender request": operation({
    may: "senders.request",
    params: { account: ACCOUNT, sender: SENDER },
    run: (context, { account, sender }) => senderRequest(context, account, sender),
  }),
  "sender approve": operation({
    may: "senders.decide",
    params: { account: ACCOUNT, sender: SENDER },
    run: (context, { account, sender }) => senderApprove(context, account, sender),
  }),
  /** Refuses a sender, or takes its approval back. */
  "sender reject": operation({
    may: "senders.decide",
    params: { account: ACCOUNT, sender: SENDER, reason: REASON },
    run: (context, { account: accountId, sender: name, reason }) => {
      const detail = { reason };
      return changeSender(context, accountId, name, "sender reject", detail, (tx, sender) => {
        rejectSender(tx, sender.id, reason);
        return done(true);
      });
    },
  }),
  "sender register": operation({
    may: "senders.decide",
    params: { account: ACCOUNT, sender: SENDER, operator: OPERATOR },
    run: (context, { account, sender, operator }) => senderRegister(context, account, sender, operator),
  }),
  "sender unregister": operation({
    may: "senders.decide",
    params: { account: ACCOUNT, sender: SENDER, operator: OPERATOR },
    run: (context, { account, sender, operator }) => senderUnregister(context, account, sender, operator),
  }),
  "sender list": operation({
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account }) => senderList(context, account),
  }),
  "sender pending": operation({
    does: "reads",
    params: {},
    run: senderPending,
  }),
};
