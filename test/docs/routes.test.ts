import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpFixture, httpFixture, verdict } from "../ingress/api/fixture.ts";

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await httpFixture();
});
afterAll(() => fixture.close());

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(fixture.http.url + path, { method, headers, redirect: "manual" });
const read = (path: string, language = "en") => ask(path, { accept: BROWSER, "accept-language": language });

describe("the address of the appliance", () => {
  test("tells a program where the API, its documentation and its document are, and each is there", async () => {
    const answer = await ask("/");
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("vary")]).toEqual([
      200,
      "application/json",
      "Accept",
    ]);
    const { url } = fixture.http;
    const { data } = (await answer.json()) as { data: Record<string, string> };
    expect(data).toEqual({
      service: "Bendre",
      api: `${url}/public/v1`,
      documentation: `${url}/docs`,
      openapi: `${url}/openapi.json`,
      health: `${url}/health`,
    });
    for (const name of ["documentation", "openapi", "health"]) {
      expect([name, (await fetch(String(data[name]))).status]).toEqual([name, 200]);
    }
    // The base of the API asks for a key, like every path below it.
    expect(await verdict(await fetch(String(data.api)))).toBe("401 UNAUTHORIZED");
  });

  test("takes no other method", async () => {
    const answer = await ask("/", {}, "POST");
    expect([answer.headers.get("allow"), await verdict(answer)]).toEqual([
      "GET, HEAD",
      "422 VALIDATION_FAILED",
    ]);
  });
});

describe("a page with a slash behind it", () => {
  test.each([
    ["/docs/en/", "/docs/en"],
    ["/docs/fr/money/", "/docs/fr/money"],
    ["/docs/fr/reference//", "/docs/fr/reference"],
    ["/docs/fr/reference/submitBatch/", "/docs/fr/reference/submitBatch"],
    ["/docs/errors/", "/docs/errors"],
    ["/docs/en/search/?q=a%20b", "/docs/en/search?q=a%20b"],
  ])("%s leads to %s, a program too", async (path, to) => {
    for (const answer of [await ask(path), await read(path)]) {
      expect([answer.status, answer.headers.get("location")]).toEqual([301, to]);
    }
  });
});

describe("an address of the documentation without its language", () => {
  test.each(["/quick-start", "/money", "/reference", "/errors"])("%s is in the reader's", async (path) => {
    for (const language of ["fr", "en"]) {
      const answer = await read(`/docs${path}`, language);
      expect([answer.status, answer.headers.get("vary")]).toEqual([200, "Accept, Accept-Language"]);
      expect(await answer.text()).toBe(await (await read(`/docs/${language}${path}`)).text());
    }
  });
});

describe("a page that does not exist", () => {
  test.each([
    ["/docs/fr/xx", "en", "fr", "Cette page n’existe pas"],
    ["/docs/en/xx/", "fr", "en", "No such page"],
    ["/docs/xx", "fr-BF, fr;q=0.9", "fr", "Cette page n’existe pas"],
    ["/docs/xx", "de", "en", "No such page"],
  ])("%s (%s) is told to a reader in a page (%s), with the index", async (path, asked, language, title) => {
    const answer = await read(path, asked);
    expect([answer.status, answer.headers.get("vary")]).toEqual([404, "Accept, Accept-Language"]);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await answer.text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(`<code>${path}</code>`);
    expect(html).toContain(`action="/docs/${language}/search"`);
    expect(html).toContain(`href="/docs/${language}/quick-start"`);
  });

  test("offers those that may be meant, and puts their words into the search", async () => {
    const html = await (await read("/docs/en/quick_start.html")).text();
    expect(html).toMatch(
      /<h2>Perhaps you mean<\/h2>\n<ul class="results"><li><a href="\/docs\/en\/quick-start/,
    );
    expect(html).toContain('name="q" maxlength="100" value="quick start"');
    // By its name also where the language has other words for it, and each page once.
    const french = await (await read("/docs/fr/quick_start")).text();
    expect(french).toMatch(
      /<h2>Vous cherchez peut-être<\/h2>\n<ul class="results"><li><a href="\/docs\/fr\/quick-start">/,
    );
    const offered = [
      ...french.matchAll(/<li><a href="([^"#]*)[^"]*">[^<]*<\/a>(?: <small>[^<]*<\/small>)?<small>/g),
    ].map(([, to]) => to);
    expect(offered).toEqual([...new Set(offered)]);
  });

  test("shows what was asked for to the letter", async () => {
    const html = await (await read("/docs/en/a&b'<script>alert(1)</script>")).text();
    expect(html).not.toContain("<script>alert");
    expect(html).toContain("/docs/en/a&amp;b");
  });

  test("is told in a page to who takes anything, as curl does", async () => {
    const answer = await ask("/docs/fr/inexistante", { accept: "*/*" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await answer.text()).toContain("<h1>Cette page n’existe pas</h1>");
  });

  test("is JSON for a program that asks for it, and for every other method", async () => {
    const answer = await ask("/docs/fr/xx", { accept: "application/json" });
    expect([answer.headers.get("vary"), await verdict(answer)]).toEqual(["Accept", "404 NOT_FOUND"]);
    expect(await verdict(await ask("/docs/fr/xx", { accept: BROWSER }, "POST"))).toBe("404 NOT_FOUND");
    expect(await verdict(await ask("/docs/fr/money", { accept: BROWSER }, "POST"))).toBe(
      "422 VALIDATION_FAILED",
    );
  });

  test.each([
    ["application/json", "{"],
    ["application/json", ""],
    ["multipart/form-data", "abc"],
    ["application/x-www-form-urlencoded", "a[=%"],
  ])("is told to who sends a body of %s that is none (%j): nobody reads it", async (type, body) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      for (const [path, expected] of [
        ["/docs/xx", "404 NOT_FOUND"],
        ["/docs/en/xx", "404 NOT_FOUND"],
        ["/xx", "404 NOT_FOUND"],
        ["/public/v2/batches", "400 UNSUPPORTED_VERSION"],
      ] as const) {
        // In chunks, so that a body of nothing is one too.
        const chunks = new Blob([body]).stream();
        const answer = await fetch(fixture.http.url + path, {
          method,
          headers: { "content-type": type },
          body: chunks,
        });
        expect([method, path, answer.headers.has("x-request-id"), await verdict(answer)]).toEqual([
          method,
          path,
          true,
          expected,
        ]);
      }
    }
  });

  test("beside the documentation nothing changes: JSON, whoever asks", async () => {
    for (const path of ["/xx", "/public", "/openapi", "/docsx"]) {
      expect(await verdict(await ask(path, { accept: BROWSER }))).toBe("404 NOT_FOUND");
    }
  });
});

describe("a page for programs", () => {
  const MARKDOWN = "text/markdown; charset=utf-8";
  const typeOf = (answer: Response) => answer.headers.get("content-type");

  test.each(["/docs/en/quick-start", "/docs/fr", "/docs/en/reference/submitBatch", "/docs/money"])(
    "%s is Markdown for whoever asks for that",
    async (path) => {
      const answer = await ask(path, { accept: "text/markdown, text/html;q=0.8, */*;q=0.1" });
      expect([answer.status, typeOf(answer)]).toEqual([200, MARKDOWN]);
      expect(answer.headers.get("vary")).toMatch(/^Accept\b/);
      expect(await answer.text()).toMatch(/^# /);
    },
  );

  test("is HTML for whoever would rather have that, or says nothing", async () => {
    for (const accept of [BROWSER, "text/html, text/markdown;q=0.5", "text/markdown;q=0", "*/*"]) {
      const answer = await ask("/docs/en/quick-start", { accept });
      expect([accept, typeOf(answer)]).toEqual([accept, "text/html; charset=utf-8"]);
    }
  });

  test("has the examples that work here, as the page for people has", async () => {
    const markdown = await (await ask("/docs/en/quick-start.md")).text();
    expect(markdown).toContain(`export BENDRE_URL=${fixture.http.url}`);
    expect(markdown).not.toContain("sms.example.bf");
  });

  test("stands in the list of all pages, and each that stands there is one", async () => {
    const list = await ask("/llms.txt");
    expect([list.status, typeOf(list)]).toEqual([200, MARKDOWN]);
    const addresses = [...(await list.text()).matchAll(/\]\((http[^)]+)\)/g)].map(
      ([, address = ""]) => address,
    );
    expect(addresses.length).toBeGreaterThan(30);
    expect(addresses).toContain(`${fixture.http.url}/docs/en/reference/submitBatch.md`);
    for (const address of addresses) {
      const answer = await fetch(address);
      expect([address, answer.status, typeOf(answer)]).toEqual([address, 200, MARKDOWN]);
    }
  });

  test.each([
    "/docs/en/nothing.md",
    "/docs/en/try.md",
    "/docs/en/reference/nothing",
    "/docs/fr/reference/x.md",
  ])("%s is none", async (path) => {
    expect((await ask(path, { accept: "text/markdown" })).status).toBe(404);
    expect((await read(path)).status).toBe(404);
  });
});
