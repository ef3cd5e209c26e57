import { jsonAnswer } from "../../../ingress/http/problem.ts";
import type { Permit, Permitted } from "../console.ts";
import { resolvePageReader } from "../page-reader.ts";
import type { ConsoleRoutes } from "../sign-in-routes.ts";
import type { LiveReader } from "./live-figures.ts";
import type { LiveStreams } from "./live-streams.ts";
import type { LiveView } from "./live-view.ts";

type LiveDeps = {
  readonly figures: (reader: LiveReader) => Promise<LiveView>;
  readonly streams: LiveStreams;
};

/** What the start pages ask: the figures once, and the stream of them. */
export function liveRoutes(routes: ConsoleRoutes, permitted: Permit, { figures, streams }: LiveDeps): void {
  routes.get("/start", async ({ exchange }) => {
    const asked = permitted(exchange, "start.read");
    if (asked instanceof Response) return asked;
    return jsonAnswer(200, JSON.stringify(await figures(readerOf(asked))));
  });
  routes.get("/live", ({ exchange }) => {
    const asked = permitted(exchange, "start.read");
    if (asked instanceof Response) return asked;
    const reader = readerOf(asked);
    const follower = { userId: asked.visitor.principal.userId, isStaff: asked.accountId === null };
    // 204 tells a browser not to ask again (HTML, section 9.2.3).
    return (
      streams.follow(follower, () => figures(reader), asked.isSessionStillValid) ?? new Response(null, { status: 204 })
    );
  });
}

function readerOf({ context, accountId, seesMoney, managesKeys, visitor }: Permitted): LiveReader {
  return {
    context,
    accountId,
    seesMoney,
    managesKeys,
    reader: resolvePageReader(visitor, context.store.read, context.config),
  };
}
