/**
 * Stand-in for Meta's Cloud API on 127.0.0.1: takes posts and templates, verifies the webhook, and posts statuses to it in
 * order until they are taken.
 */
import { createHmac } from "node:crypto";
import type { Cancel, Clock } from "../../core/clock.ts";
import { type Serve, systemServe } from "../../core/http-server.ts";
import { errorText } from "../../core/log.ts";
import { type HttpsNetwork, systemHttps } from "../../https/address-guard.ts";
import { type HttpsTarget, parseTarget } from "../../https/https-request.ts";
import { type Ask, asker } from "../../https/post.ts";
import { type Phrase, phrase, said } from "../../i18n/phrase.ts";
import { Cloud, type CloudOptions, type PostEvent } from "./cloud.ts";
import {
  changesOf,
  preferenceChange,
  type StatusOfPost,
  textChange,
  type UserIdentity,
  type WebhookChange,
  webhookBody,
} from "./payloads.ts";
import { type WhatsappSimSettings, waIdOf } from "./settings.ts";
import type { SimTemplate } from "./templates.ts";

/** What the stand-in sees and does, as it happens. */
export type SimEvent =
  | { readonly kind: "listening"; readonly port: number; readonly atMs: number }
  | (PostEvent & { readonly atMs: number })
  | (NotifierEvent & { readonly atMs: number })
  | { readonly kind: "stopped"; readonly atMs: number; readonly counts: SimCounts };

type SimCounts = {
  readonly posts: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly statusesTold: number;
  /** Statuses that the webhook has not taken, or that are not due yet. */
  readonly statusesWaiting: number;
};

export type WhatsappSim = {
  readonly port: number;
  readonly counts: () => SimCounts;
  /** The settings in force. `change` alters them from now on, but for where it listens and the webhook. */
  readonly settings: () => WhatsappSimSettings;
  readonly change: (changed: Partial<WhatsappSimSettings>) => void;
  /** Its own clock. */
  readonly nowMs: () => number;
  readonly templates: () => readonly SimTemplate[];
  /** Replaces the templates, without telling the webhook. */
  readonly setTemplates: (templates: readonly SimTemplate[]) => void;
  /** Sends the webhook any change: a field and its value, as Meta would. */
  readonly tell: (field: string, value: object) => void;
  /** Has a user, by the phone number, send a text to the number that posted last. False: there is no webhook. */
  readonly text: (from: string, text: string, by?: UserIdentity) => boolean;
  readonly preference: (user: string, value: "stop" | "resume") => boolean;
  /** Resolves when the webhook has taken everything that was sent to it. */
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

const MAX_BODY = 1_048_576;

/** Starts the stand-in on 127.0.0.1. @throws the runtime's error when the port cannot be listened on. */
export function startWhatsappSim(options: WhatsappSimOptions): WhatsappSim {
  const { clock, network, fate, onEvent = () => {} } = options;
  let settings = options.settings;
  const count = counter();
  const say = (event: PostEvent | NotifierEvent): void => {
    count.note(event);
    onEvent({ ...event, atMs: clock.nowMs() });
  };
  const { webhook, appSecret, verifyToken } = settings;
  const notifier =
    webhook === null
      ? null
      : openWebhookNotifier({ clock, webhook, appSecret, verifyToken, onEvent: say, network });
  const cloud = new Cloud({
    clock,
    settings: () => settings,
    tell: (status) => notifier?.status(status),
    onPost: say,
    ...(fate ? { fate } : {}),
  });
  const { port, close } = listen(cloud, settings.port, options.serve ?? systemServe);
  onEvent({ kind: "listening", port, atMs: clock.nowMs() });
  const counts = (): SimCounts => ({
    ...count.now(),
    statusesWaiting: cloud.ahead() + (notifier?.waiting() ?? 0),
  });
  return {
    port,
    counts,
    nowMs: () => clock.nowMs(),
    templates: cloud.templates,
    setTemplates: cloud.setTemplates,
    ...fromUsers(clock, cloud, notifier, () => settings),
    settings: () => settings,
    change: (changed) => {
      settings = { ...settings, ...changed };
    },
    tell: (field, value) =>
      notifier?.change({ waba: cloud.number().waba, field, value, atMs: clock.nowMs() }),
    told: () => notifier?.idle() ?? Promise.resolve(),
    stop: async () => {
      cloud.stop();
      const last = counts();
      notifier?.stop();
      await close();
      onEvent({ kind: "stopped", atMs: clock.nowMs(), counts: last });
    },
  };
}

function counter() {
  const count = { posts: 0, accepted: 0, refused: 0, unanswered: 0, statusesTold: 0 };
  return {
    now: () => ({ ...count }),
    note: (event: PostEvent | NotifierEvent): void => {
      if (event.kind === "told") count.statusesTold += event.statuses;
      if (event.kind !== "post") return;
      count.posts += 1;
      if (event.code !== null) count.refused += 1;
      else if (event.isAnswered) count.accepted += 1;
      else count.unanswered += 1;
    },
  };
}

/** Texts of users, as the webhook gets them. */
function fromUsers(
  clock: Clock,
  cloud: Cloud,
  notifier: WebhookNotifier | null,
  settings: () => Pick<WhatsappSimSettings, "seed" | "waIds">,
): Pick<WhatsappSim, "text" | "preference"> {
  let messages = 0;
  return {
    text: (number, text, by = "text") => {
      const { seed, waIds } = settings();
      const from = waIdOf(waIds, number);
      messages += 1;
      const id = `wamid.${Buffer.from(`in:${seed}:${messages}`).toString("base64")}`;
      const said = { id, from, atMs: clock.nowMs(), text, by, answers: cloud.lastTo(from) };
      notifier?.change(textChange({ ...cloud.number(), ...said }));
      return notifier !== null;
    },
    preference: (number, value) => {
      const user = waIdOf(settings().waIds, number);
      notifier?.change(preferenceChange({ ...cloud.number(), user, atMs: clock.nowMs(), value }));
      return notifier !== null;
    },
  };
}

function listen(cloud: Cloud, port: number, serve: Serve) {
  // A client that is not answered decides itself how long it waits.
  const held = new Set<(response: Response) => void>();
  const server = serve({
    at: { hostname: "127.0.0.1", port },
    maxRequestBodySize: MAX_BODY,
    idleTimeout: 255,
    fetch: async (request) => {
      const body = await request.text();
      const { method, headers, url } = request;
      const asked = { method, url: new URL(url), authorization: headers.get("authorization"), body };
      const answer = cloud.take(asked);
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

/** The webhook notifier: posts statuses and other changes in order, repeating each until it is taken. */
type WebhookNotifier = {
  readonly status: (status: StatusOfPost) => void;
  readonly change: (change: WebhookChange) => void;
  /** How many changes are not taken yet. */
  readonly waiting: () => number;
  /** Resolves when nothing waits. */
  readonly idle: () => Promise<void>;
  readonly stop: () => void;
};

type WebhookNotifierOptions = {
  readonly clock: Clock;
  readonly webhook: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly onEvent: (event: NotifierEvent) => void;
  readonly network?: HttpsNetwork | undefined;
};

type NotifierEvent =
  | Verification
  | { readonly kind: "told"; readonly statuses: number }
  | { readonly kind: "untaken"; readonly why: Phrase };

const MAX_IN_A_CALL = 200;
const TIMEOUT_MS = 20_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** Opens the notifier: verifies the webhook, and posts meanwhile. @throws when its address is invalid. */
function openWebhookNotifier(options: WebhookNotifierOptions): WebhookNotifier {
  const { clock, webhook, verifyToken, onEvent, network = systemHttps } = options;
  const target = parseTarget(webhook);
  if (target === null) throw new Error(`${webhook} is no address of http or https`);
  const stopping = new AbortController();
  const ask = asker({
    clock,
    resolve: network.resolve,
    own: network.ownAddresses,
    request: network.request,
    allowPrivate: () => true,
    ca: null,
    timeoutMs: TIMEOUT_MS,
  });
  verifying({ clock, ask, target, verifyToken, onEvent, stop: stopping.signal });
  const post: Post = async (body) => {
    const signature = createHmac("sha256", options.appSecret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
    return (await ask(target, { method: "POST", headers, body }, stopping.signal)).error;
  };
  return postedInOrder(clock, post, onEvent, stopping);
}

/** Posts a body; resolves with why it was not taken, null when it was. */
type Post = (body: string) => Promise<Awaited<ReturnType<Ask>>["error"]>;

/** Posts one call at a time; one that was not taken is repeated later, before all that follow. */
function postedInOrder(
  clock: Clock,
  post: Post,
  onEvent: WebhookNotifierOptions["onEvent"],
  stopping: AbortController,
): WebhookNotifier {
  const statuses: StatusOfPost[] = [];
  const changes: WebhookChange[] = [];
  const waiters: (() => void)[] = [];
  const waiting = (): number => statuses.length + changes.length;
  let isBusy = false;
  let pauseMs = FIRST_PAUSE_MS;
  let cancelTimer: Cancel = () => {};
  const free = (): void => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  const round = async (): Promise<void> => {
    const of = statuses.slice(0, MAX_IN_A_CALL);
    const others = changes.slice(0, MAX_IN_A_CALL);
    const error = await post(webhookBody([...changesOf(of), ...others]));
    if (stopping.signal.aborted) return;
    if (error !== null) {
      rest(error);
      return;
    }
    pauseMs = FIRST_PAUSE_MS;
    statuses.splice(0, of.length);
    changes.splice(0, others.length);
    if (of.length > 0) onEvent({ kind: "told", statuses: of.length });
    next();
  };
  const rest = (why: Phrase): void => {
    onEvent({ kind: "untaken", why });
    cancelTimer = clock.after(pauseMs, next);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  };
  const next = (): void => {
    isBusy = waiting() > 0 && !stopping.signal.aborted;
    // Changes added in this turn of the event loop are sent together.
    if (isBusy) clock.soon(() => round().catch((error: unknown) => rest(said(errorText(error)))));
    else free();
  };
  const begin = (): void => {
    if (!isBusy) next();
  };
  return {
    status: (status) => {
      statuses.push(status);
      begin();
    },
    change: (change) => {
      changes.push(change);
      begin();
    },
    waiting,
    idle: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        begin();
      }),
    stop: () => {
      stopping.abort();
      cancelTimer();
      free();
    },
  };
}

const VERIFY_AGAIN_MS = 2000;
const CHALLENGE = "1158201444";

type Verification = { readonly kind: "verified" } | { readonly kind: "unverified"; readonly why: Phrase };

type VerifyOptions = {
  readonly clock: Clock;
  readonly ask: Ask;
  readonly target: HttpsTarget;
  readonly verifyToken: string;
  readonly onEvent: (event: Verification) => void;
  readonly stop: AbortSignal;
};

/** Verifies the webhook by a challenge, repeated until it is answered; Meta does that once, when a webhook is registered. */
function verifying({ clock, ask, target, verifyToken, onEvent, stop }: VerifyOptions): void {
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.verify_token": verifyToken,
    "hub.challenge": CHALLENGE,
  });
  const asked = { ...target, path: `${target.path}${target.path.includes("?") ? "&" : "?"}${query}` };
  let cancel: Cancel = () => {};
  stop.addEventListener("abort", () => cancel());
  const again = (why: Phrase): void => {
    if (stop.aborted) return;
    onEvent({ kind: "unverified", why });
    cancel = clock.after(VERIFY_AGAIN_MS, once);
  };
  const once = (): void => {
    ask(asked, { method: "GET", headers: {}, body: null, keepsAnswer: true }, stop).then(
      ({ error, answer }) => {
        if (error !== null || answer !== CHALLENGE) again(error ?? phrase("simulator.webhook.other_answer"));
        else onEvent({ kind: "verified" });
      },
      () => again(phrase("simulator.webhook.failed")),
    );
  };
  once();
}
