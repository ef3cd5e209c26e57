import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";
import type { Receive } from "../sim/actors.ts";

export type HttpsDoor = {
  readonly open: () => Promise<void>;
  /** Nobody listens any more, and every connection is broken. */
  readonly shut: () => void;
  readonly isOpen: () => boolean;
};

/** Where receivers are reached by HTTPS, each below a path of its name. */
export function httpsDoor(port: number, receivers: ReadonlyMap<string, Receive>): HttpsDoor {
  let server: Server | null = null;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "/";
    const receive = receivers.get(path.slice(1));
    if (!receive) return void response.writeHead(404).end();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = Buffer.concat(chunks).toString("utf8");
    const answer = await receive({ url: `https://127.0.0.1:${port}${path}`, headers, body });
    if (answer.kind === "status") response.writeHead(answer.status, answer.headers).end();
    if (answer.kind === "broken") response.destroy();
  };
  return {
    isOpen: () => server !== null,
    shut: () => {
      server?.close();
      server?.closeAllConnections();
      server = null;
    },
    open: () =>
      new Promise((resolve, reject) => {
        server = createServer({ cert: HOOK_CERTIFICATE, key: HOOK_KEY }, (request, response) => {
          // A request that ends with its process has no answer.
          take(request, response).catch(() => response.destroy());
        });
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve());
      }),
  };
}
