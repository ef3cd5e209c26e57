/**
 * An HTTPS receiver of webhooks as `bench` measures with it: takes everything, and answers any message with what it was told so far:
 * different events, those told more than once, and when the last new one came. The port is any free one; its first message tells it.
 */
import { HOOK_CERTIFICATE, HOOK_KEY } from "../../test/kit/certificates.ts";
import { wallMs } from "./kit/clock.ts";

/** `lastMs`: milliseconds since the epoch. */
export type Told = { readonly different: number; readonly repeats: number; readonly lastMs: number };

/** Ids by the path that they were told at. */
const seen = new Map<string, Set<string>>();
let repeats = 0;
let different = 0;
let lastMs = 0;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
  fetch: async (request) => {
    const path = request.url.slice(request.url.indexOf("/", 8));
    await request.arrayBuffer();
    const id = request.headers.get("webhook-id") ?? "";
    const ids = seen.get(path) ?? new Set();
    if (ids.has(id)) repeats += 1;
    else {
      different += 1;
      lastMs = wallMs();
    }
    seen.set(path, ids.add(id));
    return new Response(null, { status: 204 });
  },
});
process.on("message", () => process.send?.({ different, repeats, lastMs } satisfies Told));
process.on("SIGTERM", () => process.exit());
process.send?.({ port: server.port });
