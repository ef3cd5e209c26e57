/** The programs of the guide for clients, run as they stand on its pages: each in one of the readers' languages, at night in both. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GuideLanguage, LANGUAGES } from "../../src/docs/site/language.ts";
import { type Appliance, appliance, type Tenant } from "./appliance.ts";
import { blocksOf, isRun, missing, RUNNERS } from "./guide-blocks.ts";
import { atNightAll } from "./night.ts";

const place = mkdtempSync(join(tmpdir(), "bendre-guide-"));
let bendre: Appliance;
let tenant: Tenant;
/** What a reader has: a test key, so that every program runs as it stands. */
let reader: ReturnType<Appliance["key"]>;
beforeAll(async () => {
  bendre = await appliance({ operators: { orange: [], moov: [] } });
  tenant = await bendre.tenant("Reader");
  reader = bendre.key(tenant.accountId, "--scopes", "all", "--mode", "test");
});
afterAll(() => {
  bendre?.close();
  rmSync(place, { recursive: true });
});

/** A block in a file, and what runs it there. */
function prepared(code: string, language: string, url = bendre.url()) {
  const runner = RUNNERS[language];
  if (!runner) throw new Error(`nothing runs ${language}`);
  const directory = join(bendre.directory, `guide-${language}`);
  mkdirSync(directory, { recursive: true });
  const file = join(directory, runner.file);
  writeFileSync(file, code);
  const env = { ...process.env, BENDRE_URL: url, BENDRE_KEY: reader.apiKey };
  return { words: runner.words(file), options: { cwd: directory, env } };
}

/** What a block prints that reaches the appliance through something of this process. */
async function printedThrough(code: string, language: string, url: string): Promise<string> {
  const { words, options } = prepared(code, language, url);
  const child = Bun.spawn(words, { ...options, stdout: "pipe", stderr: "pipe" });
  const [out, errors, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([language, exit, errors]).toEqual([language, 0, expect.any(String)]);
  return out;
}

/** What a block prints; it must succeed. */
function printed(code: string, language: string): string {
  const { words, options } = prepared(code, language);
  const done = Bun.spawnSync(words, options);
  expect([language, done.exitCode, done.stderr.toString()]).toEqual([language, 0, expect.any(String)]);
  return done.stdout.toString();
}

const ULID = /[0-7][0-9A-HJKMNP-TV-Z]{25}/;

/** Languages that have a program that repeats, and one that follows. */
const REPEATING = ["python", "js", "php", "java", "go"];
/** Those that are tried on broken ways: a program of Java takes three times as long to start. */
const ON_BROKEN_WAYS = atNightAll(["python", "js", "php", "go"], ["java"]);

describe.each(LANGUAGES)("the programs of the quick start (%s)", (readers) => {
  const ids = new Set<string>();

  test.each(Object.keys(RUNNERS).filter((language) => isRun(language, readers)))(
    "send one text, and no second one under the same key: %s",
    (language) => {
      const absent = missing(language);
      if (absent !== null) {
        process.stderr.write(`skipped: the quick start in ${language}, for there is no ${absent}\n`);
        return;
      }
      const code =
        blocksOf("quick-start", language, readers).find((block) => block.includes("order-1042")) ?? "";
      const id = ULID.exec(printed(code, language))?.[0];
      expect([language, id]).toEqual([language, expect.any(String)]);
      ids.add(id ?? "");
      expect(ids.size).toBe(1);
    },
  );

  test("ask for the balance, the senders and the batch", () => {
    if (missing("sh") !== null || !isRun("sh", readers)) return;
    const looks = blocksOf("quick-start", "sh", readers).filter(
      (block) => !block.includes("order-1042") && !block.startsWith("export"),
    );
    const [balance = "", senders = "", batch = "", messages = ""] = looks;
    expect(JSON.parse(printed(balance, "sh"))).toMatchObject({
      data: { currency: "XOF", spendable: expect.any(Number) },
    });
    expect(JSON.parse(printed(senders, "sh"))).toMatchObject({
      data: {
        sender_ids: expect.arrayContaining([expect.objectContaining({ sender: "TEST", is_sendable: true })]),
      },
    });
    const own = batch.replace(ULID, [...ids][0] ?? "");
    expect(JSON.parse(printed(own, "sh"))).toMatchObject({
      data: { batch_id: [...ids][0], counts: { total: 1 } },
    });
    const since = messages.replace(ULID, [...ids][0] ?? "");
    expect(JSON.parse(printed(since, "sh"))).toMatchObject({
      data: { messages: [{ msisdn: "+22670123456" }] },
    });
  });
});

const programs: (readonly [string, GuideLanguage])[] = REPEATING.flatMap((language) =>
  LANGUAGES.filter((readers) => isRun(language, readers)).map((readers) => [language, readers] as const),
);

describe.each(programs)("the program that repeats in %s (%s)", (language, readers) => {
  test("submits what the quick start did, and nothing is sent twice", () => {
    if (missing(language) !== null) return;
    const [retry = ""] = blocksOf("retries", language, readers);
    expect(printed(retry, language)).toMatch(ULID);
  });
});

describe.each(programs)("the program that follows in %s (%s)", (language, readers) => {
  test("reads the feed to its end", () => {
    if (missing(language) !== null) return;
    const [feed = ""] = blocksOf("following", language, readers);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const lines = printed(feed.replace("2026-01-01T00:00:00Z", since), language).trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("+22670123456");
  });
});

/** How much of an answer comes through before the connection breaks. */
type Cut = (answer: Buffer) => Buffer;

/** A way to the appliance that breaks in the middle of the first answers. */
async function brokenWay(cuts: readonly Cut[]) {
  const { hostname, port } = new URL(bendre.url());
  let asked = 0;
  const server = createServer((near) => {
    const cut = cuts[asked];
    asked += 1;
    const far = connect(Number(port), hostname);
    near.pipe(far);
    if (cut === undefined) far.pipe(near);
    else far.once("data", (answer: Buffer) => near.end(cut(answer), () => far.destroy()));
    for (const socket of [near, far]) socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, asked: () => asked, close: () => server.close() };
}

test("the quote that the page about texts shows is the one that its request gets", () => {
  if (missing("sh") !== null) return;
  const [request = ""] = blocksOf("texts", "sh");
  const [shown = ""] = blocksOf("texts", "json");
  expect(JSON.parse(printed(request, "sh"))).toMatchObject(JSON.parse(shown));
});

describe.each(ON_BROKEN_WAYS)("the program that repeats in %s", (language) => {
  test("goes on when the connection breaks in the middle of an answer, and sends once", async () => {
    if (missing(language) !== null) return;
    const way = await brokenWay([(answer) => answer.subarray(0, 60), (answer) => answer.subarray(0, -20)]);
    try {
      const [retry = ""] = blocksOf("retries", language);
      const code = retry.replaceAll("order-1042", `cut-${language}`).replaceAll("1042", `coupee ${language}`);
      const id = ULID.exec(await printedThrough(code, language, way.url))?.[0] ?? "";
      expect(way.asked()).toBe(3);
      const { data } = await reader.api.ask(`/batches/${id}`);
      expect(data).toMatchObject({ accepted: 1, rejected: 0 });
    } finally {
      way.close();
    }
  });

  test("goes on when a proxy on the way answers with a page of its own", async () => {
    if (missing(language) !== null) return;
    let asked = 0;
    const proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        asked += 1;
        if (asked === 1) return new Response("<h1>Bad Gateway</h1>", { status: 502 });
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        return fetch(bendre.url() + pathname + search, { method, headers, body: await request.text() });
      },
    });
    try {
      const [retry = ""] = blocksOf("retries", language);
      const code = retry.replaceAll("order-1042", `order-1043-${language}`).replaceAll("1042", language);
      expect(await printedThrough(code, language, proxy.url.origin)).toMatch(ULID);
      expect(asked).toBe(2);
    } finally {
      await proxy.stop(true);
    }
  });
});
