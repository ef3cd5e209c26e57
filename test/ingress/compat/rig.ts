/** The appliance whole, with both doors open and a server that takes callbacks. */
import { connect } from "node:net";
import { systemPlatform } from "../../../src/app/platform.ts";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";

export type Call = { readonly method: string; readonly url: string; readonly body: string };

type Answer = { readonly status: number; readonly text: string };

export type Rig = {
  readonly stage: Stage;
  readonly client: Client;
  login: { readonly user: string; readonly password: string };
  /** What came to the server for callbacks, in order. */
  readonly calls: Call[];
  /** What that server answers from now on. */
  readonly answer: (status: number, text: string) => void;
  /** The same, by what is told. */
  readonly answerBy: (by: (call: Call) => Answer | Promise<Answer>) => void;
  readonly callbackUrl: string;
  /** Lets time go by until so many callbacks came. */
  readonly untilCalls: (count: number, stepMs?: number) => Promise<void>;
  readonly get: (path: string, args: Readonly<Record<string, string>>) => Promise<Said>;
  readonly close: () => Promise<void>;
};

export type Said = { readonly status: number; readonly text: string };

/** Where nobody is called back. */
const BARRIER = "/barrier";

export async function rig(
  compat: Readonly<Record<string, unknown>> = { kannel: true, jasmin: true },
): Promise<Rig> {
  const calls: Call[] = [];
  let saying = (_: Call): Answer | Promise<Answer> => ({ status: 200, text: "ACK/Jasmin" });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === BARRIER) return new Response();
      const call = { method: request.method, url: `${pathname}${search}`, body: await request.text() };
      calls.push(call);
      const { status, text } = await saying(call);
      return new Response(text, { status });
    },
  });
  const built = await stage(systemPlatform, { compat, webhooks: { allow_private_targets: true } });
  const client = await built.client();
  const created = await built.admin("compat create", {
    ACCOUNT: client.accountId,
    user: "faso",
    sender: "ACME",
  });
  return {
    stage: built,
    client,
    login: { user: "faso", password: String(created.password) },
    calls,
    answer: (status, text) => {
      saying = () => ({ status, text });
    },
    answerBy: (by) => {
      saying = by;
    },
    callbackUrl: `http://127.0.0.1:${server.port}`,
    untilCalls: async (count, stepMs = 100) => {
      while (calls.length < count) {
        await built.clock.advance(stepMs);
        // What is under way gets as much real time as a request takes here: the clock must not run away from it.
        await fetch(`http://127.0.0.1:${server.port}${BARRIER}`);
      }
    },
    get: (path, args) => said_(fetch(`${built.url()}${path}?${new URLSearchParams(args)}`)),
    close: async () => {
      await built.close();
      await server.stop(true);
    },
  };
}

async function said_(asked: Promise<Response>): Promise<Said> {
  const response = await asked;
  return { status: response.status, text: await response.text() };
}

/** Writes octets to a server and reads all that it answers until it closes, as programs without a library for HTTP do. */
export function raw(url: string, octets: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(octets));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}
