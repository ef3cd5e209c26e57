import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Rig, raw, rig } from "./rig.ts";

let it: Rig;
beforeEach(async () => {
  it = await rig();
});
afterEach(() => it.close());

const ACCEPTED = { status: 202, text: "0: Accepted for delivery" };

/** The whole text of the newest message to a number. */
async function textTo(number: string): Promise<string> {
  const { messages } = (await it.stage.admin("message find", { number, limit: "1" })) as unknown as {
    messages: readonly { message_id: string }[];
  };
  const [message] = messages;
  const found = await it.stage.admin("message text", {
    MESSAGE: String(message?.message_id),
    reason: "a test looks",
  });
  return JSON.stringify(found);
}

const ask = (args: Readonly<Record<string, string>>) =>
  it.get("/cgi-bin/sendsms", { username: it.login.user, password: it.login.password, ...args });

describe("as Kannel's documentation asks", () => {
  test("a text is taken in the exact words, without a line end, and goes as the user's class and sender", async () => {
    await it.stage.clock.advance(2000);
    expect(await ask({ to: "70000001", text: "Hello world" })).toEqual(ACCEPTED);
    const { batches } = (await it.stage.admin("batch list", { ACCOUNT: it.client.accountId })) as unknown as {
      batches: readonly Record<string, unknown>[];
    };
    expect(batches).toMatchObject([{ sender: "ACME", message_class: "TRANSACTIONAL", accepted: 1 }]);
  });

  test("user and pass are names of the same, and a POST of a form is asked like a GET", async () => {
    await it.stage.clock.advance(2000);
    const body = new URLSearchParams({
      user: it.login.user,
      pass: it.login.password,
      to: "70000001",
      text: "Hello",
    });
    const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms`, { method: "POST", body });
    expect([response.status, await response.text()]).toEqual([202, ACCEPTED.text]);
  });

  test("a POST of a text has its arguments in headers", async () => {
    await it.stage.clock.advance(2000);
    const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms`, {
      method: "POST",
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "x-kannel-username": it.login.user,
        "x-kannel-password": it.login.password,
        "x-kannel-to": "70000001",
        "x-kannel-from": "ACME",
      },
      body: "déjà vu",
    });
    expect([response.status, await response.text()]).toEqual([202, ACCEPTED.text]);
    expect(await textTo("70000001")).toContain("déjà vu");
  });

  test("several receivers are one batch", async () => {
    await ask({ to: "70000001 70000002 70000003", text: "Hello" });
    const listed = JSON.stringify(await it.stage.admin("batch list", { ACCOUNT: it.client.accountId }));
    expect(listed.match(/"accepted":3/g)?.length).toBe(1);
  });
});

describe("as playSMS asks", () => {
  test("over HTTP/1.0, with mclass=1, smsc and a mask of 31, and compares the last line it reads", async () => {
    await it.stage.clock.advance(2000);
    const dlr = `${it.callbackUrl}/index.php?app=call&cat=gateway&plugin=kannel&access=dlr&type=%d&slid=7&uid=3`;
    const query = [
      `username=${it.login.user}&password=${it.login.password}&from=ACME&to=%2B22670000001`,
      `dlr-mask=31&dlr-url=${encodeURIComponent(dlr)}`,
      "mclass=1&text=Bonjour+Awa&smsc=default",
    ].join("&");
    const answer = await raw(it.stage.url(), `GET /cgi-bin/sendsms?${query} HTTP/1.0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.[01] 202 /);
    expect(answer.split("\n").at(-1)).toBe("0: Accepted for delivery");
    await it.untilCalls(2);
    const path = "/index.php?app=call&cat=gateway&plugin=kannel&access=dlr&type=";
    expect(it.calls.map(({ method, url }) => [method, url])).toEqual([
      ["GET", `${path}8&slid=7&uid=3`],
      ["GET", `${path}1&slid=7&uid=3`],
    ]);
  });

  test("Unicode comes as UTF-16BE with coding 2", async () => {
    const text = [...Buffer.from("Ɛ ça va", "utf16le").swap16()]
      .map((octet) => `%${octet.toString(16).padStart(2, "0")}`)
      .join("");
    const { user, password } = it.login;
    const query = `username=${user}&password=${password}&from=ACME&to=70000001&charset=UTF-16BE&coding=2&text=${text}`;
    const response = await fetch(`${it.stage.url()}/cgi-bin/sendsms?${query}`);
    expect(response.status).toBe(202);
    expect(await textTo("70000001")).toContain("Ɛ ça va");
  });
});

describe("refusals", () => {
  test.each([
    [{ text: "x" }, 400, "Missing receiver number, rejected"],
    [{ to: "", text: "x" }, 400, "Empty receiver number not allowed, rejected"],
    [{ to: "70000001", from: "NOBODY", text: "x" }, 400, "Sender missing and no global set, rejected"],
    [{ to: "70000001", text: "x", mclass: "0" }, 400, "MClass field misformed, rejected"],
    [{ to: "70000001", text: "x", udh: "\u0005" }, 400, "UDH field misformed, rejected"],
    [{ to: "70000001", text: "x", coding: "1" }, 400, "Coding field misformed, rejected"],
    [{ to: "70000001", text: "x", "dlr-url": "ftp://x" }, 400, "DLR-URL field misformed, rejected"],
    [{ to: "70000001", text: "x", "dlr-mask": "67" }, 400, "DLR-Mask field misformed, rejected"],
    [{ to: "70000001", text: "x", charset: "klingon" }, 400, "Charset or body misformed, rejected"],
    [{ to: "99999999", text: "x" }, 403, "Not routable. Do not try again."],
    [{ to: "70000001", text: "x", password: "wrong" }, 403, "Authorization failed for sendsms"],
  ] as const)("%o is answered %d %s", async (args, status, text) => {
    expect(await ask(args)).toEqual({ status, text });
  });

  test("an empty wallet is a 402 in words", async () => {
    const poor = await it.stage.client({ funds: 0 });
    const made = await it.stage.admin("compat create", {
      ACCOUNT: poor.accountId,
      user: "poor",
      sender: "ACME",
    });
    const args = { username: "poor", password: String(made.password), to: "70000001", text: "x" };
    expect(await it.get("/cgi-bin/sendsms", args)).toEqual({
      status: 402,
      text: "Not enough credit, rejected",
    });
  });

  test("after ten wrong tries in a minute the right password is refused as well, for a minute", async () => {
    for (let tries = 0; tries < 10; tries++) await ask({ password: "wrong", to: "70000001", text: "x" });
    expect((await ask({ to: "70000001", text: "x" })).status).toBe(403);
    await it.stage.clock.advance(60_001);
    expect((await ask({ to: "70000001", text: "x" })).status).toBe(202);
  });

  test("wrong tries behind a proxy that is not trusted keep nobody out who has the password", async () => {
    const from = async (password: string, more: Readonly<Record<string, string>>) => {
      const args = new URLSearchParams({ username: it.login.user, password, to: "70000001", text: "y" });
      const answer = await fetch(`${it.stage.url()}/cgi-bin/sendsms?${args}`, { headers: more });
      return answer.status;
    };
    const { password } = it.login;
    const proxied = { "x-forwarded-for": "203.0.113.9" };
    for (let tries = 0; tries < 11; tries++) expect(await from("wrong", proxied)).toBe(403);
    expect(await from(password, proxied)).toBe(202);
  });

  test("an account of which too many were rejected today is asked to come back, by the header too", async () => {
    const now = it.stage.settings.now();
    it.stage.settings.replace({ ...now, policy: { ...now.policy, rejections_per_day: 1 } });
    expect((await ask({ to: "1", text: "x" })).status).toBe(403);
    const args = { username: it.login.user, password: it.login.password, to: "70000001", text: "x" };
    const answer = await fetch(`${it.stage.url()}/cgi-bin/sendsms?${new URLSearchParams(args)}`);
    expect([answer.status, await answer.text()]).toEqual([503, "Temporal failure, try again later."]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("a revoked user, and one of a suspended account, is nobody", async () => {
    await it.stage.admin("account suspend", { ACCOUNT: it.client.accountId, reason: "test" });
    expect((await ask({ to: "70000001", text: "x" })).status).toBe(403);
    await it.stage.admin("account resume", { ACCOUNT: it.client.accountId });
    await it.stage.admin("compat revoke", { USER: "faso" });
    expect((await ask({ to: "70000001", text: "x" })).status).toBe(403);
  });

  test("neither door is there unless it was opened, and the credentials open nothing else", async () => {
    const closed = await rig({});
    expect((await closed.get("/cgi-bin/sendsms", { to: "1" })).status).toBe(404);
    expect((await closed.get("/ping", {})).status).toBe(404);
    await closed.close();
    const asked = await fetch(`${it.stage.url()}/public/v1/account/balance`, {
      headers: { authorization: `Bearer ${it.login.password}` },
    });
    expect(asked.status).toBe(401);
  });
});

describe("texts", () => {
  test("braces are text: no tag is filled in and none is lost", async () => {
    await ask({ to: "70000001", text: "Bonjour {nom}, {{x}}" });
    expect(await textTo("70000001")).toContain("Bonjour {nom}, {{x}}");
  });

  test("what GSM-7 lacks is never a question mark, whatever coding 0 says", async () => {
    await ask({ to: "70000001", text: "Ɛ garçon", coding: "0" });
    expect(await textTo("70000001")).toContain("Ɛ garçon");
  });

  test("the same text to the same number is answered as the first for ten minutes, and sent once", async () => {
    await it.stage.clock.advance(2000);
    const first = await ask({ to: "70000001", text: "Hello" });
    await it.stage.clock.advance(590_000);
    expect(await ask({ to: "70000001", text: "Hello" })).toEqual(first);
    await it.stage.stop();
    await it.stage.start();
    await it.stage.clock.advance(20_000);
    // Beyond them it is what the guard says of it.
    expect(await ask({ to: "70000001", text: "Hello" })).toEqual({
      status: 403,
      text: "Not routable. Do not try again.",
    });
  });

  test("the same text for another day is a text of its own, and so is one for nearly the same time", async () => {
    const listed = async () => {
      const { batches } = (await it.stage.admin("batch list", { ACCOUNT: it.client.accountId })) as {
        batches: readonly { scheduled_at: string | null; accepted: number }[];
      };
      return batches.filter(({ accepted }) => accepted > 0).map(({ scheduled_at }) => scheduled_at);
    };
    const today = { to: "70000001", text: "Rendez-vous" };
    expect((await ask(today)).status).toBe(202);
    expect((await ask({ ...today, deferred: "2880" })).status).toBe(202);
    expect((await ask({ ...today, deferred: "4320" })).status).toBe(202);
    // Sent again because the answer was lost, a little later: as long from now is the same.
    await it.stage.clock.advance(5000);
    expect((await ask({ ...today, deferred: "2880" })).status).toBe(202);
    expect(await listed()).toHaveLength(3);
    expect(new Set(await listed()).size).toBe(3);
    // Within 24 hours it is refused, and not taken for the first.
    expect(await ask({ ...today, deferred: "60" })).toEqual({
      status: 403,
      text: "Not routable. Do not try again.",
    });
  });

  test("two of the same at once are one", async () => {
    const both = await Promise.all([
      ask({ to: "70000001", text: "Hi" }),
      ask({ to: "70000001", text: "Hi" }),
    ]);
    expect(both[0]).toEqual(both[1]);
    const listed = JSON.stringify(await it.stage.admin("batch list", { ACCOUNT: it.client.accountId }));
    expect(listed.match(/"accepted":1/g)?.length).toBe(1);
  });

  test("no line of the log holds the text, the number or the password", async () => {
    await ask({ to: "70000001", text: "a secret text" });
    const lines = JSON.stringify(it.stage.log());
    expect(lines).toContain("/cgi-bin/sendsms");
    for (const hidden of ["secret", "70000001", it.login.password]) expect(lines).not.toContain(hidden);
  });
});

describe("with no link up", () => {
  test("a text is queued for later", async () => {
    const away = await rig({ kannel: true });
    await away.stage.smsc.stop();
    await away.stage.clock.advance(100);
    const { user, password } = away.login;
    const said = await away.get("/cgi-bin/sendsms", { username: user, password, to: "70000001", text: "x" });
    expect(said).toEqual({ status: 202, text: "3: Queued for later delivery" });
    await away.close();
  });
});

describe("callbacks", () => {
  test("fill Kannel's escapes in, and a mask tells what is wanted", async () => {
    await it.stage.clock.advance(2000);
    const pattern = "%d|%p|%P|%t|%n|%A|%z|%%";
    const url = `${it.callbackUrl}/dlr?v=${pattern}`;
    await ask({ to: "+22670000001", text: "Hello", "dlr-url": url, "dlr-mask": "3" });
    await it.untilCalls(1);
    await it.stage.clock.advance(5000);
    expect(it.calls.length).toBe(1);
    expect(it.calls[0]?.url.replaceAll("|", "%7C").split("%7C").slice(0, 5)).toEqual([
      ...["/dlr?v=1", "%2B22670000001", "ACME"],
      expect.stringMatching(/^\d{4}-\d\d-\d\d\+\d\d:\d\d:\d\d$/),
      "faso",
    ]);
    expect(it.calls[0]?.url).toContain("stat%3ADELIVRD");
  });

  test("tell of a receiver who was rejected among others at once, by 16", async () => {
    const url = `${it.callbackUrl}/dlr?type=%d&to=%p`;
    await ask({ to: "70000001 99999999", text: "Hello", "dlr-url": url, "dlr-mask": "16" });
    await it.untilCalls(1);
    expect(it.calls.map((call) => call.url)).toEqual(["/dlr?type=16&to=99999999"]);
  });

  test("of receivers who were rejected have an id of their own each in %I", async () => {
    const url = `${it.callbackUrl}/dlr?to=%p&id=%I`;
    await ask({ to: "70000001 99999998 99999999", text: "Hello", "dlr-url": url, "dlr-mask": "16" });
    await it.untilCalls(2);
    const ids = it.calls.map((call) => /&id=([\w-]+)$/.exec(call.url)?.[1]);
    expect(ids.every(Boolean)).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });

  test("go to no private address unless rehearsals are allowed, and are given up there", async () => {
    const guarded = await rig({ kannel: true, jasmin: true });
    const { config } = { config: guarded.stage.settings.now() };
    guarded.stage.settings.replace({
      ...config,
      webhooks: { ...config.webhooks, allow_private_targets: false },
    });
    const { user, password } = guarded.login;
    const args = { username: user, password, to: "70000001", text: "x", "dlr-mask": "31" };
    await guarded.get("/cgi-bin/sendsms", { ...args, "dlr-url": `${guarded.callbackUrl}/x` });
    for (const ms of [5000, 10_000, 30_000, 300_000, 1_800_000]) {
      await guarded.stage.clock.advance(ms);
      await guarded.stage.clock.advance(2000);
    }
    expect(guarded.calls).toEqual([]);
    await guarded.close();
  });

  test("are erased with the number they are about", async () => {
    it.answer(500, "");
    await it.stage.clock.advance(2000);
    await ask({ to: "70000001", text: "Hello", "dlr-url": `${it.callbackUrl}/dlr?to=%p`, "dlr-mask": "31" });
    await it.untilCalls(2);
    const erased = it.stage.admin("data erase", { MSISDN: "+22670000001" });
    let isOver = false;
    const over = erased.finally(() => {
      isOver = true;
    });
    while (!isOver) await it.stage.clock.advance(50);
    await over;
    expect(await erased).toMatchObject({ erased: { messages: 1, waiting_callbacks: 2 } });
    await it.stage.clock.advance(40_000);
    expect(it.calls.length).toBe(2);
  });
});
