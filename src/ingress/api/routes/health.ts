/** `GET /health` (docs/administration.md#4-health). */
import { deriveCached } from "../../../config/live-config.ts";
import type { HealthReport } from "../../../core/health.ts";
import { networkMatcher } from "../../../core/ip-networks.ts";
import { EXACT_ENGLISH, type Phrase, type Text } from "../../../i18n/phrase.ts";
import { t } from "../../../i18n/text.ts";
import { isLoopbackPeer, isOwnHost, isStaffPeer, readPeer } from "../../http/peer.ts";
import { jsonAnswer } from "../../http/problem.ts";
import type { KnownCaller } from "../../http/request-context.ts";
import { answerNotReady, type createRoutes, type Server } from "../../http/router.ts";
import type { ApiDeps } from "../deps.ts";
import { healthDoc, liveDoc, readyDoc } from "../openapi/operations.ts";

/**
 * Adds the health routes: whether the event loop turns, whether requests are accepted (docs/administration.md#ready), and the
 * appliance's health: names and figures of its checks only for requests from this machine or a staff network. No key is needed.
 */
export function healthRoutes(
  routes: ReturnType<typeof createRoutes<KnownCaller>>,
  { health, readiness, settings }: Pick<ApiDeps, "health" | "readiness" | "settings">,
): void {
  const staff = deriveCached(() => settings.now().console.staff_networks, networkMatcher);
  const trusted = deriveCached(() => settings.now().server.trusted_proxies, networkMatcher);
  const live = () => jsonAnswer(200, '{"data":{"status":"live"}}');
  const ready = () => {
    health.report(); // The report's checks find a database that cannot be written.
    const reasons = readiness.reasons();
    return reasons.length === 0 ? jsonAnswer(200, '{"data":{"status":"ready"}}') : answerNotReady(reasons);
  };
  const well = ({ request, server }: { readonly request: Request; readonly server: Server | null }) => {
    const report = health.report();
    const address = server?.requestIP(request)?.address ?? null;
    const peer = readPeer(address, request.headers, trusted());
    const isHere =
      isLoopbackPeer(peer) && isOwnHost(request.headers.get("host"), settings.now().server.public_url);
    const isTold = isHere || (!isLoopbackPeer(peer) && isStaffPeer(peer, staff()));
    const data = isTold ? renderReport(report) : { status: report.status };
    return jsonAnswer(report.status === "down" ? 503 : 200, JSON.stringify({ data }));
  };
  routes
    .get("/health", well, { detail: healthDoc })
    .get("/health/live", live, { detail: liveDoc })
    .get("/health/ready", ready, { detail: readyDoc });
}

function renderReport({ status, checks }: HealthReport): HealthReport<Text> {
  const render = (phrase: Phrase): Text => t(phrase, EXACT_ENGLISH);
  return {
    status,
    checks: checks.map((check) => ({
      ...check,
      detail: render(check.detail),
      action: check.action && render(check.action),
    })),
  };
}
