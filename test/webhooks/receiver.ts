import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";

/** One request as a receiver got it. */
export type Received = {
  /** Which of the connections it came on, from 1. */
  readonly connection: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What a receiver does with a request: an answer as it stands on the wire, or anything at all with the socket. */
export type Answer = string | ((socket: TLSSocket) => void);

export type Receiver = {
  readonly port: number;
  readonly received: readonly Received[];
  /** Names that clients asked for in the TLS handshake; false where they named none. */
  readonly names: readonly (string | false)[];
  readonly connections: () => number;
  /** Connections that are open at this moment. */
  readonly open: () => number;
  /** Resolves once it has got that many requests. */
  readonly until: (count: number) => Promise<void>;
  /** Resolves once no connection is open. */
  readonly untilQuiet: () => Promise<void>;
  readonly close: () => void;
};

export const ok = "HTTP/1.1 204 No Content\r\n\r\n";

/** An answer with a status and perhaps headers, without a body. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ ...headers, "content-length": "0" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${code} So\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** A real HTTPS receiver on a free loopback port, which answers each request as `answer` says. */
export function startReceiver(
  answer: (request: Received, number: number) => Answer = () => ok,
  certificate = { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
): Promise<Receiver> {
  const received: Received[] = [];
  const names: (string | false)[] = [];
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  let watchers: (() => void)[] = [];
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  const when = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return;
        watchers = watchers.filter((watcher) => watcher !== look);
        resolve();
      };
      watchers.push(look);
      look();
    });

  const server = createServer(certificate, (socket) => {
    const connection = ++connections;
    let pending = "";
    sockets.add(socket);
    names.push(socket.servername ?? false);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      tell();
    });
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      for (;;) {
        const read = readRequest(pending);
        if (!read) return;
        pending = pending.slice(read.length);
        const request = { ...read.request, connection };
        received.push(request);
        const reply = answer(request, received.length);
        if (typeof reply === "string") socket.write(reply);
        else reply(socket);
        tell();
      }
    });
  });
  server.on("tlsClientError", () => {});
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        received,
        names,
        connections: () => connections,
        open: () => sockets.size,
        until: (count) => when(() => received.length >= count),
        untilQuiet: () => when(() => sockets.size === 0),
        close: () => {
          for (const socket of sockets) socket.destroy();
          server.close();
        },
      });
    });
  });
}

function readRequest(text: string): { request: Omit<Received, "connection">; length: number } | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [first = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const length = headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (text.length < length) return null;
  const body = Buffer.from(text.slice(headEnd + 4, length), "latin1").toString("utf8");
  return { request: { path: first.split(" ")[1] ?? "", headers, body }, length };
}
