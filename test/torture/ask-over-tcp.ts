import { connect, type Socket } from "node:net";
import { type Clock, wait } from "../../src/core/clock.ts";
import type { Ask, HttpAnswer, HttpRequest } from "../sim/actors.ts";
import type { Observe } from "../sim/observation.ts";
import { answerIn, requestOctets } from "./http-text.ts";

/** Nobody waits longer for an answer. */
const MAX_MS = 30_000;
const DRIPS = 8;
const DRIP_MS = 40;

/**
 * Asks the appliance on a port of this machine, each request on a connection of its own. When the process dies the connection
 * ends, and with it the wait.
 */
export function askOverTcp(clock: Clock, port: number, observe: Observe): Ask {
  let asked = 0;
  return async (request) => {
    asked += 1;
    const id = asked;
    const { client, method, path, headers, body } = request;
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    observe({ kind: "request", id, client, method, path, headers: Object.fromEntries(names), body });
    const answer = request.fate === "lost" ? null : await exchange(clock, port, request);
    observe(answer ? { kind: "answer", id, ...answer } : { kind: "no answer", id });
    return answer;
  };
}

function exchange(clock: Clock, port: number, request: HttpRequest): Promise<HttpAnswer | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const chunks: Buffer[] = [];
    const done = (answer: HttpAnswer | null): void => {
      cancel();
      socket.destroy();
      resolve(answer);
    };
    const cancel = clock.after(MAX_MS, () => done(null));
    socket.on("connect", () => void send(clock, socket, request).then((isWhole) => isWhole || done(null)));
    socket.on("data", (chunk: Buffer) => {
      if (request.fate === "answer lost") return done(null);
      chunks.push(chunk);
      const answer = answerIn(chunks.length === 1 ? chunk : Buffer.concat(chunks));
      if (answer) done(answer);
    });
    socket.on("error", () => done(null));
    socket.on("close", () => done(null));
  });
}

/** False when the connection is to end in the middle of the request. */
async function send(clock: Clock, socket: Socket, request: HttpRequest): Promise<boolean> {
  const { head, body } = requestOctets(request);
  socket.setNoDelay(true);
  if (request.fate === "cut") {
    await new Promise<void>((written) =>
      socket.write(Buffer.concat([head, body.subarray(0, body.length / 2)]), () => written()),
    );
    return false;
  }
  if (request.fate !== "slow") {
    socket.write(Buffer.concat([head, body]));
    return true;
  }
  socket.write(head);
  for (let drip = 0; drip < DRIPS; drip += 1) {
    await wait(clock, DRIP_MS);
    if (socket.destroyed) return true;
    socket.write(body.subarray((body.length * drip) / DRIPS, (body.length * (drip + 1)) / DRIPS));
  }
  return true;
}
