import type { Clock } from "../../core/clock.ts";
import { type Serve, systemServe } from "../../core/serving.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import { type Cloud, type CloudOptions, openCloud, type PostEvent } from "./cloud.ts";
import { type Courier, type CourierEvent, openCourier } from "./courier.ts";
import { preferenceChange, type SaidBy, textChange } from "./payloads.ts";
import type { WhatsappSimSettings } from "./settings.ts";
import type { SimTemplate } from "./templates.ts";
import { waIdOf } from "./wa-id.ts";

/** What somebody who watches sees. */
export type SimEvent =
  | { readonly kind: "listening"; readonly port: number; readonly atMs: number }
  | (PostEvent & { readonly atMs: number })
  | (CourierEvent & { readonly atMs: number })
  | { readonly kind: "stopped"; readonly atMs: number; readonly counts: SimCounts };

export type SimCounts = {
  readonly posts: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly statusesTold: number;
  /** Handed to the webhook and not taken, or not due yet. */
  readonly statusesWaiting: number;
};

export type WhatsappSim = {
  readonly port: number;
  readonly counts: () => SimCounts;
  /** Changes what it does from now on; where it listens and the webhook stay. */
  readonly settings: () => WhatsappSimSettings;
  readonly change: (changed: Partial<WhatsappSimSettings>) => void;
  /** Its own clock. */
  readonly nowMs: () => number;
  readonly templates: () => readonly SimTemplate[];
  /** Puts other templates in the place of these, and tells nobody. */
  readonly setTemplates: (templates: readonly SimTemplate[]) => void;
  /** Tells the webhook anything: a field and its value, as Meta would. */
  readonly tell: (field: string, value: object) => void;
  /** A user, by the number that is written to, says something to the number that posted last. False: nobody listens. */
  readonly text: (from: string, text: string, by?: SaidBy) => boolean;
  readonly preference: (user: string, value: "stop" | "resume") => boolean;
  /** Resolves when every status that was handed to the webhook is taken. */
  readonly told: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type WhatsappSimOptions = {
  readonly clock: Clock;
  readonly settings: WhatsappSimSettings;
  readonly onEvent?: (event: SimEvent) => void;
  readonly fate?: CloudOptions["fate"];
  readonly serve?: Serve;
  readonly network?: HttpsNetwork;
};

const LARGEST_BODY = 1_048_576;

/** Starts the stand-in on 127.0.0.1. @throws the runtime's error when the port cannot be listened on. */
export function startWhatsappSim(options: WhatsappSimOptions): WhatsappSim {
  const { clock, network, fate, onEvent = () => {} } = options;
  let settings = options.settings;
  const count = counter();
  const say = (event: PostEvent | CourierEvent): void => {
    count.note(event);
    onEvent({ ...event, atMs: clock.nowMs() });
  };
  const { webhook, appSecret, verifyToken } = settings;
  const way =
    webhook === null ? null : openCourier({ clock, webhook, appSecret, verifyToken, onEvent: say, network });
  const desk = openCloud({
    clock,
    settings: () => settings,
    tell: (status) => way?.status(status),
    onPost: say,
    ...(fate ? { fate } : {}),
  });
  const { port, close } = listen(desk, settings.port, options.serve ?? systemServe);
  onEvent({ kind: "listening", port, atMs: clock.nowMs() });
  const counts = (): SimCounts => ({
    ...count.now(),
    statusesWaiting: desk.ahead() + (way?.waiting() ?? 0),
  });
  return {
    port,
    counts,
    nowMs: () => clock.nowMs(),
    templates: desk.templates,
    setTemplates: desk.setTemplates,
    ...fromUsers(clock, desk, way, () => settings),
    settings: () => settings,
    change: (changed) => {
      settings = { ...settings, ...changed };
    },
    tell: (field, value) => way?.change({ waba: desk.number().waba, field, value, atMs: clock.nowMs() }),
    told: () => way?.idle() ?? Promise.resolve(),
    stop: async () => {
      desk.stop();
      const last = counts();
      way?.stop();
      await close();
      onEvent({ kind: "stopped", atMs: clock.nowMs(), counts: last });
    },
  };
}

function counter() {
  const count = { posts: 0, accepted: 0, refused: 0, unanswered: 0, statusesTold: 0 };
  return {
    now: () => ({ ...count }),
    note: (event: PostEvent | CourierEvent): void => {
      if (event.kind === "told") count.statusesTold += event.statuses;
      if (event.kind !== "post") return;
      count.posts += 1;
      if (event.code !== null) count.refused += 1;
      else if (event.isAnswered) count.accepted += 1;
      else count.unanswered += 1;
    },
  };
}

/** What users do, as far as the webhook hears of it. */
function fromUsers(
  clock: Clock,
  desk: Cloud,
  way: Courier | null,
  settings: () => Pick<WhatsappSimSettings, "seed" | "waIds">,
): Pick<WhatsappSim, "text" | "preference"> {
  let messages = 0;
  return {
    text: (number, text, by = "text") => {
      const { seed, waIds } = settings();
      const from = waIdOf(waIds, number);
      messages += 1;
      const id = `wamid.${Buffer.from(`in:${seed}:${messages}`).toString("base64")}`;
      const said = { id, from, atMs: clock.nowMs(), text, by, answers: desk.lastTo(from) };
      way?.change(textChange({ ...desk.number(), ...said }));
      return way !== null;
    },
    preference: (number, value) => {
      const user = waIdOf(settings().waIds, number);
      way?.change(preferenceChange({ ...desk.number(), user, atMs: clock.nowMs(), value }));
      return way !== null;
    },
  };
}

function listen(desk: Cloud, port: number, serve: Serve) {
  // Whoever is not answered decides itself how long it waits.
  const held = new Set<(response: Response) => void>();
  const server = serve({
    at: { hostname: "127.0.0.1", port },
    maxRequestBodySize: LARGEST_BODY,
    idleTimeout: 255,
    fetch: async (request) => {
      const body = await request.text();
      const { method, headers, url } = request;
      const asked = { method, url: new URL(url), authorization: headers.get("authorization"), body };
      const answer = desk.take(asked);
      if (answer === null) return new Promise((resolve) => held.add(resolve));
      const type = { "content-type": "application/json" };
      return new Response(answer.body, { status: answer.status, headers: type });
    },
  });
  return {
    port: server.port ?? 0,
    close: async () => {
      for (const resolve of held) resolve(new Response(null, { status: 503 }));
      await server.stop(true);
    },
  };
}
