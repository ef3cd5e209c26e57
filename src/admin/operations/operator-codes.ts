/**
 * Operators that left the configuration: what is stored under their codes, and how it is handed over or given up
 * (docs/behaviour.md#operators-that-left).
 */

import { hasUnknownOutcomes } from "../../channels/sms/sent-segments.ts";
import { renameNumber } from "../../channels/whatsapp/number-stops.ts";
import { type Config, operatorCodes, routeCodes } from "../../config/config.ts";
import { toChannel } from "../../core/channels.ts";
import type { Clock } from "../../core/clock.ts";
import { createYielder, runInBatches } from "../../core/concurrency.ts";
import { isSandboxOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { allPauses, movePauses } from "../../dispatch/pauses.ts";
import {
  type CodeUsage,
  codesInUse,
  countUnderCode,
  movePrices,
  moveRegistrations,
} from "../../domain/accounts/operator-code-changes.ts";
import { toOperatorCode } from "../../domain/accounts/senders.ts";
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
import { listPortedOwners, renamePortedOwner } from "../../domain/submission/ported-numbers.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { checkOperatorCode } from "./operators.ts";
import { OPERATOR, word } from "./parameters.ts";
import { countUnroutablePorted } from "./ported-numbers.ts";
import { done, refuse } from "./refusal.ts";

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

export const OPERATOR_CODE_OPERATIONS = {
  /**
   * Moves the queue, registrations, prices, pauses and ported numbers of an operator that left the configuration to another code. Past
   * records keep the old code, and are found under the new one. Idempotent.
   */
  "operator rename": operation({
    params: { from: word("OLD", OPERATOR), to: word("NEW", OPERATOR) },
    run: async (context, { from, to }) => {
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
        renamePortedOwner(tx, from, to);
        recordOperatorRename(tx, from, to, nowMs);
        const value = {
          from,
          to,
          messages,
          registrations,
          prices,
          /** Pauses handed over: nothing leaves until the new code is resumed. */
          pauses,
          /** Prices that the new code already had: they stay, and those of the old code are dropped. */
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
