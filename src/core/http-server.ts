/**
 * Serves HTTP/1.1, over TCP, TLS or at a path of the file system. The runtime listens and speaks TLS; what a request is, and when
 * the next one may be read, is in `http-connection.ts`: the runtime's own server acts on octets behind a request while that
 * request is being answered, and its answer is lost.
 */
import { type Clock, systemClock } from "./clock.ts";
import { type ConnectionContext, type ConnectionSocket, HttpConnection } from "./http-connection.ts";

export type Serve = (options: ServeOptions) => HttpServer;

export type ServeOptions = {
  /** The address; port 0 is any free one. */
  readonly at: { readonly hostname: string; readonly port: number } | { readonly unix: string };
  /** PEM texts, for HTTPS. */
  readonly certificate?: Certificate | null;
  /** A connection on which nothing moves is closed after so many seconds. */
  readonly idleTimeout?: number;
  /** The largest body, in octets. A longer one is answered with a bare 413, or breaks off where its length was not declared. */
  readonly maxRequestBodySize: number;
  /** Whether the signal of a request is aborted when its client ended, or is gone; absent: it is not. */
  readonly tellsWhenGone?: boolean;
  readonly fetch: (request: Request, server: RequestServer) => Response | Promise<Response>;
};

export type Certificate = { readonly cert: string; readonly key: string };

/** What an application may ask of the server that a request came by. */
export type RequestServer = Pick<Bun.Server<undefined>, "requestIP">;

export type HttpServer = Pick<Bun.Server<undefined>, "url" | "port" | "pendingRequests" | "stop">;

const IDLE_SECONDS = 10;

/** On the machine's network. @throws the runtime's error when the address cannot be listened on. */
export const systemServe: Serve = (options) => serveOn(systemClock, options);

function serveOn(
  clock: Clock,
  { at, certificate, idleTimeout, maxRequestBodySize, tellsWhenGone, fetch: answer }: ServeOptions,
): HttpServer {
  const connections = new Set<HttpConnection>();
  /** Those of them on which something may still be answered. */
  const answering = new Set<HttpConnection>();
  let pendingRequests = 0;
  let isStopping = false;
  let whenEmpty: (() => void)[] = [];
  const context: ConnectionContext = {
    fetch: (request, { address }) => answer(request, { requestIP: () => clientAt(address) }),
    idleSeconds: idleTimeout ?? IDLE_SECONDS,
    maxBodyBytes: maxRequestBodySize,
    tellsWhenGone: tellsWhenGone ?? false,
    scheme: certificate ? "https" : "http",
    origin: `${certificate ? "https" : "http"}://localhost`,
    date: dateOf(clock),
    underWay: (change) => {
      pendingRequests += change;
    },
    awaitsTurn: readTurns(clock),
    isStopping: () => isStopping,
    over: (connection) => {
      answering.delete(connection);
      if (answering.size > 0) return;
      for (const empty of whenEmpty) empty();
      whenEmpty = [];
    },
  };
  const awaitsOpening = readTurns(clock, MAX_TURN_OPENINGS, MAX_TURN_OPENINGS);
  const opened = (socket: Bun.Socket<HttpConnection>, address: string | null): void => {
    const connection = new HttpConnection(socketOf(socket), address, context);
    socket.data = connection;
    connections.add(connection);
    answering.add(connection);
    const isLater = awaitsOpening(1, () => {
      if (connections.has(connection)) socket.resume();
    });
    if (isLater) socket.pause();
  };
  const closed = ({ data: connection }: Bun.Socket<HttpConnection>): void => {
    connection.closed();
    connections.delete(connection);
    context.over(connection);
  };
  const leaveAll = (): void => {
    for (const connection of connections) connection.leave();
  };
  const listener = listenAt(at, certificate ?? null, { opened, closed });
  const { port } = listener;
  return {
    url: new URL("unix" in at ? "http://localhost/" : `${context.scheme}://${hostOf(at)}:${port}/`),
    port,
    get pendingRequests() {
      return pendingRequests;
    },
    stop: (closeActiveConnections = false) => {
      isStopping = true;
      listener.stop();
      if (closeActiveConnections) for (const connection of connections) connection.close();
      // Requests that were already sent are read first.
      else clock.soon(leaveAll);
      if (answering.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        whenEmpty.push(resolve);
      });
    },
  };
}

/** Octets of large bodies within one turn of the event loop. The runtime reads half a megabyte of a connection at once. */
const MAX_TURN_BYTES = 2_097_152;
/** How many of those that wait read on in the next turn. */
const MAX_TURN_READERS = 4;

/** New connections of one turn: each may bring as much as the runtime reads at once. */
const MAX_TURN_OPENINGS = 16;

/**
 * Shares turns of the event loop among connections with large bodies: `awaitsTurn` of their context. Of a turn each takes some of
 * `most`; of those that wait, `readers` go on in the next.
 */
export function readTurns(
  clock: Pick<Clock, "soon">,
  most = MAX_TURN_BYTES,
  readers = MAX_TURN_READERS,
): ConnectionContext["awaitsTurn"] {
  const waiting: (() => void)[] = [];
  let left = most;
  let isBegun = false;
  const begin = (): void => {
    isBegun = true;
    clock.soon(next);
  };
  const next = (): void => {
    isBegun = false;
    left = most;
    const going = waiting.splice(0, readers);
    if (waiting.length > 0) begin();
    for (const readOn of going) readOn();
  };
  return (octets, readOn) => {
    if (!isBegun) begin();
    left -= octets;
    if (left > 0 && waiting.length === 0) return false;
    waiting.push(readOn);
    return true;
  };
}

type SocketEvents = {
  readonly opened: (socket: Bun.Socket<HttpConnection>, address: string | null) => void;
  readonly closed: (socket: Bun.Socket<HttpConnection>) => void;
};

type Listening = { readonly port: number | undefined; readonly stop: () => void };

function listenAt(
  at: ServeOptions["at"],
  tls: Certificate | null,
  { opened, closed }: SocketEvents,
): Listening {
  const handlers: Bun.SocketHandler<HttpConnection> = {
    open: (socket) => opened(socket, "unix" in at ? null : socket.remoteAddress),
    // The runtime's sockets share no memory with other threads.
    data: (socket, octets) => socket.data.received(octets as Buffer<ArrayBuffer>),
    drain: (socket) => socket.data.drained(),
    // A client may end its half once it has asked; with TLS it does so by close_notify.
    end: (socket) => socket.data.ended(),
    // With it a connection is reported once it is there, and not only once it has spoken TLS, which it may never do.
    handshake: () => {},
    timeout: (socket) => socket.data.timedOut(),
    close: closed,
    // A fault is reported by `close`.
    error: () => {},
  };
  if ("unix" in at) {
    const listener = Bun.listen<HttpConnection>({ unix: at.unix, allowHalfOpen: true, socket: handlers });
    return { port: undefined, stop: () => listener.stop() };
  }
  const listener = Bun.listen<HttpConnection>({
    hostname: at.hostname,
    port: at.port,
    allowHalfOpen: true,
    ...(tls === null ? {} : { tls }),
    socket: handlers,
  });
  return { port: listener.port, stop: () => listener.stop() };
}

function socketOf(socket: Bun.Socket<HttpConnection>): ConnectionSocket {
  return {
    write: (octets) => socket.write(octets),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    shutdown: () => socket.shutdown(),
    terminate: () => socket.terminate(),
    timeout: (seconds) => socket.timeout(seconds),
  };
}

function clientAt(address: string | null): Bun.SocketAddress | null {
  return address === null ? null : { address, family: address.includes(":") ? "IPv6" : "IPv4", port: 0 };
}

function hostOf(at: Exclude<ServeOptions["at"], { readonly unix: string }>): string {
  return at.hostname.includes(":") && !at.hostname.startsWith("[") ? `[${at.hostname}]` : at.hostname;
}

/** The moment for the Date field, computed once a second. */
function dateOf(clock: Clock): () => string {
  let second = 0;
  let text = "";
  return () => {
    const now = Math.floor(clock.nowMs() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
