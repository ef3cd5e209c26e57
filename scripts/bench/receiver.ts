/**
 * An HTTPS receiver of webhooks as `bench` measures with it: takes everything, and tells at /counts how many different
 * events it was told at each path, and how many more than once. The port is the first argument.
 */
import { HOOK_CERTIFICATE, HOOK_KEY } from "../../test/kit/certificates.ts";

const seen = new Map<string, Set<string>>();
let repeats = 0;
let different = 0;

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[2]),
  tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
  fetch: async (request) => {
    const path = request.url.slice(request.url.indexOf("/", 8));
    if (path === "/counts") return Response.json({ different, repeats });
    await request.arrayBuffer();
    const id = request.headers.get("webhook-id") ?? "";
    const ids = seen.get(path) ?? new Set();
    if (ids.has(id)) repeats += 1;
    else different += 1;
    seen.set(path, ids.add(id));
    return new Response(null, { status: 204 });
  },
});
process.stdout.write("ready\n");
