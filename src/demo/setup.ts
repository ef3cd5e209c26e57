/**
 * Starts what `bendre demo` runs in one process and a temporary directory: simulated operators, a stand-in for Meta, the
 * appliance, and a funded account.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AdminContext } from "../admin/operations/context.ts";
import { keyCreate } from "../admin/operations/keys.ts";
import { smppCreate } from "../admin/operations/smpp-users.ts";
import { whatsappSync } from "../admin/operations/whatsapp.ts";
import { type AppEnvironment, startApp } from "../app/app.ts";
import type { Config } from "../config/config.ts";
import { settingsHolder } from "../config/live-config.ts";
import { parseConfig } from "../config/parse-config.ts";
import { assert } from "../core/assert.ts";
import type { Serve } from "../core/http-server.ts";
import { SCOPES } from "../domain/accounts/api-keys.ts";
import type { SmscEvent } from "../simulator/events.ts";
import type { Quirks } from "../simulator/quirks.ts";
import { startSmsc } from "../simulator/server.ts";
import type { PostFate } from "../simulator/whatsapp/fate.ts";
import { startWhatsappSim } from "../simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../simulator/whatsapp/settings.ts";
import type { SmppListen } from "../smpp/listen.ts";
import { granted, openAccount } from "./accounts.ts";
import { createConsoleLink } from "./console-link.ts";
import { playHistory } from "./history.ts";
import type { DemoLanguage } from "./past-clients.ts";
import {
  CLOUD_SECRETS,
  DEMO_NUMBER,
  DEMO_OPERATORS,
  demoConfig,
  ENGLISH_TEMPLATE,
  NOT_ON_WHATSAPP,
} from "./scenario.ts";
import { dialInTheOpen } from "./wire.ts";

/** Everything the demonstration needs, running: operators, appliance, and an account that may send. */
export type DemoStage = {
  readonly url: string;
  /** Valid as long as the stage stands. */
  readonly apiKey: string;
  /** For whoever tries the commands that are shown. */
  readonly visitorKey: string;
  /** Opens the sandbox of the same account. */
  readonly testKey: string;
  /** Binds to the same account. */
  readonly smpp: SmppBind;
  readonly sender: string;
  readonly directory: string;
  /** Signs in to the console; null where nobody is to look. */
  readonly consoleLink: string | null;
  /** Stops everything and removes the temporary directory. */
  readonly stop: () => Promise<void>;
};

/** What a client of SMPP is told to bind with. */
type SmppBind = { readonly address: string; readonly systemId: string; readonly password: string };

type StageOptions = {
  readonly edges: AppEnvironment;
  /** Of the texts, and of the console. */
  readonly language?: DemoLanguage;
  /** The API's port; 0 for a free one. */
  readonly port?: number;
  /** Takes a line for each PDU between the appliance and an operator. */
  readonly onWire?: (line: string) => void;
  /** Begins with a month of traffic and opens the console. */
  readonly isForWatching?: boolean;
  /** Quirks of every operator, which override its own. */
  readonly quirks: Partial<Quirks>;
  /** `operator` is the code of the one whose event it is. */
  readonly onEvent: (operator: string, event: SmscEvent) => void;
  /** Approximate delay from a post to the handset, milliseconds. */
  readonly chatDelayMs?: number;
  /** A person got a text in WhatsApp. */
  readonly onChat?: (text: { readonly to: string; readonly text: string }) => void;
};

/** What Meta answers to a post to somebody who is not on WhatsApp. */
const UNKNOWN_USER: PostFate = {
  answer: 131026,
  isAnswered: true,
  isTaken: false,
  isBillable: false,
  statuses: [],
};
const DEMO_SENDER = "BENDRE";
const DEMO_TOP_UP = 10_000;

/**
 * Builds the stage; what had been started is stopped again if a later step fails.
 * @throws PortTaken at once where the port cannot be listened on.
 */
export async function startStage({
  edges,
  language = "fr",
  port = 0,
  onWire,
  isForWatching = false,
  quirks,
  onEvent,
  chatDelayMs = 200,
  onChat = () => {},
}: StageOptions): Promise<DemoStage> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    throwIfTaken(edges.machine.serve, port);
    const directory = mkdtempSync(join(tmpdir(), "bendre-demo-"));
    stops.push(async () => rmSync(directory, { recursive: true, force: true }));
    const ports = new Map<string, number>();
    for (const operator of DEMO_OPERATORS) {
      const smsc = await startSmsc({
        ...edges,
        port: 0,
        quirks: { ...operator.quirks, ...quirks },
        onEvent: (event) => onEvent(operator.code, event),
      });
      stops.push(smsc.stop);
      ports.set(operator.code, smsc.port);
    }
    const config = configOf(demoConfig({ directory, port, ports }));
    if (isForWatching) await playHistory(config, language, edges.clock.nowMs());
    const settings = settingsHolder(config);
    const operatorAt = (port: number) =>
      DEMO_OPERATORS.find(({ code }) => ports.get(code) === port)?.code ?? String(port);
    const link = createConsoleLink(edges);
    let smppPort = 0;
    const listenSmpp: SmppListen = (options) => {
      const listener = edges.machine.listenSmpp(options);
      smppPort = listener.port;
      return listener;
    };
    const machine = { ...edges.machine, serve: link.serve, listenSmpp };
    const app = await startApp(settings, {
      ...edges,
      machine: onWire ? { ...machine, dial: dialInTheOpen(machine.dial, operatorAt, onWire) } : machine,
    });
    stops.push(app.stop);
    const cloud = startWhatsappSim({
      clock: edges.clock,
      settings: {
        ...SIM_DEFAULTS,
        ...CLOUD_SECRETS,
        port: 0,
        delayMs: chatDelayMs,
        webhook: `${app.url}/whatsapp/webhook`,
      },
      fate: ({ to }) => (to === NOT_ON_WHATSAPP ? UNKNOWN_USER : null),
      onEvent: (event) => {
        if (event.kind === "post" && event.wamid !== null) onChat(event);
      },
    });
    stops.push(cloud.stop);
    if (language === "en") cloud.setTemplates([...cloud.templates(), ENGLISH_TEMPLATE]);
    settings.replace(configOf(demoConfig({ directory, port, ports, cloudPort: cloud.port })));

    const context = app.context("demo");
    granted(await whatsappSync(context));
    const id = await openAccount(context, {
      name: "Démo",
      sender: DEMO_SENDER,
      operators: [...DEMO_OPERATORS, DEMO_NUMBER].map(({ code }) => code),
      topUp: DEMO_TOP_UP,
    });
    const key = granted(await keyCreate(context, id, { name: "demo", scopes: SCOPES, expiresAtMs: null }));
    const visitorKey = granted(
      await keyCreate(context, id, { name: "visitor", scopes: SCOPES, expiresAtMs: null }),
    );
    const asked = { name: "try", scopes: SCOPES, mode: "test", expiresAtMs: null } as const;
    const testKey = granted(await keyCreate(context, id, asked)).api_key;
    const consoleLink = isForWatching ? await link.open(context, language, app.url) : null;
    if (consoleLink !== null) stops.push(consoleLink.stop);
    return {
      url: app.url,
      apiKey: key.api_key,
      visitorKey: visitorKey.api_key,
      testKey,
      smpp: await createSmppUser(context, id, smppPort),
      sender: DEMO_SENDER,
      directory,
      consoleLink: consoleLink?.url ?? null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const SYSTEM_ID = "demo";

/** Creates a user that binds from this machine; what it binds with. */
async function createSmppUser(context: AdminContext, account: string, port: number): Promise<SmppBind> {
  const { password } = granted(
    await smppCreate(context, {
      account,
      system_id: SYSTEM_ID,
      mode: "live",
      class: "TRANSACTIONAL",
      classes_by: null,
      sender: DEMO_SENDER,
      max_binds: 2,
      throughput: 50,
      window: 10,
      networks: ["127.0.0.1"],
      tls: "optional",
      alphabet: "gsm",
      ids: "ulid",
      reasons: "no",
      receipt_text: 0,
      inbound: "no",
    }),
  );
  return { address: `127.0.0.1:${port}`, systemId: SYSTEM_ID, password };
}

/** The port that was asked for cannot be had. */
export class PortTaken extends Error {
  override name = "PortTaken";
  constructor(readonly port: number) {
    super(`port ${port} cannot be listened on`);
  }
}

/** Before a month of traffic is made, which takes a while. @throws PortTaken */
function throwIfTaken(serve: Serve, port: number): void {
  try {
    const nobody = new Response(null, { status: 503 });
    serve({ at: { hostname: "127.0.0.1", port }, maxRequestBodySize: 0, fetch: () => nobody }).stop();
  } catch {
    throw new PortTaken(port);
  }
}

function configOf(document: unknown): Config {
  const parsed = parseConfig(document, {});
  assert(parsed.ok, "the configuration of the demonstration is in order");
  return parsed.config;
}
