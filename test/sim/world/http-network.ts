/** The network between clients, commands and the appliance: requests over HTTP, each on a connection of its own. */
import type { HttpServer, Serve, ServeOptions } from "../../../src/core/http-server.ts";
import type { Ask, CallWebhook, HttpAnswer, HttpRequest, RequestFate } from "../actors.ts";
import { forked, oneOf } from "../chance.ts";
import type { Observe } from "../observation.ts";
import type { Scheduler } from "./scheduler.ts";

export type HttpNetwork = {
  /** How the process serves, until `isAlive` says no. */
  readonly serveFor: (isAlive: () => boolean) => Serve;
  /** What is served is gone with the process: requests under way break off. */
  readonly orphan: () => void;
  readonly ask: Ask;
  /** A call of WhatsApp's webhook; some are lost, or their answers are. */
  readonly call: CallWebhook;
  /** One request to the control socket; null when nobody is there, or it broke off. */
  readonly command: (body: string) => Promise<HttpAnswer | null>;
};

/** A server of the process, and what is under way at it. */
type Serving = {
  readonly options: ServeOptions;
  isOpen: boolean;
  readonly underWay: Set<() => void>;
  idle: (() => void)[];
};

/** Clients give up after this. */
const PATIENCE_MS = 60_000;
const LATENCY_MS: readonly [number, number] = [0.2, 8];
/** Of forty calls one does not arrive, and the answer of another. */
const CALL_FATES: readonly [RequestFate, ...RequestFate[]] = [
  "lost",
  "answer lost",
  ...Array.from({ length: 38 }, () => "well" as const),
];

export function httpNetwork(time: Scheduler, seed: number, observe: Observe): HttpNetwork {
  const servers = new Map<"tcp" | "unix", Serving>();
  let requests = 0;
  let calls = 0;

  const serveFor =
    (isAlive: () => boolean): Serve =>
    (options) => {
      const serving: Serving = { options, isOpen: true, underWay: new Set(), idle: [] };
      servers.set("unix" in options.at ? "unix" : "tcp", serving);
      const server: HttpServer = {
        url: new URL("http://127.0.0.1:8080"),
        port: 8080,
        get pendingRequests() {
          return serving.underWay.size;
        },
        stop: (closeActive = false) => {
          serving.isOpen = false;
          if (closeActive) for (const breakOff of [...serving.underWay]) breakOff();
          if (serving.underWay.size === 0) return Promise.resolve();
          return new Promise((resolve) => {
            serving.idle.push(() => isAlive() && resolve());
          });
        },
      };
      return server;
    };

  const exchange = (
    where: "tcp" | "unix",
    request: HttpRequest,
    ...name: readonly [kind: "request" | "call", number: number]
  ): Promise<HttpAnswer | null> =>
    new Promise((resolve) => {
      const chance = forked(seed, ...name);
      const latency = () => LATENCY_MS[0] + chance.fraction() * (LATENCY_MS[1] - LATENCY_MS[0]);
      const { fate = "well" } = request;
      let isOver = false;
      const answered = (answer: HttpAnswer | null, inMs: number): void => {
        if (isOver) return;
        isOver = true;
        time.after(inMs, () => resolve(answer));
      };
      time.after(PATIENCE_MS, () => answered(null, 0));
      time.after(latency(), () => {
        const serving = servers.get(where);
        if (fate === "lost" || !serving?.isOpen) {
          answered(null, latency());
          return;
        }
        handOver(time, serving, request, chance.fraction(), (answer) => {
          if (answer === null || fate === "answer lost" || fate === "cut") answered(null, latency());
          else answered(answer, latency());
        });
      });
    });

  return {
    serveFor,
    orphan: () => {
      for (const serving of servers.values()) for (const breakOff of [...serving.underWay]) breakOff();
      servers.clear();
    },
    ask: async (request) => {
      requests += 1;
      const id = requests;
      const { client, method, path, headers, body } = request;
      observe({ kind: "request", id, client, method, path, headers, body });
      const answer = await exchange("tcp", request, "request", id);
      if (answer) observe({ kind: "answer", id, ...answer });
      else observe({ kind: "no answer", id });
      return answer;
    },
    call: async (body, headers) => {
      calls += 1;
      const fate = oneOf(forked(seed, "fate of a call", calls), CALL_FATES);
      const request = { client: "", method: "POST", path: "/whatsapp/webhook", headers, body, fate } as const;
      return (await exchange("tcp", request, "call", calls))?.status ?? null;
    },
    command: (body) => {
      requests += 1;
      const headers = { "content-type": "application/json" };
      return exchange(
        "unix",
        { client: "", method: "POST", path: "/command", headers, body },
        "request",
        requests,
      );
    },
  };
}

/** Hands a request to the process. `told` hears its answer, or null when it broke off. */
function handOver(
  time: Scheduler,
  serving: Serving,
  asked: HttpRequest,
  drawn: number,
  told: (answer: HttpAnswer | null) => void,
): void {
  const aborter = new AbortController();
  let isOver = false;
  const end = (answer: HttpAnswer | null): void => {
    if (isOver) return;
    isOver = true;
    serving.underWay.delete(breakOff);
    told(answer);
    if (serving.underWay.size === 0) for (const idle of serving.idle.splice(0)) idle();
  };
  const breakOff = (): void => {
    aborter.abort();
    end(null);
  };
  serving.underWay.add(breakOff);
  const body = asked.body === null ? null : bodyStream(time, asked, drawn, breakOff);
  const request = new Request(`http://127.0.0.1:8080${asked.path}`, {
    method: asked.method,
    headers: asked.headers,
    signal: aborter.signal,
    ...(body === null ? {} : { body }),
  });
  const answer = async (): Promise<HttpAnswer> => {
    const response = await serving.options.fetch(request, PEER);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
  answer().then(end, breakOff);
}

/** All of it at once, in drips, or up to the middle. */
function bodyStream(
  time: Scheduler,
  { body, fate }: HttpRequest,
  drawn: number,
  breakOff: () => void,
): ReadableStream<Uint8Array> {
  const octets = new TextEncoder().encode(body ?? "");
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      switch (fate) {
        case "cut":
          controller.enqueue(octets.slice(0, Math.floor(octets.length * drawn)));
          time.after(5, () => {
            controller.error(new Error("the connection broke"));
            breakOff();
          });
          return;
        case "slow":
          drip(time, octets, drawn, controller);
          return;
        default:
          controller.enqueue(octets);
          controller.close();
      }
    },
  });
}

/** Eight pieces, a moment or some seconds apart. */
function drip(
  time: Scheduler,
  octets: Uint8Array,
  drawn: number,
  controller: ReadableStreamDefaultController<Uint8Array>,
): void {
  const size = Math.ceil(octets.length / 8);
  const everyMs = drawn * 2000;
  const from = (at: number): void => {
    try {
      if (at >= octets.length) controller.close();
      else controller.enqueue(octets.slice(at, at + size));
    } catch {
      // Nobody reads it any more.
      return;
    }
    if (at < octets.length) time.after(everyMs, () => from(at + size));
  };
  from(0);
}

/** Whoever asks is on this machine. */
const PEER = {
  requestIP: () => ({ address: "127.0.0.1", family: "IPv4", port: 40_000 }),
} as unknown as Bun.Server<undefined>;
