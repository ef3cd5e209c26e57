/** Where the console is served, to whom, and what a request of another site gets. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { USER_OPERATIONS } from "../../src/admin/operations/users.ts";
import { granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { type ConsoleFixture, consoleFixture, PASSWORD, type Person } from "./fixture.ts";

let console_: ConsoleFixture;
let awa: Person;
async function begin(...given: Parameters<typeof consoleFixture>): Promise<void> {
  console_ = await consoleFixture(...given);
  awa = await console_.person("awa@example.bf", "OWNER");
}
afterEach(() => console_.close());

describe("a request from another site", () => {
  beforeEach(() => begin());

  test.each([
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "", "sec-fetch-site": "" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://HOST" }],
    [{ origin: "ftp://HOST" }],
    [{ origin: "http://HOST.evil.example" }],
  ])("%j changes nothing, signed in or not", async (given: Record<string, string>) => {
    const { host } = new URL(console_.origin);
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace("HOST", host)]),
    );
    const browser = await console_.signedIn(awa);
    const answer = await browser.post("/me/language", { language: "en" }, headers);
    expect([answer.status, answer.json.code]).toEqual([403, "OTHER_SITE"]);
    expect((await browser.get("/api/me")).json.language).toBeNull();
    const stranger = console_.browser();
    const signIn = await stranger.post("/sign-in", { login: awa.login, password: PASSWORD }, headers);
    expect([signIn.status, stranger.cookie]).toEqual([403, ""]);
  });

  test("without any word of where it comes from is refused as well", async () => {
    const answer = await fetch(`${console_.origin}/console/api/sign-out`, { method: "POST" });
    expect(answer.status).toBe(403);
  });

  test("that is the page without TLS of a console over TLS is another site", async () => {
    await console_.close();
    await begin({ server: { listen: "127.0.0.1:0", trusted_proxies: ["127.0.0.1"] } });
    const ask = async (origin: string, host: string) => {
      const by = { "x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https" };
      const answer = await console_
        .browser()
        .post("/sign-in", { login: awa.login, password: PASSWORD }, { ...by, origin, host });
      return answer.status;
    };
    expect(await ask("http://sms.example", "sms.example")).toBe(403);
    expect(await ask("https://sms.example:8443", "sms.example")).toBe(403);
    expect(await ask("https://sms.example", "sms.example")).toBe(200);
    // Some proxies write the port that a browser leaves out.
    expect(await ask("https://sms.example", "sms.example:443")).toBe(200);
  });

  test("from the page itself is taken, by Origin or by Sec-Fetch-Site", async () => {
    const browser = await console_.signedIn(awa);
    expect(
      (await browser.post("/me/language", { language: "en" }, { "sec-fetch-site": "same-origin" })).status,
    ).toBe(200);
  });
});

describe("without a session", () => {
  beforeEach(() => begin());

  test("data answer 401 in JSON and never lead elsewhere", async () => {
    for (const path of ["/api/me", "/api/me/sessions"]) {
      const answer = await console_.browser().get(path);
      expect([answer.status, answer.json.code]).toEqual([401, "UNAUTHORIZED"]);
    }
    const forged = console_.browser();
    forged.cookie = `bendre=${"A".repeat(43)}`;
    expect((await forged.get("/api/me")).status).toBe(401);
  });

  test("a path that is none is 404, and a large or odd body is refused before anything is done", async () => {
    const browser = console_.browser();
    expect((await browser.get("/api/nothing")).status).toBe(404);
    expect((await browser.post("/sign-in", "x".repeat(1_000_000))).status).toBe(422);
    expect((await browser.post("/sign-in", "[1]")).status).toBe(422);
    expect((await browser.post("/sign-in", { login: awa.login, password: PASSWORD, more: "x" })).status).toBe(
      422,
    );
    expect((await browser.post("/sign-in", { login: 1, password: PASSWORD })).status).toBe(422);
  });

  test("refusals are in the reader's language", async () => {
    const ask = async (language: string) =>
      (await console_.browser().get("/api/me", { "accept-language": language })).json.detail;
    expect([await ask("en-GB"), await ask("fr-BF,fr;q=0.9")]).toEqual([
      "sign in first",
      "connectez-vous d’abord",
    ]);
  });
});

describe("data", () => {
  test("are no page, no script and nothing of another site, whatever the answer is", async () => {
    await begin(
      {},
      {
        fill: (routes, permit) => {
          routes.get("/asked", ({ exchange }) => {
            const permitted = permit(exchange, "start.read");
            return permitted instanceof Response ? permitted : new Response("a;b", { status: 200 });
          });
          routes.get("/broken", () => {
            throw new Error("planned");
          });
        },
      },
    );
    const browser = await console_.signedIn(awa);
    const stranger = console_.browser();
    const answers = [
      ...[await browser.get("/api/me"), await browser.get("/api/asked"), await browser.get("/api/broken")],
      ...[await browser.get("/api/nothing"), await stranger.get("/api/me"), await stranger.get("/api")],
      ...[
        await stranger.post("/me"),
        await stranger.post("/sign-in", "[1]"),
        await browser.post("/sign-out"),
      ],
      ...[
        await browser.get("/assets/main-other.js"),
        await browser.get("", { "x-forwarded-for": "1.2.3.4" }),
      ],
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 200, 500, 404, 401, 404, 422, 422, 200, 404, 403],
    ]);
    for (const { status, headers } of answers) {
      const policy = headers.get("content-security-policy");
      expect([status, policy]).toEqual([status, expect.stringContaining("default-src 'none'")]);
      expect([status, policy]).toEqual([status, expect.stringContaining("frame-ancestors 'none'")]);
      expect([
        ...[headers.get("x-content-type-options"), headers.get("cross-origin-resource-policy")],
        ...[headers.get("cache-control"), headers.get("referrer-policy")],
      ]).toEqual(["nosniff", "same-origin", "no-store", "no-referrer"]);
    }
  });
});

describe("the page", () => {
  test("loads nothing from elsewhere, runs nothing inline, stands in no frame", async () => {
    await begin();
    for (const path of ["", "/messages/01ABC", "/link"]) {
      const { status, headers, json } = await console_.browser().get(path);
      expect([status, json.text]).toEqual([200, "<!doctype html><title>the page</title>"]);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-frame-options")).toBe("DENY");
    }
  });

  test("is told of by HEAD too, as its assets are", async () => {
    await begin();
    for (const path of ["", "/messages/01ABC", "/assets/main-1a2b3c.js"]) {
      const [whole, head] = await Promise.all(
        (["GET", "HEAD"] as const).map((method) => fetch(`${console_.origin}/console${path}`, { method })),
      );
      expect([path, head?.status, await head?.text()]).toEqual([path, 200, ""]);
      for (const name of ["content-type", "content-length", "cache-control", "content-security-policy"])
        expect([name, head?.headers.get(name)]).toEqual([name, whole?.headers.get(name)]);
    }
  });

  test("has assets that never change under their name", async () => {
    await begin();
    const asset = await console_.browser().get("/assets/main-1a2b3c.js");
    expect([asset.status, asset.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    expect((await console_.browser().get("/assets/main-other.js")).status).toBe(404);
  });
});

describe("the console is served", () => {
  test("behind a trusted proxy that says https, with a cookie of TLS", async () => {
    await begin({ server: { listen: "127.0.0.1:0", trusted_proxies: ["127.0.0.1"] } });
    const browser = console_.browser();
    const by = (proto: string) => ({
      "x-forwarded-for": "198.51.100.7",
      "x-forwarded-proto": proto,
      origin: console_.origin.replace("http:", `${proto}:`),
    });
    const plain = await browser.get("", by("http"));
    expect([plain.status, plain.json.text]).toEqual([403, expect.stringContaining("TLS")]);
    expect((await browser.get("/api/me", by("http"))).json.code).toBe("TLS_NEEDED");
    expect(
      (await browser.post("/sign-in", { login: awa.login, password: PASSWORD }, by("http"))).status,
    ).toBe(403);
    const page = await browser.get("", by("https"));
    expect([page.status, page.headers.get("strict-transport-security")]).toEqual([200, "max-age=31536000"]);
    const first = await browser.post("/sign-in", { login: awa.login, password: PASSWORD }, by("https"));
    expect(first.headers.get("set-cookie")).toMatch(
      /^__Host-bendre=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    const second = await browser.post("/second-factor", { code: await console_.nextCode(awa) }, by("https"));
    expect(second.status).toBe(200);
    const { sessions } = (await browser.get("/api/me/sessions", by("https"))).json as {
      sessions: { address: string; is_current: boolean }[];
    };
    expect(sessions.find(({ is_current }) => is_current)?.address).toBe("198.51.100.7");
  });

  test("not behind a proxy whose word does not count: it shows how TLS is set up, in two languages", async () => {
    await begin();
    const forwarded = { "x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https" };
    const french = await console_.browser().get("", { ...forwarded, "accept-language": "fr" });
    expect([french.status, french.json.text]).toEqual([403, expect.stringContaining("certificat")]);
    const english = await console_.browser().get("", { ...forwarded, "accept-language": "en" });
    expect(english.json.text).toContain("trusted_proxies");
    expect((await console_.browser().get("/assets/main-1a2b3c.js", forwarded)).status).toBe(404);
  });

  test("over TLS of its own, where a cookie without the prefix opens nothing", async () => {
    await begin({}, { tls: true });
    const browser = await console_.signedIn(awa);
    expect(browser.cookie).toMatch(/^__Host-bendre=/);
    expect((await browser.get("/api/me")).status).toBe(200);
    browser.cookie = browser.cookie.replace("__Host-", "");
    expect((await browser.get("/api/me")).status).toBe(401);
  });

  test("to staff from their networks alone, and nobody learns that this was why", async () => {
    await begin();
    const account = await console_.admin.account();
    const client = await console_.person("client@example.bf", "ACCOUNT_READER", account);
    const inside = await console_.signedIn(awa);
    const { config, ...file } = console_.settings.whole();
    console_.settings.replace(
      { ...config, console: { ...config.console, staff_networks: ["10.20.0.0/16"] } },
      file,
    );
    expect((await inside.get("/api/me")).status).toBe(401);
    const refused = await console_.browser().post("/sign-in", { login: awa.login, password: PASSWORD });
    expect([refused.status, refused.json.code]).toEqual([401, "SIGN_IN_REFUSED"]);
    expect((await (await console_.signedIn(client)).get("/api/me")).status).toBe(200);
  });

  test("nor does a link of staff work from elsewhere, nor is it used up, and signing out ends a session from anywhere", async () => {
    await begin();
    const inside = await console_.signedIn(awa);
    const { link } = granted(await run(USER_OPERATIONS["user link"], console_.context, { login: awa.login }));
    const secret = link.split("#")[1] ?? "";
    const { config, ...file } = console_.settings.whole();
    const from = (staff_networks: string[]) =>
      console_.settings.replace({ ...config, console: { ...config.console, staff_networks } }, file);
    from(["10.20.0.0/16"]);
    for (const secretOfNobody of ["x", secret]) {
      const looked = await console_.browser().post("/link/look", { secret: secretOfNobody });
      expect([looked.status, looked.json.code]).toEqual([401, "LINK_INVALID"]);
    }
    const form = { secret, password: PASSWORD, code: "000000" };
    expect((await console_.browser().post("/link/use", form)).json.code).toBe("LINK_INVALID");
    const { cookie } = inside;
    expect((await inside.post("/sign-out")).status).toBe(200);
    from([]);
    inside.cookie = cookie;
    expect((await inside.get("/api/me")).status).toBe(401);
    expect((await console_.browser().post("/link/look", { secret })).json.login).toBe(awa.login);
  });
});
