/** Each alarm is made to happen, and to end, by what happens to a whole appliance: nothing here speaks to a rule. */
import { Database } from "bun:sqlite";
import { createHmac } from "node:crypto";
import { openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { Config } from "../../../src/config/config.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { RULE_NAMES, type RuleName } from "../../../src/ops/alerts/rules.ts";
import { obeyLine } from "../../../src/simulator/command.ts";
import { PLAIN } from "../../../src/simulator/quirks.ts";
import { USUAL } from "../../../src/simulator/whatsapp/cloud.ts";
import { startWhatsappSim, type WhatsappSim } from "../../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../../src/simulator/whatsapp/settings.ts";
import { SIM_COMMANDS } from "../../../src/simulator/whatsapp/typed-commands.ts";
import type { BindKind } from "../../../src/smpp/pdu.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { bindOf, smppClient } from "../../ingress/smpp/rig.ts";
import { ENDING_CERTIFICATE, TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type TestSmsc, testSmsc } from "../../kit/smsc.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type Answer, ok, type Receiver, startReceiver, status } from "../../webhooks/receiver.ts";

const MIN = 60_000;
const HOUR = 60 * MIN;
const MB = 1024 * 1024;

let receiver: Receiver;
let appliance: Stage;
let others: TestSmsc[];
let sim: WhatsappSim | null;
let freeBytes: number;
/** How a client's own endpoint answers. */
let clientsAnswer: Answer;
/** Requests of the appliance to servers of others whose answer was not heard yet. */
let underWay: number;

beforeEach(async () => {
  others = [];
  sim = null;
  freeBytes = 10_000 * MB;
  clientsAnswer = ok;
  underWay = 0;
  receiver = await startReceiver(({ path }) => (path === "/alarms" ? ok : clientsAnswer));
  appliance = await stage(
    {
      ...systemPlatform,
      https: {
        ...systemHttps,
        request: async (target, address, init, isFresh) => {
          underWay += 1;
          try {
            return await systemHttps.request(target, address, init, isFresh, TEST_AUTHORITY);
          } finally {
            underWay -= 1;
          }
        },
      },
      spaceOf: () => ({ freeBytes, totalBytes: 20_000 * MB }),
    },
    {
      alerts: { webhook: `https://127.0.0.1:${receiver.port}/alarms`, secret: "a secret", rules: FEWER },
      webhooks: { allow_private_targets: true },
    },
  );
});
afterEach(async () => {
  await appliance.close();
  for (const other of others) await other.stop();
  await sim?.stop();
  receiver.close();
});

/** Thresholds that would take hundreds of messages to reach; all else is as it comes. */
const FEWER = {
  delivered_share: { messages: 10 },
  receipts_unmatched: { receipts: 2 },
  templates_unread: { seconds: 600 },
  smpp_receipts: { seconds: 600 },
};

/** A busy machine answers late: no time passes before it has, or after so many turns of the event loop. */
const MAX_TURNS = 200_000;
/** Turns of the event loop in which what is asked on the loopback comes and goes, while no time passes. */
const rest = async () => {
  for (let turn = 0; turn < 100 || (underWay > 0 && turn < MAX_TURNS); turn++)
    await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (ms: number, step = 5000) => {
  for (let passed = 0; passed < ms; passed += step) {
    await appliance.clock.advance(step);
    await rest();
  }
};
/** Each once: simulated minutes may be over before an answer over the loopback was heard, and it is told again. */
const told = () =>
  [
    ...new Map(
      receiver.received
        .filter(({ path }) => path === "/alarms")
        .map((request) => [request.headers["webhook-id"], request]),
    ).values(),
  ]
    .map(({ body }) => JSON.parse(body) as Record<string, string>)
    .map(({ rule, state }) => `${rule} ${state}`);
/** Lets time pass until this was told, half an hour at most. */
const until = async (news: string) => {
  for (let waited = 0; !told().includes(news); waited += 5000) {
    if (waited > 30 * MIN) throw new Error(`${news} was not told, but ${told().join(", ") || "nothing"}`);
    await pass(5000);
  }
};

/** An operator at the address where it was. */
const again = async (port = appliance.smsc.port, quirks = {}) => {
  const { clock } = appliance;
  const other = await testSmsc({ clock, chance: seededChance(2), quirks: { ...PLAIN, ...quirks }, port });
  others.push(other);
  return other;
};
const change = (part: (config: Config) => Partial<Config>, pems = new Map<string, string>()) => {
  const config = appliance.settings.now();
  appliance.settings.replace({ ...config, ...part(config) }, { pems });
};
/** The operator's connections, each as the first but for its differences. */
const connections = (...differences: Partial<Config["operators"][string]["connections"][number]>[]) =>
  change(({ operators }) => {
    const orange = operators.orange!;
    const [first] = orange.connections;
    return {
      operators: { orange: { ...orange, connections: differences.map((each) => ({ ...first!, ...each })) } },
    };
  });
const numbers = (count: number, ending = "") =>
  Array.from({ length: count }, (_, index) => ({
    msisdn: `22670${String(index).padStart(6 - ending.length, "0")}${ending}`,
  }));
/** Sends, and waits until each has come to its end. */
const send = async (client: Client, recipients: { msisdn: string }[], isOver: (done: number) => boolean) => {
  const { batch_id } = await client.submit({ recipients });
  await client.until(batch_id, ({ counts }) => isOver((counts.delivered ?? 0) + (counts.failed ?? 0)));
};
const waitsWith = async (messageClass: string) => {
  const client = await appliance.client();
  await appliance.admin("operator pause", { CODE: "orange", reason: "works" });
  await client.submit({ recipients: numbers(1), message_class: messageClass });
};
const lets = async () => void (await appliance.admin("operator resume", { CODE: "orange" }));
const databaseFile = () => join(appliance.settings.now().storage.directory, "bendre.db");
/** Somebody else's hand in the books. */
const changeFunds = (by: number) => {
  const database = new Database(databaseFile());
  database.run("UPDATE wallets SET funds = funds + ?", [by]);
  database.close();
};
const backupFile = async () => String((await appliance.admin("backup create")).file);

let smppPassword = "";
/** A client of the SMPP user, where the appliance says that it listens. */
const bindSmpp = async (kind: BindKind) => {
  const told = appliance.log().findLast(({ message }) => message === "SMPP clients are answered");
  const client = await smppClient(Number(told?.port), appliance);
  await client.ask(bindOf(kind, smppPassword, "faso"));
  return client;
};

type Scene = {
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** The machine sleeps through a night, and what was to be done in it is missed too until it was made up for. */
  readonly sleeps?: true;
};

const SCENES: Readonly<Record<RuleName, Scene>> = {
  link_down: {
    begin: async () => {
      const second = await again(0);
      connections({}, { port: second.port });
      await pass(10_000);
      await second.stop();
    },
    end: async () => void (await again(others[0]!.port)),
  },
  operator_down: {
    begin: () => appliance.smsc.stop(),
    end: async () => void (await again()),
  },
  not_taken: {
    begin: async () => {
      appliance.smsc.change({ refusePercent: 100, refuseStatus: 0x08 });
      const client = await appliance.client();
      await client.submit({ recipients: numbers(1) });
    },
    end: async () => appliance.smsc.change({ refusePercent: 0 }),
  },
  otp_waits: { begin: () => waitsWith("OTP"), end: lets },
  transactional_waits: { begin: () => waitsWith("TRANSACTIONAL"), end: lets },
  route_ill: {
    begin: async () => {
      await takeRoutes();
      const client = await appliance.client();
      for (const end of ["01", "02", "03"]) {
        appliance.smsc.change({ refuseBinds: 2 });
        appliance.smsc.dropLinks();
        await pass(5000, 1000);
        await client.submit({ recipients: numbers(1, end), message_class: "OTP" });
        await pass(30_000, 1000);
      }
    },
    end: () => pass(15 * MIN, 10_000),
  },
  no_route: {
    begin: async () => {
      await takeRoutes();
      for (const route of ["direct", "agg"])
        await appliance.admin("operator pause", { CODE: `orange/${route}`, reason: "works" });
      const client = await appliance.client();
      await client.submit({ recipients: numbers(1), message_class: "MARKETING" });
    },
    end: async () => void (await appliance.admin("operator resume", { CODE: "orange/agg" })),
  },
  delivered_share: {
    sleeps: true,
    begin: async () => {
      const client = await appliance.client();
      await send(client, numbers(20), (done) => done === 20);
      await pass(15 * MIN, MIN);
      appliance.clock.sleep(25 * HOUR);
      await send(client, numbers(10, "99001"), (done) => done === 10);
    },
    end: async () => {
      appliance.clock.sleep(HOUR);
      await send(await appliance.client(), numbers(20), (done) => done === 20);
    },
  },
  receipts_unmatched: {
    begin: async () => {
      connections({ unmarked_receipts: "always" });
      await pass(10_000);
      for (let id = 1; id < 5; id++)
        appliance.smsc.sendMo(
          "22670000001",
          "ACME",
          `id:999999${id} sub:001 dlvrd:001 submit date:2603020900 done date:2603020900 stat:DELIVRD err:000 text:`,
        );
    },
    end: () => pass(16 * MIN, 10_000),
  },
  smpp_receipts: {
    begin: async () => {
      change(({ smpp_server }) => ({ smpp_server: { ...smpp_server, listen: "127.0.0.1:0" } }));
      const { accountId } = await appliance.client();
      const given = { ACCOUNT: accountId, "system-id": "faso", tls: "optional", networks: "127.0.0.1" };
      const { password } = await appliance.admin("smpp create", given);
      smppPassword = String(password);
      const client = await bindSmpp("transmitter");
      await client.submit({ registeredDelivery: 1 });
      client.close();
    },
    end: async () => {
      const client = await bindSmpp("receiver");
      await client.until(() => client.delivered().length === 1);
      client.close();
    },
  },
  throttled: {
    begin: async () => {
      appliance.smsc.change({ throttlePerSecond: 1, throttleWindowMs: 20_000 });
      const client = await appliance.client();
      await client.submit({ recipients: numbers(1000) });
    },
    end: async () => appliance.smsc.change({ throttlePerSecond: 0 }),
  },
  disk: {
    begin: async () => {
      freeBytes = 500 * MB;
    },
    end: async () => {
      freeBytes = 600 * MB;
    },
  },
  clock: {
    begin: async () => appliance.clock.setBy(7 * HOUR),
    end: async () => appliance.clock.setBy(-7 * HOUR),
  },
  books: {
    begin: async () => {
      await appliance.client();
      changeFunds(1);
      await appliance.refusal("ledger check");
    },
    end: async () => {
      changeFunds(-1);
      await appliance.admin("ledger check");
    },
  },
  backup: {
    sleeps: true,
    begin: async () => {
      const file = join(appliance.settings.now().storage.directory, "no-directory");
      writeFileSync(file, "");
      change(({ backup }) => ({ backup: { ...backup, directory: file } }));
      appliance.clock.sleep(27 * HOUR);
    },
    end: async () => {
      change(({ backup }) => ({ backup: { ...backup, directory: "" } }));
      await backupFile();
    },
  },
  drill: {
    begin: async () => {
      const file = await backupFile();
      const opened = openSync(file, "r+");
      for (let at = 3 * 4096; at < statSync(file).size; at += 4096)
        writeSync(opened, Buffer.alloc(64, 0xab), 0, 64, at);
      await appliance.refusal("backup drill");
    },
    end: async () => {
      await pass(1000, 1000);
      await backupFile();
      await appliance.admin("backup drill");
    },
  },
  number_stopped: {
    begin: async () => {
      await number(190);
      await order();
    },
    end: async () =>
      void (await appliance.admin("operator pause", { CODE: "whatsapp:main", reason: "no token" })),
  },
  template_stopped: {
    begin: async () => {
      await number();
      await isNow("PAUSED");
    },
    end: () => isNow("APPROVED"),
  },
  direct_text_stopped: {
    begin: async () => {
      await number(null, { direct_send: true });
      await order(["70000001", "70000002"], "Votre colis est là.");
      await pass(10_000, 1000);
      for (const id of wamids.splice(0)) await deliveredAs("marketing", id);
    },
    end: async () =>
      void (await appliance.admin("whatsapp release", { NAME: "whatsapp:main", LANGUAGE: "TRANSACTIONAL" })),
  },
  template_moves: {
    begin: async () => {
      await number();
      expect(obeyLine(SIM_COMMANDS, sim!, "announce commande_prete MARKETING")).toBeNull();
    },
    end: async () => {
      sim!.setTemplates(sim!.templates().filter(({ name }) => name !== "commande_prete"));
      await pass(1000, 1000);
      await appliance.admin("whatsapp sync");
    },
  },
  templates_unread: {
    begin: async () => {
      await number();
      await sim!.stop();
      await appliance.admin("whatsapp sync");
    },
    end: async () => {
      await number();
    },
  },
  country_refused: {
    begin: async () => {
      await number(130497);
      await order();
    },
    end: () => pass(15 * MIN, 30_000),
  },
  certificate: {
    begin: async () => changeAuthority(ENDING_CERTIFICATE),
    end: async () => changeAuthority(TEST_AUTHORITY),
  },
  endpoint: {
    begin: async () => {
      clientsAnswer = status(500);
      const client = await appliance.client();
      const response = await fetch(`${appliance.url()}/public/v1/webhooks`, {
        method: "POST",
        headers: { "x-api-key": client.apiKey, "content-type": "application/json", "idempotency-key": "one" },
        body: JSON.stringify({ url: `https://127.0.0.1:${receiver.port}/client` }),
      });
      expect(response.status).toBe(201);
      await client.submit({ recipients: numbers(1) });
    },
    end: async () => {
      clientsAnswer = ok;
    },
  },
  wallet_low: {
    begin: async () => {
      const { accountId } = await appliance.client({ funds: 1000 });
      await appliance.admin("account set", { ACCOUNT: accountId, "low-balance": "5000" });
      lowAccount = accountId;
    },
    end: async () =>
      void (await appliance.admin("wallet topup", {
        ACCOUNT: lowAccount,
        AMOUNT: "10000",
        reference: "cash 2",
      })),
  },
};
let lowAccount = "";

/** The operator has two routes from now on, the second of them to another SMSC. */
async function takeRoutes(): Promise<void> {
  const { port } = await again(0);
  const routes = { direct: { order: 1 }, agg: { order: 2 } };
  const links = Object.keys(routes).map((route) => connection({ route }));
  const { orange } = configOf(
    document({ operators: { orange: operator({ routes, connections: links }) } }),
  ).operators;
  change(({ operators }) => {
    const own = operators.orange!;
    const [first] = own.connections;
    const connections = [
      { ...first!, route: "direct" },
      { ...first!, route: "agg", port },
    ];
    return { operators: { orange: { ...own, routes: orange!.routes, connections } } };
  });
  await pass(5000, 1000);
}

function changeAuthority(pem: string): void {
  change(({ webhooks }) => ({ webhooks: { ...webhooks, ca_file: "ca.pem" } }), new Map([["ca.pem", pem]]));
}

/** A number of WhatsApp, at a stand-in for Meta that answers posts with a code. */
async function number(answer: number | null = null, more: object = {}): Promise<void> {
  const { clock, settings } = appliance;
  const webhook = { webhook: `${appliance.url()}/whatsapp/webhook`, appSecret: "S", verifyToken: "V" };
  await sim?.stop();
  sim = startWhatsappSim({
    clock,
    settings: { ...SIM_DEFAULTS, ...webhook, port: 0 },
    fate: () => ({ ...fated([]), answer, isTaken: answer === null }),
    onEvent: (event) => {
      if (event.kind === "post" && event.wamid !== null) wamids.push(event.wamid);
    },
  });
  const main = {
    phone_number_id: "1",
    waba_id: USUAL.waba,
    token: "t",
    price: { TRANSACTIONAL: 5 },
    ...more,
  };
  const api = `http://127.0.0.1:${sim.port}`;
  const table = { app_secret: "S", verify_token: "V", api, numbers: { main } };
  const { whatsapp } = configOf(document({ whatsapp: table }));
  settings.replace({ ...settings.now(), whatsapp: { ...whatsapp, sync_minutes: 1440 } });
  await appliance.admin("whatsapp sync");
}

/** The template of orders has another status at Meta, and that was read. */
async function isNow(status: string): Promise<void> {
  sim!.setTemplates(
    sim!.templates().map((each) => (each.name === "commande_prete" ? { ...each, status } : each)),
  );
  await pass(1000, 1000);
  await appliance.admin("whatsapp sync");
}

/** An order is ready, and a user is told so by the number. */
async function order(
  to: readonly string[] = ["70000001"],
  body = "Bonjour {nom}, votre commande {commande} est prête.",
): Promise<void> {
  const client = await appliance.client();
  const sender = { ACCOUNT: client.accountId, NAME: "ACME", operator: "whatsapp:main" };
  await appliance.admin("sender register", sender);
  await client.submit({
    channel: "WHATSAPP",
    body,
    recipients: to.map((msisdn) => ({ msisdn, attributes: { nom: "Awa", commande: 1 } })),
  });
}

/** Of what was posted to the stand-in. */
const wamids: string[] = [];

/** Meta tells that a post was delivered, and what it bills it as. */
async function deliveredAs(category: string, id: string): Promise<void> {
  const status = { id, status: "delivered", pricing: { billable: true, category } };
  const changes = [{ field: "messages", value: { statuses: [status] } }];
  const body = JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: USUAL.waba, changes }] });
  const signature = `sha256=${createHmac("sha256", "S").update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
  await fetch(`${appliance.url()}/whatsapp/webhook`, { method: "POST", headers, body });
}

describe("every alarm", () => {
  test.each(RULE_NAMES.map((rule) => [rule] as const))(
    "%s starts and ends, and no other does",
    async (rule) => {
      await pass(5000);
      await SCENES[rule].begin();
      await until(`${rule} start`);
      await SCENES[rule].end();
      await until(`${rule} end`);
      const about = told().filter((news) => !SCENES[rule].sleeps || news.startsWith(`${rule} `));
      expect(about).toEqual([`${rule} start`, `${rule} end`]);
    },
  );
});
