import type { Accept, Wire, WireEvents } from "../actors.ts";
import type { Observe } from "../observation.ts";

export type TcpCentre = {
  readonly port: number;
  /** Takes no more connections, and resets those that it has. */
  readonly stop: () => void;
};

export type TcpCentreOptions = {
  /** The SMSC account's name, for the observations. */
  readonly centre: string;
  readonly accept: Accept;
  /** Gives links numbers that are unique in a run. */
  readonly nextLink: () => number;
  readonly observe: Observe;
  /** 0, or nothing, for a free one. */
  readonly port?: number;
};

type Socket = Bun.Socket<Connection | undefined>;

type Connection = {
  readonly events: WireEvents;
  readonly drain: () => void;
  readonly ended: (why: string) => void;
};

/** A centre on a port of loopback, for an appliance that is a real process. */
export function serveCentre(options: TcpCentreOptions): TcpCentre {
  const open = new Set<Socket>();
  const server = Bun.listen<Connection | undefined>({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    socket: {
      open: (socket) => {
        open.add(socket);
        socket.data = connection(socket, options);
      },
      data: (socket, chunk) => socket.data?.events.data(chunk),
      drain: (socket) => socket.data?.drain(),
      end: (socket) => socket.data?.ended("the appliance closed the connection"),
      close: (socket) => {
        open.delete(socket);
        socket.data?.ended("the connection was closed");
      },
      error: (socket, error) => socket.data?.ended(error.message),
    },
  });
  return {
    port: server.port,
    stop: () => {
      server.stop(false);
      for (const socket of [...open]) {
        socket.data?.ended("the centre was stopped");
        socket.terminate();
      }
    },
  };
}

function connection(socket: Socket, { centre, accept, nextLink, observe }: TcpCentreOptions): Connection {
  const number = nextLink();
  const pending: Uint8Array[] = [];
  let isOver = false;
  let isEnding = false;
  const flush = (): void => {
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const taken = Math.max(0, socket.write(next));
      if (taken < next.length) {
        pending[0] = next.subarray(taken);
        return;
      }
      pending.shift();
    }
    if (isEnding) socket.end();
  };
  const ended = (why: string): void => {
    if (isOver) return;
    isOver = true;
    observe({ kind: "link", centre, link: number, state: "closed", why });
    events.closed();
  };
  const wire: Wire = {
    write: (octets) => {
      if (isOver || isEnding) return;
      if (pending.push(octets) === 1) flush();
    },
    close: (how) => {
      if (isOver) return;
      if (how === "rst") {
        ended("the centre reset the connection");
        socket.terminate();
        return;
      }
      isEnding = true;
      socket.resume();
      if (pending.length === 0) socket.end();
    },
    read: (isWanted) => {
      if (isWanted) socket.resume();
      else socket.pause();
    },
  };
  observe({ kind: "link", centre, link: number, state: "open" });
  const events = accept(number, wire);
  return { events, drain: flush, ended };
}
