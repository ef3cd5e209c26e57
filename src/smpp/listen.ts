/**
 * The socket that customers' SMPP clients connect to, plain or inside TLS, and what a connection over it can do. No other file
 * listens for SMPP on behalf of the appliance.
 */

/** One connection that a client opened. Once it is closed, calls do nothing. */
export type AcceptedSocket = {
  /** The address of the other side, as the socket has it. */
  readonly peer: string;
  /** How many octets were taken; 0 or less for none. */
  readonly write: (octets: Uint8Array) => number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it once what was written has left. */
  readonly end: () => void;
  /** Closes it without waiting for anything. */
  readonly terminate: () => void;
};

/** What is told of a connection. None of these may throw. */
export type AcceptedEvents = {
  readonly data: (chunk: Uint8Array) => void;
  /** There is room for more octets. */
  readonly drain: () => void;
  /** The connection is gone, whoever closed it. */
  readonly closed: () => void;
};

export type SmppListenOptions = {
  /** Port 0 is any free one. */
  readonly hostname: string;
  readonly port: number;
  /** PEM texts, for SMPP inside TLS; null: plain. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** Called for each connection; null closes it at once. */
  readonly accept: (socket: AcceptedSocket) => AcceptedEvents | null;
};

export type SmppListener = {
  readonly port: number;
  /** Takes no more connections; those that are open stay. */
  readonly stop: () => void;
};

/** Listens at an address. @throws the runtime's error when it cannot be listened on. */
export type SmppListen = (options: SmppListenOptions) => SmppListener;

/** On the machine's network. The runtime speaks TLS 1.2 at least. */
export const systemSmppListen: SmppListen = ({ hostname, port, certificate, accept }) => {
  type Connection = { on: AcceptedEvents | null };
  const handlers: Bun.SocketHandler<Connection> = {
    open: (socket) => {
      socket.setNoDelay(true);
      const accepted: AcceptedSocket = {
        peer: socket.remoteAddress,
        write: (octets) => socket.write(octets),
        pause: () => void socket.pause(),
        resume: () => void socket.resume(),
        end: () => void socket.end(),
        terminate: () => socket.terminate(),
      };
      const on = accept(accepted);
      socket.data = { on };
      if (on === null) socket.terminate();
    },
    data: (socket, chunk) => socket.data.on?.data(chunk),
    drain: (socket) => socket.data.on?.drain(),
    end: (socket) => void socket.end(),
    close: (socket) => socket.data?.on?.closed(),
    // With it a connection is reported once it is there, and not only once it has spoken TLS, which it may never do.
    handshake: () => {},
    // What broke is followed by its close.
    error: () => {},
  };
  const listener = Bun.listen<Connection>({
    hostname,
    port,
    ...(certificate === null ? {} : { tls: certificate }),
    socket: handlers,
  });
  return { port: listener.port, stop: () => listener.stop() };
};
