/**
 * Configuration schema of a route: one of several ways to an operator, a named set of its connections with an order, a share, the
 * classes that it carries, and the answers after which another is tried.
 */
import { Type } from "typebox";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { oneOf } from "./faults.ts";
import { choice, table, text, whole } from "./setting.ts";

/** What a command_status may mean. */
export const RESPONSES = ["retry", "pause", "fail"] as const;

/** A route's name stands behind a slash in `operator pause orange/agg`. */
export function isRouteName(name: string): boolean {
  return /^[a-z0-9-]{1,20}$/.test(name);
}

/**
 * Reads what a segment costs by a route, XOF with up to three decimals, as thousandths of XOF; null of a text that is none. Pure. A
 * number would be a fraction in binary, which cannot hold 11.1.
 */
export function parseCostMilli(cost: string): number | null {
  const digits = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(cost);
  if (!digits) return null;
  const [, whole = "", thousandths = ""] = digits;
  return Number(whole) * 1000 + Number(thousandths.padEnd(3, "0"));
}

/** More than anybody has; a set of them fits in the bits of a number. */
export const MAX_ROUTES = 8;

/** Receipts that are kept in memory of each route. */
export const MAX_ILL_MESSAGES = 1000;

function yieldAfter(seconds: number, means: Phrase) {
  return whole({ unit: "seconds", min: 0, max: 86_400, default: seconds, means });
}

function rerouteLater(means: Phrase) {
  return whole({ min: 0, max: 1000, default: 0, means });
}

/** A command_status that is no success, as manuals write it: "0x45" (SMPP 3.4 section 5.1.3). */
export function isCommandStatus(text: string): boolean {
  return /^0x[0-9A-Fa-f]{1,8}$/.test(text) && Number(text) !== 0;
}

/** The name of a reason, as another Bendre gives it: "SENDER_NOT_APPROVED". */
function isReasonName(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{2,63}$/.test(text);
}

export const RouteSchema = table({
  order: whole({ min: 1, max: 99, means: phrase("setting.operators.routes.order") }),
  cost: Type.Optional(
    text({
      means: phrase("setting.operators.routes.cost"),
      expects: phrase("config.expects.route_cost"),
      isValid: (cost) => parseCostMilli(cost) !== null,
    }),
  ),
  classes: Type.Array(choice(["OTP", "TRANSACTIONAL", "MARKETING"]), {
    minItems: 1,
    maxItems: 3,
    default: ["OTP", "TRANSACTIONAL", "MARKETING"],
    means: phrase("setting.operators.routes.classes"),
  }),
  share: whole({ min: 0, max: 1000, default: 100, means: phrase("setting.operators.routes.share") }),
  receipts: Type.Optional(Type.Boolean({ means: phrase("setting.operators.routes.receipts") })),
  reroute_on: Type.Array(
    text({
      expects: phrase("config.expects.reroute_reason"),
      isValid: (text) => isCommandStatus(text) || isReasonName(text),
    }),
    { minItems: 0, maxItems: 100, default: [], means: phrase("setting.operators.routes.reroute_on") },
  ),
  reroute_later: table({
    OTP: rerouteLater(phrase("setting.operators.routes.reroute_later.OTP")),
    TRANSACTIONAL: rerouteLater(phrase("setting.operators.routes.reroute_later.TRANSACTIONAL")),
    MARKETING: rerouteLater(phrase("setting.operators.routes.reroute_later.MARKETING")),
  }),
  ill_below: table({
    points: whole({
      min: 0,
      max: 100,
      default: 0,
      means: phrase("setting.operators.routes.ill_below.points"),
    }),
    messages: whole({
      min: 10,
      max: MAX_ILL_MESSAGES,
      default: 50,
      means: phrase("setting.operators.routes.ill_below.messages"),
    }),
  }),
  second_after_seconds: whole({
    unit: "seconds",
    min: 0,
    max: 86_400,
    default: 0,
    means: phrase("setting.operators.routes.second_after_seconds"),
  }),
  accept_doubles: Type.Boolean({
    default: false,
    means: phrase("setting.operators.routes.accept_doubles"),
  }),
  yield_seconds: table({
    OTP: yieldAfter(2, phrase("setting.operators.routes.yield_seconds.OTP")),
    TRANSACTIONAL: yieldAfter(30, phrase("setting.operators.routes.yield_seconds.TRANSACTIONAL")),
    MARKETING: yieldAfter(600, phrase("setting.operators.routes.yield_seconds.MARKETING")),
  }),
  responses: Type.Record(Type.String(), choice(RESPONSES), {
    default: {},
    means: phrase("setting.operators.routes.responses"),
    expects: phrase("config.expects.responses", { example: '"0x45"', words: oneOf(RESPONSES) }),
  }),
});
