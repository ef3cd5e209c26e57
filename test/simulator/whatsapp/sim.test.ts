import { afterEach, describe, expect, test } from "vitest";
import { decidePostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { SIM_DEFAULTS } from "../../../src/simulator/whatsapp/settings.ts";
import { BUILT_IN_TEMPLATES } from "../../../src/simulator/whatsapp/templates.ts";
import { fated, order, simRig } from "./rig.ts";

const rigs: ReturnType<typeof simRig>[] = [];

function rig(...given: Parameters<typeof simRig>) {
  const made = simRig(...given);
  rigs.push(made);
  return made;
}

afterEach(async () => {
  for (const each of rigs.splice(0)) await each.stop();
});

describe("a post to the stand-in", () => {
  test("is accepted with an id, and its statuses come signed, in their order, with the opaque data", async () => {
    const { post, pass, told, isSigned, bodies } = rig({ read: 1 });
    const { status, body } = await post("22670000001");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      contacts: [{ input: "22670000001", wa_id: "22670000001" }],
      messages: [{ message_status: "accepted" }],
    });
    await pass(10_000);
    expect(told[0]).toEqual({ id: body.messages[0].id, status: "sent", opaque: "o-22670000001" });
    expect(told.at(-1)?.status).toBe("read");
    expect(isSigned()).toBe(true);
    expect(JSON.stringify(bodies[0])).toContain(
      '"pricing":{"billable":true,"pricing_model":"PMP","category":"utility"',
    );
  });

  test("to a user whom Meta calls by another number says which, and so does all that the user says", async () => {
    const { post, pass, sim, bodies } = rig({ waIds: [{ from: "22670", to: "2260" }, "usual"] });
    const waIdOf = async (to: string) => (await post(to)).body.contacts[0];
    expect(await waIdOf("22670000001")).toEqual({ input: "22670000001", wa_id: "2260000001" });
    for (const [to, waId] of [
      ["2250701020304", "22501020304"],
      ["2290197000001", "22997000001"],
      ["525512345678", "5215512345678"],
      ["541123456789", "5491123456789"],
      ["5531987654321", "553187654321"],
      ["22671000001", "22671000001"],
    ] as const)
      expect((await waIdOf(to)).wa_id).toBe(waId);
    for (const by of ["text", "reply", "button", "list"] as const) sim.text("22670000001", "STOP", by);
    sim.preference("22670000001", "stop");
    await pass(10_000);
    const told = JSON.stringify(bodies);
    expect(told).toContain('"recipient_id":"2260000001"');
    expect(told).not.toContain('"recipient_id":"22670000001"');
    expect(told.match(/"from":"2260000001"/g)).toHaveLength(4);
    expect(told.match(/"context":\{"from":"42","id":"wamid\./g)).toHaveLength(3);
    expect(told).toContain('"list_reply":{"id":"1","title":"STOP"}');
    expect(told).toContain('"wa_id":"2260000001","detail"');
  });

  test("by a number that is gone is refused as the Graph API does, and taken when it is back", async () => {
    const { post, sim } = rig({ gone: ["42"] });
    expect(await post("22670000001")).toMatchObject({
      status: 400,
      body: { error: { code: 100, error_subcode: 33, type: "GraphMethodException" } },
    });
    sim.change({ gone: [] });
    expect((await post("22670000001")).status).toBe(200);
  });

  test("without a token is refused with 190, and elsewhere there is nothing", async () => {
    const { sim, ask } = rig();
    const bare = await fetch(`http://127.0.0.1:${sim.port}/v23.0/42/messages`, {
      method: "POST",
      body: "{}",
    });
    expect(bare.status).toBe(401);
    expect(JSON.parse(await bare.text()).error.code).toBe(190);
    expect((await ask("GET", "/nowhere")).status).toBe(404);
  });

  test.each([
    ["another product", { messaging_product: "sms" }, 100],
    ["no number", { to: "abc" }, 131009],
    ["long opaque data", { biz_opaque_callback_data: "x".repeat(513) }, 100],
    ["an unknown template", { template: { name: "none", language: { code: "fr" } } }, 132001],
    ["another language", { template: { ...order("1").template, language: { code: "en" } } }, 132001],
    ["no parameters", { template: { ...order("1").template, components: [] } }, 132000],
    ["an empty parameter", { template: order("1", "").template }, 131008],
    ["a line end in a parameter", { template: order("1", "A\nB").template }, 132018],
    ["five spaces in a parameter", { template: order("1", "A     B").template }, 132018],
    ["a text that is too long", { template: order("1", "A".repeat(1100)).template }, 132005],
    [
      "text of a category that is not sent so",
      { type: "text", text: { body: "x" }, category: "marketing" },
      100,
    ],
    [
      "text with a time to live that is too short",
      { type: "text", text: { body: "x" }, category: "utility", ttl_seconds: 29 },
      100,
    ],
  ])("with %s is refused by code", async (_, more, code) => {
    const { post, sim } = rig();
    const { status, body } = await post("22670000001", more);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.error).toMatchObject({ code, type: "OAuthException" });
    expect(sim.counts()).toMatchObject({ posts: 1, refused: 1, accepted: 0 });
  });

  test("of a code needs it at the button too", async () => {
    const { ask } = rig();
    const body = { type: "body", parameters: [{ type: "text", text: "123456" }] };
    const button = {
      type: "button",
      sub_type: "url",
      index: "0",
      parameters: [{ type: "text", text: "123456" }],
    };
    const otp = (to: string, components: object[]) => ({
      ...order(to),
      template: { name: "code_de_verification", language: { code: "fr" }, components },
    });
    const path = "/v23.0/42/messages";
    expect((await ask("POST", path, otp("22670000001", [body]))).body.error.code).toBe(131008);
    expect((await ask("POST", path, otp("22670000001", [body, button]))).status).toBe(200);
  });

  test("sent as text without a template is taken with its category", async () => {
    const { ask, pass, bodies } = rig();
    const text = {
      messaging_product: "whatsapp",
      to: "22670000001",
      type: "text",
      text: { body: "Bonjour" },
    };
    const { body } = await ask("POST", "/v23.0/42/messages", {
      ...text,
      category: "utility",
      ttl_seconds: 60,
    });
    expect(body.messages[0].message_status).toBeUndefined();
    await pass(10_000);
    expect(JSON.stringify(bodies)).toContain('"category":"utility"');
  });

  test("that comes too fast gets 130429, and 131056 for the same user within six seconds", async () => {
    const { post, clock } = rig({ throughput: 2 });
    expect((await post("22670000001")).status).toBe(200);
    expect((await post("22670000001")).body.error.code).toBe(131056);
    expect((await post("22670000002")).status).toBe(200);
    expect((await post("22670000003")).body.error.code).toBe(130429);
    await clock.advance(1000);
    expect((await post("22670000003")).status).toBe(200);
    await clock.advance(5000);
    expect((await post("22670000001")).status).toBe(200);
  });

  test("meets the codes it was asked to fail with, as an answer or as a status", async () => {
    const { post, pass, told, sim } = rig({ failures: [{ code: 131026, share: 1, as: "status" }] });
    expect((await post("22670000001")).status).toBe(200);
    await pass(10_000);
    expect(told.map(({ status, code }) => [status, code])).toEqual([["failed", 131026]]);
    sim.change({ failures: [{ code: 130429, share: 1, as: "answer" }] });
    expect((await post("22670000002")).body.error.code).toBe(130429);
    sim.change({ failures: [{ code: 503, share: 1, as: "answer" }] });
    const bare = await fetch(`http://127.0.0.1:${sim.port}/v23.0/42/messages`, {
      method: "POST",
      headers: { authorization: "Bearer t" },
      body: JSON.stringify(order("22670000003")),
    });
    expect([bare.status, await bare.text()]).toEqual([503, expect.stringContaining("<html>")]);
  });

  test("whose answer is lost is taken all the same", async () => {
    const { sim, pass, told } = rig({ loseAnswers: 1 });
    const gone = new AbortController();
    const asked = fetch(`http://127.0.0.1:${sim.port}/v23.0/42/messages`, {
      method: "POST",
      headers: { authorization: "Bearer t" },
      signal: gone.signal,
      body: JSON.stringify(order("22670000001")),
    }).catch(() => "gone");
    while (sim.counts().posts === 0) await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    expect(await asked).toBe("gone");
    await pass(10_000);
    expect(told[0]).toMatchObject({ status: "sent", opaque: "o-22670000001" });
    expect(sim.counts().unanswered).toBe(1);
  });
});

describe("statuses of the stand-in", () => {
  test("are told again until they are taken", async () => {
    const { post, told, answerWith, events, clock } = rig({ read: 0 });
    answerWith(503);
    await post("22670000001");
    await clock.advance(2000);
    while (!events.some(({ kind }) => kind === "untaken")) await clock.advance(0);
    expect(told).toEqual([]);
    answerWith(200);
    while (told.length < 2) await clock.advance(1000);
    expect(told.map(({ status }) => status)).toEqual(["sent", "delivered"]);
  });

  test("are lost, doubled and out of order as they were asked to be", async () => {
    const { post, pass, told } = rig({ throughput: 0 }, (_, nth) =>
      nth === 1
        ? fated([
            { status: "sent", toldAfterMs: 900 },
            { status: "delivered", times: 2 },
            { status: "read", times: 0 },
          ])
        : null,
    );
    await post("22670000001");
    await pass(1000);
    expect(told.map(({ status }) => status)).toEqual(["delivered", "delivered", "sent"]);
  });

  test("tell texts, preferences and templates that changed as well", async () => {
    const { sim, pass, bodies } = rig();
    expect(sim.text("22670000001", "STOP")).toBe(true);
    expect(sim.preference("22670000001", "stop")).toBe(true);
    sim.tell("message_template_status_update", { event: "PAUSED" });
    await pass(100);
    const fields = bodies.flatMap(({ entry }) =>
      entry.flatMap(({ changes }) => changes.map(({ field }) => field)),
    );
    expect(fields).toEqual(["messages", "user_preferences", "message_template_status_update"]);
  });

  test("need a webhook that was verified, which is tried until it is", async () => {
    const { clock, events } = rig({ verifyToken: "W" });
    while (events.filter(({ kind }) => kind === "unverified").length < 2) await clock.advance(2000);
    const right = rig();
    while (!right.events.some(({ kind }) => kind === "verified")) await right.clock.advance(0);
  });
});

describe("what becomes of a post", () => {
  const settings = { ...SIM_DEFAULTS, lose: 0.2, double: 0.2, disorderMs: 500, read: 0.5 };

  test("follows from the seed, the user and which post to the user it is, and from nothing else", () => {
    expect(decidePostFate(settings, "22670000001", 1)).toEqual(decidePostFate(settings, "22670000001", 1));
    const all = Array.from({ length: 200 }, (_, at) => decidePostFate(settings, `226${70_000_000 + at}`, 1));
    expect(new Set(all.map((fate) => JSON.stringify(fate))).size).toBeGreaterThan(190);
    expect(decidePostFate({ ...settings, seed: 2 }, "22670000001", 1)).not.toEqual(
      decidePostFate(settings, "22670000001", 1),
    );
  });

  test("has the shares that were asked for", () => {
    const failures = [
      { code: 131026, share: 0.25, as: "status" as const },
      { code: 131000, share: 0.5, as: "answer" as const },
    ];
    const fates = Array.from({ length: 4000 }, (_, at) =>
      decidePostFate({ ...settings, failures }, String(at), 1),
    );
    const refused = fates.filter(({ answer }) => answer === 131000);
    expect(refused.length / 4000).toBeCloseTo(0.5, 1);
    // Nobody knows whether those were taken: here half of them were.
    expect(refused.filter(({ isTaken }) => isTaken).length / refused.length).toBeCloseTo(0.5, 1);
    const taken = fates.filter(({ isTaken }) => isTaken);
    const failed = taken.filter(({ statuses }) => statuses[0]?.status === "failed");
    expect(failed.length / taken.length).toBeCloseTo(0.25, 1);
    const told = taken.flatMap(({ statuses }) => statuses);
    expect(told.filter(({ times }) => times === 0).length / told.length).toBeCloseTo(0.2, 1);
  });
});

test("templates come a page at a time, and every page names the next", async () => {
  const { sim, ask } = rig();
  const first = await ask("GET", "/v23.0/7/message_templates?limit=2");
  expect(first.body.data.map(({ category }: { category: string }) => category)).toEqual([
    "AUTHENTICATION",
    "UTILITY",
  ]);
  const next = new URL(first.body.paging.next);
  const second = await ask("GET", `${next.pathname}${next.search}`);
  expect(second.body.data.map(({ name }: { name: string }) => name)).toEqual(["offre_du_jour"]);
  expect(second.body.paging.next).toBeUndefined();
  sim.setTemplates(BUILT_IN_TEMPLATES.map((each) => ({ ...each, status: "PAUSED" })));
  expect((await ask("POST", "/v23.0/42/messages", order("22670000001"))).body.error.code).toBe(132015);
});
