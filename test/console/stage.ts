/** Serves the front end as the appliance does, over a back end that answers from samples. */
import { type FrontEnd, frontEnd } from "../../src/console/server/front-end.ts";
import { sampleBackEnd } from "./sample.ts";

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Bundled once for all stages of a file. */
let bundled: Promise<FrontEnd> | undefined;

/** Opens the stage on a free port of the loopback. */
export async function openStage(language: "en" | "fr") {
  bundled ??= frontEnd();
  const front = await bundled;
  const back = sampleBackEnd();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/console/api/live") return streamOf(back.live());
      if (pathname.startsWith("/console/api/")) {
        const text = await request.text();
        const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
        const name = `${request.method} ${pathname.slice("/console/api".length)}${search}`;
        const { status, value } = back.reply(name, body);
        return Response.json(value, { status });
      }
      return asset(front, pathname) ?? page(front, language);
    },
  });
  return { ...back, front, url: server.url.origin, close: () => server.stop(true) };
}

function asset(front: FrontEnd, pathname: string): Response | null {
  const file = front.assets.get(pathname.replace("/console/assets/", ""));
  return file ? new Response(file.content, { headers: { "content-type": file.type } }) : null;
}

function page(front: FrontEnd, language: "en" | "fr"): Response {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY };
  return new Response(front.html(language, null), { headers });
}

/** One event, and a stream that stays open. */
function streamOf(value: unknown): Response {
  const body = new ReadableStream({
    start: (out) => out.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`)),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
