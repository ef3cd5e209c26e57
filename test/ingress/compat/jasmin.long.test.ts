import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Rig, rig } from "./rig.ts";

let it: Rig;
beforeEach(async () => {
  it = await rig();
});
afterEach(() => it.close());

const login = () => ({ username: it.login.user, password: it.login.password });
const ask = (args: Readonly<Record<string, string>>) => it.get("/send", { ...login(), ...args });

/** A form as playSMS posts it, its query string written by hand. */
const post = async (body: string) => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(`${it.stage.url()}/send`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
};

describe("as Jasmin's documentation asks", () => {
  test("a text is taken with the id of its message", async () => {
    const said = await ask({ to: "70000001", from: "ACME", content: "Hello" });
    expect(said).toEqual({ status: 200, text: expect.stringMatching(/^Success "[0-9A-Z]{26}"$/) as unknown });
    const id = said.text.slice(9, -1);
    expect(JSON.stringify(await it.stage.admin("message find", { number: "70000001" }))).toContain(id);
  });

  test("JSON is taken too, and hex-content is UTF-16BE with coding 8", async () => {
    const response = await fetch(`${it.stage.url()}/send`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...login(), to: "70000001", coding: 8, "hex-content": "01900020006100e7" }),
    });
    expect(response.status).toBe(200);
  });

  test("rate tells the price of a segment and how many there are; balance what can be spent; ping answers", async () => {
    const rate = await it.get("/rate", { ...login(), to: "70000001", content: "a".repeat(161) });
    expect(rate).toEqual({ status: 200, text: '{"unit_rate":15,"submit_sm_count":2}' });
    const balance = await it.get("/balance", login());
    expect(balance).toEqual({ status: 200, text: '{"balance":1000000,"sms_count":"ND"}' });
    expect(await it.get("/ping", {})).toEqual({ status: 200, text: "Jasmin/PONG" });
  });
});

describe("as playSMS asks", () => {
  test("a form with dlr=yes, level 1 and a URL: told once that the operator has it", async () => {
    await it.stage.clock.advance(2000);
    const { username, password } = login();
    const said = await post(
      `username=${username}&password=${password}&to=70000001&from=ACME&content=Bonjour+Awa&dlr=yes&dlr-level=1&dlr-url=${encodeURIComponent(`${it.callbackUrl}/cb`)}`,
    );
    const [word, id] = said.text.split(" ");
    expect([said.status, word]).toEqual([200, "Success"]);
    await it.untilCalls(1);
    await it.stage.clock.advance(5000);
    expect(it.calls.length).toBe(1);
    const { method, url, body } = it.calls[0] ?? { method: "", url: "", body: "" };
    expect([method, url]).toEqual(["POST", "/cb"]);
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      id: id?.replaceAll('"', ""),
      level: "1",
      message_status: "ESME_ROK",
    });
  });

  test("Unicode of its first plugins comes as UTF-8, with coding 2, and is a text", async () => {
    const { username, password } = login();
    const said = await post(
      `username=${username}&password=${password}&to=70000001&from=ACME&content=${encodeURIComponent("Ɛ ça va")}&coding=2&dlr=yes&dlr-level=2&dlr-url=${it.callbackUrl}/cb`,
    );
    expect(said).toEqual({ status: 200, text: expect.stringMatching(/^Success "[0-9A-Z]{26}"$/) as unknown });
    const id = said.text.slice(9, -1);
    const { text } = await it.stage.admin("message text", { MESSAGE: id, reason: "a test" });
    expect(text).toBe("Ɛ ça va");
  });

  test("Unicode comes as UCS-2 in content, with coding 8", async () => {
    const content = [...Buffer.from("ça", "utf16le").swap16()]
      .map((octet) => `%${octet.toString(16).padStart(2, "0")}`)
      .join("");
    const { username, password } = login();
    const said = await post(
      `username=${username}&password=${password}&to=70000001&from=ACME&content=${content}&coding=8`,
    );
    expect(said.status).toBe(200);
  });
});

describe("refusals", () => {
  test.each([
    [{ password: "wrong", to: "70000001", content: "x" }, 403, "Authentication failure for username:faso"],
    [{ to: "99999999", content: "x" }, 412, "No route found"],
    [{ content: "x" }, 400, "Mandatory argument [to] is not found."],
    [{ to: "7x", content: "x" }, 400, "Argument [to] has an invalid value: [7x]."],
    [{ to: "70000001", content: "x", colour: "red" }, 400, "Argument [colour] is unknown."],
    [{ to: "70000001" }, 400, "content or hex-content not present."],
    [{ to: "70000001", content: "x", coding: "4" }, 400, "Argument [coding] has an invalid value: [4]."],
    [
      { to: "70000001", from: "NOBODY", content: "x" },
      400,
      "Value filter failed for user [faso] (source_address filter mismatch).",
    ],
  ] as const)("%o is answered %d %s", async (args, status, words) => {
    expect(await ask(args)).toEqual({ status, text: `Error "${words}"` });
  });

  test("an empty wallet is a 403 about charging", async () => {
    const poor = await it.stage.client({ funds: 0 });
    const made = await it.stage.admin("compat create", {
      ACCOUNT: poor.accountId,
      user: "poor",
      sender: "ACME",
    });
    const args = { username: "poor", password: String(made.password), to: "70000001", content: "x" };
    expect(await it.get("/send", args)).toEqual({
      status: 403,
      text: 'Error "Cannot charge submit_sm, check RouterPB log file for details"',
    });
  });
});

describe("a rate", () => {
  const rateOf = async (args: Readonly<Record<string, string>>, user = login()) => {
    const { status, text } = await it.get("/rate", { ...user, to: "70000001", ...args });
    return [status, JSON.parse(text)] as const;
  };
  const ONE = [200, { unit_rate: 15, submit_sm_count: 1 }];

  test("is asked of nothing but the route and the price", async () => {
    const poor = await it.stage.client({ funds: 0 });
    const made = await it.stage.admin("compat create", {
      ACCOUNT: poor.accountId,
      user: "poor",
      class: "MARKETING",
    });
    // No money, no sender, outside of the hours of marketing, the class not among those of the account.
    await it.stage.admin("account set", {
      ACCOUNT: poor.accountId,
      "marketing-hours": "00:00-00:01",
      classes: "OTP",
    });
    const user = { username: "poor", password: String(made.password) };
    expect(await rateOf({ content: "Hello" }, user)).toEqual(ONE);
    expect(await rateOf({ content: "Hello", from: "NOBODY" })).toEqual(ONE);
    expect(await rateOf({})).toEqual(ONE);
    expect(await rateOf({ content: "" })).toEqual(ONE);
    expect(await rateOf({ content: "{nom}" })).toEqual(ONE);
    await ask({ to: "70000001", content: "Hello" });
    expect(await rateOf({ content: "Hello" })).toEqual(ONE);
    expect(await Promise.all(Array.from({ length: 4 }, () => rateOf({ content: "at once" })))).toEqual([
      ONE,
      ONE,
      ONE,
      ONE,
    ]);
  });

  test("counts the text as it would be sent, and has no bounds", async () => {
    expect(await rateOf({ content: "ç".repeat(71) })).toEqual([200, { unit_rate: 15, submit_sm_count: 2 }]);
    await it.stage.admin("account set", { ACCOUNT: it.client.accountId, "text-policy": "rewrite" });
    expect(await rateOf({ content: "ç".repeat(71) })).toEqual(ONE);
    expect(await rateOf({ content: "a".repeat(4590) })).toEqual([
      200,
      { unit_rate: 15, submit_sm_count: 30 },
    ]);
  });

  test("is that of the account, for the user's class", async () => {
    const price = { ACCOUNT: it.client.accountId, operator: "orange" };
    await it.stage.admin("price set", { ...price, class: "TRANSACTIONAL", amount: "12" });
    expect(await rateOf({})).toEqual([200, { unit_rate: 12, submit_sm_count: 1 }]);
  });

  test("is of the operator that a ported number is of, as what is sent to it", async () => {
    await it.stage.admin("route override", { NUMBER: "70000001", OPERATOR: "none" });
    expect(await rateOf({})).toEqual([412, "No route found"]);
    expect(await ask({ to: "70000001", content: "x" })).toEqual({
      status: 412,
      text: 'Error "No route found"',
    });
    await it.stage.admin("route remove", { NUMBER: "70000001" });
    expect(await rateOf({})).toEqual(ONE);
  });

  test("without a route is none", async () => {
    expect(await rateOf({ to: "99999999" })).toEqual([412, "No route found"]);
    expect(await rateOf({ to: "+33612345678" })).toEqual([412, "No route found"]);
  });
});

describe("callbacks", () => {
  test("of level 3 are two, and each is made until ACK/Jasmin is answered", async () => {
    it.answer(200, "thank you");
    await it.stage.clock.advance(2000);
    await ask({ to: "70000001", content: "Hello", "dlr-url": `${it.callbackUrl}/cb`, "dlr-level": "3" });
    await it.untilCalls(1);
    it.answer(200, "ACK/Jasmin");
    await it.untilCalls(3);
    await it.stage.clock.advance(60_000);
    const told = it.calls.map(({ body }) => new URLSearchParams(body));
    expect(told.map((form) => [form.get("level"), form.get("message_status")])).toEqual([
      ["1", "ESME_ROK"],
      ["1", "ESME_ROK"],
      ["2", "DELIVRD"],
    ]);
  });

  test("of GET have their arguments in the URL", async () => {
    const args = { "dlr-url": `${it.callbackUrl}/cb?a=1`, "dlr-method": "GET", "dlr-level": "2" };
    await it.stage.clock.advance(2000);
    await ask({ to: "70000001", content: "Hello", ...args });
    await it.untilCalls(1);
    expect(it.calls[0]?.url).toMatch(/^\/cb\?a=1&id=[0-9A-Z]{26}&level=2&message_status=DELIVRD/);
  });

  test("outlive a stop, and are given up after the fifth attempt", async () => {
    it.answer(500, "");
    await it.stage.clock.advance(2000);
    await ask({ to: "70000001", content: "Hello", "dlr-url": `${it.callbackUrl}/cb` });
    await it.untilCalls(1);
    // One that a stop breaks off is made again after it.
    await it.stage.clock.advance(1000);
    await it.stage.stop();
    await it.stage.start();
    await it.untilCalls(2, 1000);
    await it.untilCalls(5, 5000);
    while (!it.stage.log().some(({ message }) => message === "a callback was given up"))
      await it.stage.clock.advance(100);
    await it.stage.clock.advance(3_600_000);
    expect(it.calls.length).toBe(5);
  });
});
