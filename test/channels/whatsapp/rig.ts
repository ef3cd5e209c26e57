import { createPostComposer, type PostComposer } from "../../../src/channels/whatsapp/compose-post.ts";
import { closeSilent, recoverPosts } from "../../../src/channels/whatsapp/post-messages.ts";
import {
  createTemplateNewsHandler,
  NEWS_FIELDS,
  type TemplateSync,
  templateSync,
} from "../../../src/channels/whatsapp/template-updates.ts";
import { createUserEventHandler } from "../../../src/channels/whatsapp/user-events.ts";
import { whatsappWebhook } from "../../../src/channels/whatsapp/webhook.ts";
import { openWhatsAppWorkers, type WhatsAppWorkers } from "../../../src/channels/whatsapp/workers.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { readiness } from "../../../src/core/health.ts";
import { systemServe } from "../../../src/core/http-server.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { type Delivery, startDelivery } from "../../../src/dispatch/delivery.ts";
import { recoverLeases } from "../../../src/dispatch/leases.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import type { BatchRequest } from "../../../src/domain/submission/request.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { listen } from "../../../src/ingress/http/listener.ts";
import { createRequestHandler, createStartupHandler } from "../../../src/ingress/http/router.ts";
import {
  type SimEvent,
  startWhatsappSim,
  type WhatsappSimOptions,
} from "../../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS, type WhatsappSimSettings } from "../../../src/simulator/whatsapp/settings.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";
import { testLog } from "../../kit/test-log.ts";

type Table = Readonly<Record<string, unknown>>;

/** Every batch is an order that is ready, for whom its text names. */
export const READY: PostComposer = {
  checkGate: (_, { expiresAt }) => ({ kind: "open", untilMs: expiresAt }),
  postOf: (_, batch, message) => ({
    kind: "template",
    name: "commande_prete",
    language: "fr",
    copiedCode: null,
    values: [
      { name: "nom", text: message.text ?? batch.body },
      { name: "commande", text: String(message.id) },
    ],
  }),
  readCursor: () => null,
  lifeMs: () => null,
};

export type RigOptions = {
  readonly fate?: WhatsappSimOptions["fate"];
  readonly sim?: Partial<WhatsappSimSettings>;
  readonly whatsapp?: Table;
  readonly number?: Table;
  readonly more?: Table;
  /** Before a request leaves: how long it is on its way. */
  readonly onTheWay?: (clock: Tenants["clock"]) => Promise<void>;
  /** "templates": what was read of them. */
  readonly wording?: Partial<PostComposer> | "templates";
};

export type WhatsappRig = Awaited<ReturnType<typeof whatsappRig>>;

const USUAL = { phone_number_id: "42", waba_id: "7", token: "t0ken", price: { TRANSACTIONAL: 5 } };

/** The channel between a real database and a stand-in for the Cloud API, both ways over HTTP, on one clock. */
export async function whatsappRig(options: RigOptions = {}) {
  const log = testLog();
  const ready = readiness();
  const posts: Extract<SimEvent, { kind: "post" }>[] = [];
  const config = (port: number, changes: Table = {}, number: Table = {}) =>
    configOf(
      document({
        operators: { orange: operator({ prefixes: ["22670"], price: 15 }) },
        whatsapp: {
          app_secret: "S",
          verify_token: "V",
          api: `http://127.0.0.1:${port}`,
          ...options.whatsapp,
          ...changes,
          numbers: { main: { ...USUAL, ...options.number, ...number }, ...options.more },
        },
      }),
    );
  const base: Tenants = tenants(config(9));
  const { clock, store, newId } = base;
  const settings = settingsHolder(config(9));
  const listener = listen({
    at: "127.0.0.1:0",
    certificate: null,
    clock,
    log,
    serve: systemServe,
    closed: createStartupHandler(clock, newId, ready),
  });
  const webhookAt = `${listener.url}/whatsapp/webhook`;
  // Time goes on only when what is asked is answered, or will not be; by the stand-in too, which calls the webhook.
  let asked = 0;
  const https = {
    ...systemHttps,
    request: async (...args: Parameters<typeof systemHttps.request>) => {
      await options.onTheWay?.(clock);
      asked += 1;
      try {
        return await systemHttps.request(...args);
      } finally {
        asked -= 1;
      }
    },
  };
  const sim = startWhatsappSim({
    clock,
    network: https,
    settings: {
      ...SIM_DEFAULTS,
      port: 0,
      webhook: webhookAt,
      appSecret: "S",
      verifyToken: "V",
      read: 0,
      ...options.sim,
    },
    onEvent: (event) => {
      if (event.kind === "post") posts.push(event);
    },
    ...(options.fate ? { fate: options.fate } : {}),
  });
  settings.replace(config(sim.port));
  const answered = async (): Promise<void> => {
    for (let turn = 0; asked > sim.counts().unanswered && turn < 20_000; turn++)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const wording =
    options.wording === "templates"
      ? createPostComposer({ settings, clock })
      : { ...READY, ...options.wording };
  const open = () => {
    const deps = { settings, store, clock, log, newId, https, readPem: () => null, wording };
    const whatsapp = openWhatsAppWorkers({
      ...deps,
      readSoon: (wabaId) => templates.readSoon(wabaId),
      ofTest: () => false,
    });
    const templates = templateSync({ ...deps, ...whatsapp });
    const recoverClaim = recoverPosts(() => {
      throw new Error("no other channel");
    });
    const delivery = startDelivery({
      store,
      clock,
      log,
      openWorkers: [whatsapp.open],
      recoverClaim,
      mayClaim: () => true,
    });
    const { takeTexts, takePreferences } = createUserEventHandler({ ...deps, ...whatsapp });
    const takeNews = createTemplateNewsHandler({ ...deps, ...templates });
    const others = {
      user_preferences: takePreferences,
      ...Object.fromEntries(NEWS_FIELDS.map((field) => [field, takeNews])),
    };
    listener.open(createRequestHandler([whatsappWebhook({ ...deps, ...whatsapp, takeTexts, others })]));
    return { whatsapp, delivery, recoverClaim, templates };
  };
  let running: { whatsapp: WhatsAppWorkers; delivery: Delivery; templates: TemplateSync } = open();
  /** Lets time pass in small steps until something is true. */
  const until = async (isDone: () => boolean, stepMs = 20): Promise<void> => {
    for (let turn = 0; !isDone(); turn++) {
      if (turn > 6000)
        throw new Error(`it never came: ${JSON.stringify({ posts, lines: log.lines.slice(-5) })}`);
      await clock.advance(stepMs);
      await answered();
    }
  };
  const pass = async (ms: number, stepMs = 100): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await clock.advance(stepMs);
      await answered();
    }
  };
  return {
    base,
    clock,
    store,
    sim,
    posts,
    log,
    settings,
    until,
    pass,
    webhookAt,
    line: () => running,
    config: (changes: Table = {}, number: Table = {}) => config(sim.port, changes, number),
    /** Accepts a batch of this channel: taken as an SMS, and routed to a number before anybody looks at it. */
    send: async (
      recipients: readonly string[],
      operatorCode = "whatsapp:main",
      body = "Awa",
      messageClass: MessageClass = "TRANSACTIONAL",
    ): Promise<number> => {
      const batchId = await base.send(await account(), messageClass, recipients, { body });
      await store.write((tx) => {
        tx.run("UPDATE batches SET channel = 'WHATSAPP', charge_on = 'delivered' WHERE id = ?", batchId);
        tx.run("UPDATE messages SET operator = ? WHERE batch_id = ?", operatorCode, batchId);
      });
      running.delivery.offer(batchId);
      return batchId;
    },
    /** Submits a batch to the channel, as a client does; what came of it. */
    submit: async (request: Partial<BatchRequest>) => {
      const answer = await base.submit(base.order(await account(), requestWith(request)));
      if (answer.kind === "accepted" && answer.batch.status === "QUEUED")
        running.delivery.offer(answer.batch.id, answer.batch.filled);
      return answer;
    },
    request: requestWith,
    /** Reads the templates of the stand-in. */
    sync: () => running.templates.now(),
    /** Reads them through another client. */
    readingWith: (get: WhatsAppWorkers["client"]["get"]) =>
      templateSync({ settings, store, clock, ...running.whatsapp, client: { get } }).now(),
    /** Reads what is due. */
    due: async () => void (await running.templates.due()),
    account: () => account(),
    messages: (batchId: number) => base.messagesOf(batchId),
    statuses: (batchId: number) => base.messagesOf(batchId).map(({ status }) => status),
    wallet: async () => base.wallet(await account()),
    /** The process dies with all that it holds in memory, and another begins. */
    crash: async () => {
      const { whatsapp, delivery } = running;
      // Nothing of the old one is written any more.
      whatsapp.halt();
      delivery.halt();
      const next = open();
      await recoverLeases({ store, recoverClaim: next.recoverClaim }, clock.nowMs());
      running = next;
      return delivery;
    },
    closeSilent: closeSilent({ store, clock, settings }),
    rows: (table: string) => store.read.all<Record<string, unknown>>(`SELECT * FROM ${table}`),
    stop: async () => {
      const stopping = running.delivery.stop(0);
      await pass(200);
      await stopping;
      await sim.stop();
      await listener.stop(createDeadline(clock, 0));
      await base.close();
    },
  };

  async function account(): Promise<number> {
    const [known] = store.read.all<{ id: number }>("SELECT id FROM accounts");
    if (known) return known.id;
    const id = await base.account();
    await store.write((tx) =>
      tx.run(
        `INSERT INTO sender_registrations (sender_id, operator, created_at)
         SELECT sender_id, 'whatsapp:' || value, created_at FROM sender_registrations, json_each('["main","other"]')`,
      ),
    );
    return id;
  }
}

function requestWith(changes: Partial<BatchRequest>): BatchRequest {
  return {
    sender: "ACME",
    body: "",
    messageClass: "TRANSACTIONAL",
    channel: "WHATSAPP",
    template: null,
    recipients: [{ msisdn: "70000001", attributes: null }],
    textPolicy: null,
    clientReference: null,
    missingAttributes: null,
    scheduledAt: null,
    timezone: null,
    isTest: false,
    otherTags: [],
    ...changes,
  };
}
