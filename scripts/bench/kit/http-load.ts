/**
 * A cheap load client: requests that stand ready as octets, over connections that are kept, one request at a time on each. `fetch`
 * would take more of the processor than what it measures.
 */
import { connect, type Socket } from "node:net";
import { wallMs } from "./clock.ts";

export type Load = {
  readonly port: number;
  readonly connections: number;
  /** The octets of request `index`, or null: there are no more. */
  readonly request: (index: number) => string | null;
  /** Requests a second, evenly; as fast as answers come where it is left out. */
  readonly perSecond?: number;
};

/** Milliseconds since the epoch, of request by its index. */
export type Shot = { readonly sentMs: number; readonly answeredMs: number; readonly status: number };

/** Sends them all; resolves with what came of each. @throws when the server closes a connection. */
export function httpLoad({ port, connections, request, perSecond }: Load): Promise<readonly Shot[]> {
  const shots: Shot[] = [];
  let next = 0;
  let isOver = false;
  let open = 0;
  const began = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<readonly Shot[]>();
  const free: (() => void)[] = [];
  const isDue = () => perSecond === undefined || performance.now() - began >= (next * 1000) / perSecond;
  const pump = (): void => {
    while (!isOver && free.length > 0 && isDue()) free.pop()?.();
  };
  const timer = setInterval(pump, 1);
  const finish = (): void => {
    isOver = true;
    if (open > 0) return;
    clearInterval(timer);
    resolve(shots);
  };
  for (let each = 0; each < connections; each++) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const shoot = (): void => {
      const index = next;
      const octets = request(index);
      if (octets === null) {
        finish();
        socket.end();
        return;
      }
      next += 1;
      open += 1;
      const sentMs = wallMs();
      socket.write(octets);
      answerOf(socket, (status) => {
        open -= 1;
        shots[index] = { sentMs, answeredMs: wallMs(), status };
        if (isOver) {
          socket.end();
          finish();
          return;
        }
        free.push(shoot);
        if (perSecond === undefined) pump();
      });
    };
    socket.once("connect", () => {
      free.push(shoot);
      pump();
    });
    socket.on("error", reject);
  }
  return promise;
}

/** Hears one answer with a content-length; a body is read and dropped. */
function answerOf(socket: Socket, told: (status: number) => void): void {
  let text = "";
  const hear = (chunk: Buffer): void => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
    if (text.length < head + 4 + length) return;
    socket.off("data", hear);
    told(Number(text.slice(9, 12)));
  };
  socket.on("data", hear);
}
