/**
 * Configuration schema of a route: one of several ways to an operator, a named set of its connections with an order, a share and the
 * classes that it carries.
 */
import { Type } from "typebox";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { choice, table, whole } from "./setting.ts";

/** A route's name stands behind a slash in `operator pause orange/agg`. */
export function isRouteName(name: string): boolean {
  return /^[a-z0-9-]{1,20}$/.test(name);
}

/** More than anybody has; a set of them fits in the bits of a number. */
export const MAX_ROUTES = 8;

function yieldAfter(seconds: number, means: Phrase) {
  return whole({ unit: "seconds", min: 0, max: 86_400, default: seconds, means });
}

export const RouteSchema = table({
  order: whole({ min: 1, max: 99, means: phrase("setting.operators.routes.order") }),
  classes: Type.Array(choice(["OTP", "TRANSACTIONAL", "MARKETING"]), {
    minItems: 1,
    maxItems: 3,
    default: ["OTP", "TRANSACTIONAL", "MARKETING"],
    means: phrase("setting.operators.routes.classes"),
  }),
  share: whole({ min: 0, max: 1000, default: 100, means: phrase("setting.operators.routes.share") }),
  yield_seconds: table({
    OTP: yieldAfter(2, phrase("setting.operators.routes.yield_seconds.OTP")),
    TRANSACTIONAL: yieldAfter(30, phrase("setting.operators.routes.yield_seconds.TRANSACTIONAL")),
    MARKETING: yieldAfter(600, phrase("setting.operators.routes.yield_seconds.MARKETING")),
  }),
});
