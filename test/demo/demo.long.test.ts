import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { systemChance } from "../../src/core/chance.ts";
import { systemClock } from "../../src/core/clock.ts";
import { type DemoIo, runDemo } from "../../src/demo/demo.ts";
import { startStage } from "../../src/demo/setup.ts";
import { bindOf, smppClient } from "../ingress/smpp/rig.ts";
import { testLog } from "../kit/test-log.ts";

const AT_ONCE = { responseDelayMs: 0, responseJitterMs: 0, receiptDelayMs: 0, receiptJitterMs: 0 };

/** A process that is told to stop as soon as its output is `enough`. */
function screen(enough: (text: string) => boolean = () => false) {
  let text = "";
  let stop = () => {};
  const stopAsked = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const io: DemoIo = {
    clock: systemClock,
    chance: systemChance,
    untilStop: () => stopAsked,
    err: (more) => {
      text += more;
    },
    out: (more) => {
      text += more;
      if (enough(text)) stop();
    },
  };
  return { io, text: () => text, stop: () => stop() };
}

describe("bendre demo --once", () => {
  test("sends a batch through HTTP and SMPP, shows every message delivered, and exits 0", async () => {
    const { io, text } = screen();
    const exit = await runDemo({ once: true, quirks: AT_ONCE }, io);
    expect(text()).toContain("all 12 messages were delivered\n");
    expect(text().match(/^\+226\d{8} .* DELIVERED +(GSM7|UCS2) +\d+ +\d+$/gm)).toHaveLength(13);
    expect(text().match(/^handset \+226\d{8} {2}BENDRE: “Bonjour /gm)).toHaveLength(13);
    expect(text()).toContain("all 4 messages were delivered\n");
    expect(text().match(/^\+226\d{8} +WhatsApp +DELIVERED +UTF8 +1 +5$/gm)).toHaveLength(3);
    // One is not on WhatsApp, and gets an SMS.
    expect(text()).toMatch(/^\+22605102007 +Orange Burkina Faso +DELIVERED +GSM7 +1 +15$/m);
    expect(text()).toContain("handset +22605102007  BENDRE: “Bonjour Salif, commande 4524 prête.”");
    expect(
      text().match(/^whatsapp \+226\d{8}: “Bonjour \S+, votre commande \d+ est prête\.”$/gm),
    ).toHaveLength(3);
    expect(text().match(/^batch {3}SETTLED$/gm)).toHaveLength(2);
    expect(text()).not.toContain("BREACH");
    expect(exit).toBe(0);
  });

  test("sends the same in English to whoever reads that", async () => {
    const { io, text } = screen();
    expect(await runDemo({ once: true, language: "en", quirks: AT_ONCE }, io)).toBe(0);
    expect(text().match(/^handset \+226\d{8} {2}BENDRE: “Hello /gm)).toHaveLength(13);
    expect(text().match(/^whatsapp \+226\d{8}: “Hello \S+, your order \d+ is ready\.”$/gm)).toHaveLength(3);
    expect(text()).not.toMatch(/Bonjour|votre/);
  });

  test("shows each PDU of every operator to whoever asks for the wire", async () => {
    const { io, text } = screen();
    expect(await runDemo({ once: true, showsWire: true, quirks: AT_ONCE }, io)).toBe(0);
    const pdus = text()
      .split("\n")
      .filter((line) => / (->|<-) /.test(line));
    const count = (pattern: RegExp) => pdus.filter((line) => pattern.test(line)).length;
    for (const code of ["orange", "moov", "telecel"]) {
      expect(count(new RegExp(`^${code} \\d +-> bind_transceiver +seq=1 system_id=bendre `))).toBe(1);
      expect(count(new RegExp(`^${code} \\d +<- bind_transceiver_resp +seq=1 .*ROK`))).toBe(1);
    }
    // Twelve texts, some of several segments, and the one that fell back.
    const submits = count(/-> submit_sm +seq=\d+ source_addr=BENDRE .*destination_addr=226\d{8} /);
    expect(submits).toBeGreaterThan(13);
    expect(count(/<- submit_sm_resp +seq=\d+ command_status=0x00 .* id=\S+$/)).toBe(submits);
    expect(count(/<- deliver_sm +seq=\d+ .*stat=DELIVRD/)).toBe(submits);
    expect(count(/-> deliver_sm_resp +seq=\d+ /)).toBe(submits);
    expect(pdus.join("")).not.toContain("Bonjour");
  });

  test("is not shaken by receipts that come early, twice and without parameters", async () => {
    const { io, text } = screen();
    const rough = { receiptBeforeResponse: true, duplicateReceiptPercent: 100, noTlvs: true };
    expect(await runDemo({ once: true, quirks: { ...AT_ONCE, ...rough, responseJitterMs: 50 } }, io)).toBe(0);
    expect(text()).not.toContain("BREACH");
  });

  test("exits 1 when a handset was not reached, and says which", async () => {
    const { io, text } = screen();
    const exit = await runDemo({ once: true, quirks: { ...AT_ONCE, deliveredPercent: 0 } }, io);
    expect(text()).toMatch(/FAULT {3}\+22676102001 is FAILED \(UNKNOWN_SUBSCRIBER\)/);
    expect(text()).toContain("not everything is well");
    expect(exit).toBe(1);
  });

  test("exits 1 when its patience is over", async () => {
    const { io, text } = screen();
    const quirks = { ...AT_ONCE, noReceipts: true };
    expect(await runDemo({ once: true, quirks, patienceMs: 0 }, io)).toBe(1);
    expect(text()).toContain("not everything is well");
  });
});

describe("bendre demo", () => {
  test("prints curl lines with the key in them, and shows statuses, handsets and the wallet move until stopped", async () => {
    const { io, text } = screen((shown) => (shown.match(/ DELIVERED/g) ?? []).length === 16);
    const demo = runDemo({ once: false, quirks: AT_ONCE }, io);
    expect(await demo).toBe(0);
    expect(text()).toMatch(
      /curl -sS -H 'Authorization: Bearer bdr_\w+' http:\/\/127\.0\.0\.1:\d+\/public\/v1\/account/,
    );
    expect(text()).toMatch(/^sent {4}batch \w{26}: 12 messages/m);
    expect(text().match(/^handset /gm)).toHaveLength(13);
    expect(text().match(/^whatsapp /gm)).toHaveLength(3);
    expect(text()).toMatch(/^wallet {2}balance 10 000 XOF, reserved 0 XOF/m);
    expect(text().match(/^wallet /gm)?.length).toBeGreaterThan(1);
  });

  /** The demonstration, once its link stands there. */
  async function watched(port = 0) {
    const link = Promise.withResolvers<string>();
    const { io, text, stop } = screen();
    const shown: DemoIo = {
      ...io,
      out: (more) => {
        io.out(more);
        const [, found] = /^console +(\S+)/m.exec(text()) ?? [];
        if (found !== undefined) link.resolve(found);
      },
    };
    const stopped = runDemo({ once: false, language: "en", quirks: AT_ONCE, port }, shown);
    const url = await Promise.race([link.promise, stopped.then(() => "")]);
    return { url, stop, stopped, text };
  }

  test("opens the console by the link that it prints, with a month of traffic in it, and only while it runs", async () => {
    const { url, stop, stopped } = await watched();
    expect((await fetch(new URL("/nothing", url), { redirect: "manual" })).status).toBe(404);
    const answer = await fetch(url, { redirect: "manual" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/console");
    const cookie = String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
    const ask = async (path: string) => {
      const asked = await fetch(new URL(`/console/api${path}`, url), { headers: { cookie } });
      return (await asked.json()) as Record<string, unknown>;
    };
    expect(await ask("/me")).toMatchObject({ role: "OWNER", language: "en" });
    expect(await ask("/accounts")).toMatchObject({ accounts: { length: 4 } });
    expect(await ask("/settings")).toMatchObject({ is_without_file: true });
    stop();
    expect(await stopped).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("has an SMPP user that binds from this machine, and whose texts reach a handset", async () => {
    const { stop, stopped, text } = await watched();
    const told = /^SMPP +127\.0\.0\.1:(\d+) .* system_id (\S+) and the password (\S+)$/m.exec(text());
    const [, port, systemId = "", password = ""] = told ?? [];
    const client = await smppClient(Number(port));
    expect((await client.ask(bindOf("transceiver", password, systemId))).status).toBe(0);
    const message = { sourceAddr: "", destinationAddr: "22676000043", registeredDelivery: 1 };
    expect((await client.submit(message)).status).toBe(0);
    await client.until(() => client.delivered().length === 1);
    expect(Buffer.from(client.delivered()[0]!.shortMessage).toString("latin1")).toContain("stat:DELIVRD");
    expect(text()).toContain("handset +22676000043  BENDRE: “Bonjour”");
    client.close();
    stop();
    expect(await stopped).toBe(0);
  });

  test("answers the link at the port of the API, to this machine by its names alone, and HEAD begins no session", async () => {
    const port = freePort();
    const { url, stop, stopped, text } = await watched(port);
    expect(new URL(url).host).toBe(`127.0.0.1:${port}`);
    expect(text()).toContain(`http://127.0.0.1:${port}/public/v1`);
    const head = await fetch(url, { method: "HEAD", redirect: "manual" });
    expect([head.status, head.headers.get("location")]).toEqual([303, "/console"]);
    expect(head.headers.get("set-cookie")).toBeNull();
    const by = async (host: string) => (await fetch(url, { headers: { host }, redirect: "manual" })).status;
    expect(await by(`localhost:${port + 1}`)).toBe(303);
    expect(await by("[::1]:80")).toBe(303);
    expect(await by("127.evil.example")).toBe(421);
    expect(await by(`rebound.example:${port}`)).toBe(421);
    stop();
    expect(await stopped).toBe(0);
  });

  test("lets the owner do what asks for the second factor again", async () => {
    const { url, stop, stopped } = await watched();
    const answer = await fetch(url, { redirect: "manual" });
    const cookie = String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
    const invited = await fetch(new URL("/console/api/users", url), {
      method: "POST",
      headers: { cookie, origin: new URL(url).origin, "content-type": "application/json" },
      body: JSON.stringify({ login: "awa@kadiogo.example", role: "FINANCE" }),
    });
    expect([invited.status, await invited.json()]).toMatchObject([200, { login: "awa@kadiogo.example" }]);
    stop();
    expect(await stopped).toBe(0);
  });

  test("says at once that its port is taken, and what to do", async () => {
    const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const { text, stopped } = await watched(other.port);
    expect(await stopped).toBe(1);
    expect(text()).toBe(
      `bendre demo: port ${other.port} cannot be listened on: another program may be using it; ` +
        "choose another with --port, or leave --port out for a free one\n",
    );
    other.stop();
  });
});

/** A port that was free a moment ago. */
function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  listener.stop();
  return listener.port;
}

test("the stage takes the example of the documentation, and leaves nothing behind", async () => {
  const edges = { clock: systemClock, chance: systemChance, log: testLog(), machine: systemPlatform };
  const stage = await startStage({ edges, quirks: {}, onEvent: () => {} });
  expect(existsSync(stage.directory)).toBe(true);
  const authorization = `Bearer ${stage.apiKey}`;
  const answer = await fetch(`${stage.url}/public/v1/sender-ids`, { headers: { authorization } });
  const { data } = JSON.parse(await answer.text());
  expect(data.sender_ids).toMatchObject([{ sender: stage.sender, is_sendable: true }]);
  const document = (await (await fetch(`${stage.url}/openapi.json`)).json()) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>;
  };
  const example = document.paths["/batches"]?.post.requestBody.content["application/json"]?.example;
  const tried = await fetch(`${stage.url}/public/v1/batches`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${stage.testKey}`,
      "content-type": "application/json",
      "idempotency-key": "example",
    },
    body: JSON.stringify(example),
  });
  expect([tried.status, await tried.json()]).toMatchObject([202, { data: { accepted: 1, rejected: 1 } }]);
  await stage.stop();
  expect(existsSync(stage.directory)).toBe(false);
});
