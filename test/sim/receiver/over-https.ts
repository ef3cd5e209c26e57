import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../../kit/certificates.ts";
import type { EventAnswer, Receive } from "../actors.ts";

export type HttpsReceiver = {
  readonly port: number;
  /** To be registered; its certificate is one of `TEST_AUTHORITY`. */
  readonly url: string;
  /** Takes no more connections, and breaks those that it has. */
  readonly stop: () => void;
};

/** A receiver on a port of loopback, for an appliance that is a real process. Port 0 for a free one. */
export function serveReceiver(receive: Receive, port = 0): Promise<HttpsReceiver> {
  let broken = 0;
  // Closing all connections spares one that was just being opened.
  let isStopped = false;
  const server = createServer({ cert: HOOK_CERTIFICATE, key: HOOK_KEY }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (isStopped) {
        response.socket?.destroy();
        return;
      }
      const url = `https://${request.headers.host ?? ""}${request.url ?? ""}`;
      const body = Buffer.concat(chunks).toString("utf8");
      void receive({ url, headers: headersOf(request), body }).then((answer) => {
        if (isStopped) {
          response.socket?.destroy();
          return;
        }
        if (answer.kind === "broken") broken += 1;
        give(answer, response, broken % 2 === 0);
      });
    });
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const taken = (server.address() as AddressInfo).port;
      resolve({
        port: taken,
        url: `https://localhost:${taken}/hook`,
        stop: () => {
          isStopped = true;
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

function give(answer: EventAnswer, response: ServerResponse, isHalf: boolean): void {
  switch (answer.kind) {
    case "silent":
      return;
    case "status":
      response.writeHead(answer.status, { ...answer.headers });
      response.end();
      return;
    case "broken":
      if (!isHalf) {
        response.socket?.destroy();
        return;
      }
      response.writeHead(200, { "content-length": "100" });
      response.write("half an ans", () => response.socket?.destroy());
  }
}

/** Names in lower case, as they come; of one that stands twice, both values. */
function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
