/**
 * Operators that left the configuration: what is stored under their codes, and how it is handed over or given up
 * (docs/behaviour.md#operators-that-left).
 */

import { moveRouteCosts, type RenamedRoute } from "../../channels/sms/route-costs.ts";
import { moveOperatorHours, moveRouteHours } from "../../channels/sms/route-outcomes.ts";
import { hasUnknownOutcomes, renameUnansweredRoute } from "../../channels/sms/sent-segments.ts";
import { renameNumber } from "../../channels/whatsapp/number-stops.ts";
import { type Config, operatorCodes, routeCodes } from "../../config/config.ts";
import { toChannel } from "../../core/channels.ts";
import type { Clock } from "../../core/clock.ts";
import { createYielder, runInBatches } from "../../core/concurrency.ts";
import type { Xof } from "../../core/money.ts";
import { isSandboxOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { allPauses, movePauses } from "../../dispatch/pauses.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import {
  type CodeUsage,
  codesInUse,
  countUnderCode,
  movePrices,
  moveRegistrations,
  registeredRoutes,
} from "../../domain/accounts/operator-code-changes.ts";
import { accountsRegisteredWith, toOperatorCode } from "../../domain/accounts/senders.ts";
import { applyFacts } from "../../domain/messages/apply-facts.ts";
import {
  isOperatorKnown,
  recordOperatorRename,
  recordOperatorRetired,
  resolveOperatorCode,
} from "../../domain/messages/operator-codes.ts";
import {
  countWaiting,
  handOver,
  readPlaces,
  readWaitingMessages,
  type WaitingPlace,
} from "../../domain/messages/queue.ts";
import { renameRouteBit } from "../../domain/messages/rerouting.ts";
import { listPortedOwners, renamePortedOwner } from "../../domain/submission/ported-numbers.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { checkOperatorCode, checkRouteCode } from "./operators.ts";
import { OPERATOR, word } from "./parameters.ts";
import { countUnroutablePorted } from "./ported-numbers.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** Messages renamed or given up in one transaction. */
const STEP = 250;

/** What is stored under a code that is not configured; its messages cannot leave. */
export type CodeWarning = {
  readonly code:
    | "MESSAGES_WAIT"
    | "REGISTRATIONS_UNUSED"
    | "PAUSES_UNUSED"
    | "PRICES_UNUSED"
    | "PORTED_UNROUTABLE";
  readonly operator: string;
  /** How many messages; 0 where it is about something else. */
  readonly messages: number;
  readonly detail: Phrase;
};

/**
 * Finds what is stored under codes that a configuration lacks. The cost follows the number of batches with queued messages;
 * reads in steps.
 */
export async function findCodeWarnings(
  read: Reader,
  config: Pick<Config, "operators" | "whatsapp">,
  clock: Clock,
): Promise<CodeWarning[]> {
  const pause = createYielder(clock);
  const codes = new Set(operatorCodes(config));
  const isGone = (code: string) => !codes.has(code);
  const waiting = await countWaiting(read, pause, await readPlaces(read, pause, isGone));
  const warnings: CodeWarning[] = [];
  for (const [operator, messages] of waiting) {
    const detail = phrase("config.warning.messages_wait", { messages, operator });
    warnings.push({ code: "MESSAGES_WAIT", operator, messages, detail });
  }
  const routes = new Set(routeCodes(config));
  for (const { operator, registrations, prices } of usageByCode(read, config)) {
    if (!isGone(operator) || routes.has(operator)) continue;
    if (registrations > 0 && isRouteOf(config, operator)) {
      const detail = phrase("config.warning.route_registrations_unused", { registrations, route: operator });
      warnings.push({ code: "REGISTRATIONS_UNUSED", operator, messages: 0, detail });
    } else if (registrations > 0) {
      const detail = phrase("config.warning.registrations_unused", { registrations, operator });
      warnings.push({ code: "REGISTRATIONS_UNUSED", operator, messages: 0, detail });
    }
    if (prices > 0) {
      const detail = phrase("config.warning.prices_unused", { prices, operator });
      warnings.push({ code: "PRICES_UNUSED", operator, messages: 0, detail });
    }
  }
  for (const { operator, reason } of allPauses(read)) {
    if (routes.has(operator) || !isRouteOf(config, operator)) continue;
    const detail = phrase("config.warning.route_pause_unused", { route: operator, reason });
    warnings.push({ code: "PAUSES_UNUSED", operator, messages: 0, detail });
  }
  const isNoOperator = (code: string) => !Object.hasOwn(config.operators, code);
  for (const [operator, rows] of await countUnroutablePorted(read, isNoOperator, pause)) {
    const detail = phrase("config.warning.ported_unroutable", { rows, operator });
    warnings.push({ code: "PORTED_UNROUTABLE", operator, messages: 0, detail });
  }
  return warnings;
}

/** What stands under each code; what is of a route under the operator's, where the configuration does not have that. */
function usageByCode(read: Reader, config: Pick<Config, "operators">): readonly CodeUsage[] {
  const codes = codesInUse(read).map(({ operator }) =>
    isRouteOf(config, operator) ? operator : toOperatorCode(operator),
  );
  return [...new Set(codes)].map((code) => countUnderCode(read, code));
}

/** Whether a code is that of a route to an operator of the configuration, there or not. */
function isRouteOf({ operators }: Pick<Config, "operators">, code: string): boolean {
  const [operator = code, route] = code.split("/");
  return route !== undefined && Object.hasOwn(operators, operator);
}

function giveUp({ store, clock }: AdminContext, place: WaitingPlace): Promise<number> {
  return store.write((tx) => {
    const facts = readWaitingMessages(tx, place, STEP).map(({ id }) => ({
      kind: "given_up" as const,
      messageId: id,
      error: { code: "NO_ROUTE" as const, operatorCode: null },
    }));
    return applyFacts(tx, facts, clock.nowMs()).length;
  });
}

/** Reads the queue of a code that is not configured. Refuses a configured code, and one never known. */
async function checkGone({ store, config, clock }: AdminContext, code: string) {
  if (operatorCodes(config).includes(code)) {
    return refuse("OPERATOR_CONFIGURED", { operator: code });
  }
  const { read } = store;
  const pause = createYielder(clock);
  const places = await readPlaces(read, pause, (one) => one === code);
  const messages = (await countWaiting(read, pause, places)).get(code) ?? 0;
  const { registrations, prices } = countUnderCode(read, code);
  const isKnown =
    !isSandboxOperator(code) &&
    (places.length + registrations + prices > 0 ||
      isOperatorKnown(read, code) ||
      listPortedOwners(read).includes(code) ||
      hasUnknownOutcomes(read, code));
  if (!isKnown) {
    return refuse("OPERATOR_UNKNOWN.unheard_of", { operator: code });
  }
  return done({ places, messages });
}

/** What `operator rename` handed over. */
type Renamed = {
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  readonly registrations: number;
  readonly prices: number;
  /** Pauses handed over: nothing leaves until the new code is resumed. */
  readonly pauses: number;
  /** Of a route: rows of what it cost. */
  readonly cost_rows?: number;
  /** Routes that senders are registered for now and that the new code does not have: each is to be renamed, or added. */
  readonly routes_unknown?: readonly string[];
  /** Prices that the new code already had: they stay, and those of the old code are dropped. */
  readonly prices_kept: readonly {
    readonly account_id: string;
    readonly account: string;
    readonly message_class: MessageClass | null;
    readonly amount: Xof;
    readonly dropped_amount: Xof;
  }[];
};

/** Days of the book of costs that are handed over in one transaction. */
const DAYS_A_STEP = 31;

/** Hands what was booked of a renamed route to its new name; how many rows. */
async function moveAllCosts({ store }: AdminContext, renamed: RenamedRoute): Promise<number> {
  let after: string | null = "";
  let rows = 0;
  while (after !== null) {
    const begin: string = after;
    after = await store.write((tx) => {
      let day: string = begin;
      for (let step = 0; step < DAYS_A_STEP; step++) {
        const moved = moveRouteCosts(tx, renamed, day);
        if (moved === null) return null;
        day = moved.day;
        rows += moved.rows;
      }
      return day;
    });
  }
  return rows;
}

/**
 * Moves the registrations, pauses, figures and marks of a route that left the configuration to another route of its operator. What was
 * booked goes first, in steps: cut off, the same command does the rest.
 */
async function renameRoute(context: AdminContext, from: string, to: string): Promise<AdminOutcome<Renamed>> {
  const known = checkRouteCode(context.config, to);
  if (!known.ok) return known;
  const { operator, route } = known.value;
  if (route === null || toOperatorCode(from) !== operator || !from.includes("/"))
    return refuse("ROUTE_UNKNOWN.other_operator", { from, to });
  if (routeCodes(context.config).includes(from)) return refuse("OPERATOR_CONFIGURED.route", { route: from });
  const renamed = { operator, from: from.slice(operator.length + 1), to: route };
  const costs = await moveAllCosts(context, renamed);
  const moved = await change(context, (tx) => {
    const registrations = moveRegistrations(tx, from, to);
    const pauses = movePauses(tx, from, to);
    const unanswered = renameUnansweredRoute(tx, renamed);
    moveRouteHours(tx, renamed);
    const isMarked = renameRouteBit(tx, operator, renamed.from, renamed.to);
    if (registrations + pauses + unanswered + costs === 0 && !isMarked)
      return refuse("ROUTE_UNKNOWN.unheard_of", { route: from });
    // Messages and prices are the operator's.
    const none = { messages: 0, prices: 0, prices_kept: [] };
    return done({
      value: { from, to, registrations, pauses, cost_rows: costs, ...none },
      audit: { action: "operator rename", subject: from, detail: { to, registrations, pauses } },
      ...(pauses > 0 ? { concern: { kind: "pauses" } } : {}),
    });
  });
  if (!moved.ok) return moved;
  for (const accountId of accountsRegisteredWith(context.store.read, operator))
    context.server?.changed({ kind: "account", accountId });
  return moved;
}

export const OPERATOR_CODE_OPERATIONS = {
  /**
   * Moves the queue, registrations, prices, pauses, ported numbers and what is usual of the routes of an operator that left the
   * configuration to another code. Past records keep the old code, and are found under the new one. Idempotent. Or what is stored under a
   * route that left.
   */
  "operator rename": operation({
    params: { from: word("OLD", OPERATOR), to: word("NEW", OPERATOR) },
    run: async (context, { from, to }): Promise<AdminOutcome<Renamed>> => {
      if (from.includes("/") || to.includes("/")) return renameRoute(context, from, to);
      const known = checkOperatorCode(context.config, to);
      if (!known.ok) return known;
      if (toChannel(from) !== toChannel(to)) return refuse("OPERATOR_UNKNOWN.other_channel", { from, to });
      const gone = await checkGone(context, from);
      if (!gone.ok) return gone;
      const { read } = context.store;
      const today = resolveOperatorCode(read, from);
      if (today !== from && today !== to) {
        return refuse("OPERATOR_UNKNOWN.renamed", { from, today });
      }
      const { places, messages } = gone.value;
      const renamed = await change(context, (tx, nowMs) => {
        const registrations = moveRegistrations(tx, from, to);
        const { moved: prices, kept } = movePrices(tx, from, to, nowMs);
        const pauses = movePauses(tx, from, to);
        const stopped = renameNumber(tx, from, to);
        moveOperatorHours(tx, from, to);
        renamePortedOwner(tx, from, to);
        recordOperatorRename(tx, from, to, nowMs);
        const configured = routeCodes(context.config);
        const unknown = registeredRoutes(tx, to).filter((code) => !configured.includes(code));
        const value = {
          from,
          to,
          messages,
          registrations,
          prices,
          pauses,
          ...(unknown.length > 0 && { routes_unknown: unknown }),
          prices_kept: kept.map((price) => ({
            account_id: price.accountUlid,
            account: price.accountName,
            message_class: price.messageClass,
            amount: price.kept,
            dropped_amount: price.dropped,
          })),
        };
        const detail = { to, messages, registrations, prices, pauses, prices_kept: kept.length };
        return done({
          value,
          audit: { action: "operator rename", subject: from, detail },
          ...(pauses > 0 || stopped ? { concern: { kind: "pauses" } } : {}),
        });
      });
      if (!renamed.ok) return renamed;
      for (const place of places) {
        await runInBatches(STEP, () => context.store.write((tx) => handOver(tx, place, to, STEP)));
      }
      context.server?.changed({ kind: "queue" });
      return renamed;
    },
  }),
  /**
   * Gives up messages for an operator that left the configuration for good, now and later. Messages already submitted keep an
   * unknown outcome, by the rule of their class.
   */
  "operator retire": operation({
    params: { code: word("CODE", OPERATOR) },
    run: async (context, { code: operator }) => {
      if (operator.includes("/")) return refuse("OPERATOR_UNKNOWN.is_route", { route: operator });
      const gone = await checkGone(context, operator);
      if (!gone.ok) return gone;
      const { places, messages } = gone.value;
      const retired = await change(context, (tx, nowMs) => {
        recordOperatorRetired(tx, operator, nowMs);
        const { registrations, prices } = countUnderCode(tx, operator);
        return done({
          value: { operator, messages, registrations_left: registrations, prices_left: prices },
          audit: { action: "operator retire", subject: operator, detail: { messages } },
          concern: { kind: "queue" },
        });
      });
      if (!retired.ok) return retired;
      for (const place of places) await runInBatches(STEP, () => giveUp(context, place));
      return retired;
    },
  }),
};
