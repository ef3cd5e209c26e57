import { createServer, type Server, type Socket } from "node:net";
import type { Accept } from "../sim/actors.ts";
import type { Observe } from "../sim/observation.ts";

/** Where a centre is reached by TCP. */
export type TcpDoor = {
  /** Nobody listens any more, and every connection is reset. */
  readonly shut: () => void;
  readonly open: () => Promise<void>;
  readonly isOpen: () => boolean;
  /** Ends every connection. */
  readonly drop: (how: "fin" | "rst") => void;
};

/** Listens for a centre on a port of this machine. `nextLink` numbers the links of all centres. */
export function tcpDoor(
  { centre, port, accept }: { readonly centre: string; readonly port: number; readonly accept: Accept },
  observe: Observe,
  nextLink: () => number,
): TcpDoor {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const end = (socket: Socket, how: "fin" | "rst"): void => {
    if (how === "fin") socket.end();
    else socket.resetAndDestroy();
  };
  const take = (socket: Socket): void => {
    const link = nextLink();
    sockets.add(socket);
    socket.setNoDelay(true);
    observe({ kind: "link", centre, link, state: "open" });
    const events = accept(link, {
      write: (octets) => {
        if (!socket.destroyed) socket.write(octets);
      },
      close: (how) => end(socket, how),
    });
    socket.on("data", events.data);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      observe({ kind: "link", centre, link, state: "closed" });
      events.closed();
    });
  };
  return {
    isOpen: () => server !== null,
    drop: (how) => {
      for (const socket of sockets) end(socket, how);
    },
    shut: () => {
      server?.close();
      server = null;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    open: () =>
      new Promise((resolve, reject) => {
        server = createServer(take);
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve());
      }),
  };
}
