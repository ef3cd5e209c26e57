import { Elysia } from "elysia";
import { isoUtc } from "../../base/clock.ts";
import { lastCheck, standingOfCheck } from "../../wallet/checks.ts";
import type { HttpDeps } from "../deps.ts";
import { healthDoc, liveDoc, readyDoc } from "../openapi/operations.ts";
import { jsonAnswer } from "../problem.ts";

/**
 * Whether the event loop turns, whether requests are accepted (administration.md section 1), and for whoever watches
 * the appliance, whether the last check of the books is of last night and found them right: 503 is an alarm. No key is needed. Load
 * balancers probe with HEAD as well.
 */
export function healthRoutes(deps: HttpDeps) {
  const startedMs = deps.clock.nowMs();
  const live = () => jsonAnswer(200, '{"data":{"status":"live"}}');
  const ready = () => {
    const reasons = deps.readiness.reasons();
    return reasons.length === 0
      ? jsonAnswer(200, '{"data":{"status":"ready"}}')
      : jsonAnswer(503, JSON.stringify({ data: { status: "not ready", reasons } }), { "retry-after": "1" });
  };
  const health = () => {
    const check = lastCheck(deps.store.read);
    const standing = standingOfCheck(check, startedMs, deps.clock.nowMs());
    const isAlarm = standing === "differs" || standing === "failed" || standing === "overdue";
    const isReady = deps.readiness.reasons().length === 0;
    const data = {
      status: isAlarm ? "alarm" : isReady ? "ok" : "not ready",
      ledger: {
        status: standing,
        checked_at: check === null ? null : isoUtc(check.checkedAtMs),
        differences: check?.differences ?? 0,
      },
    };
    return jsonAnswer(isAlarm || !isReady ? 503 : 200, JSON.stringify({ data }));
  };
  const hidden = { detail: { hide: true } };
  return new Elysia({ prefix: "/health" })
    .get("", health, { detail: healthDoc })
    .head("", health, hidden)
    .get("/live", live, { detail: liveDoc })
    .head("/live", live, hidden)
    .get("/ready", ready, { detail: readyDoc })
    .head("/ready", ready, hidden);
}
