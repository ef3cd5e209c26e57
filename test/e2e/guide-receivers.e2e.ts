/** The programs of the guide that receive webhooks, run as they stand on its pages: each in one of the readers' languages, at night in both. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { poll } from "./api.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { blocksOf, isRun, missing, NODE } from "./guide-blocks.ts";

/** In which files the two blocks of a page stand, what builds them, and what runs them. */
type ReceiverProgram = {
  readonly language: string;
  readonly verify: string;
  readonly receive: string;
  readonly build?: readonly string[];
  readonly words: (port: number) => readonly string[];
};

const RECEIVERS: readonly ReceiverProgram[] = [
  {
    language: "python",
    verify: "verify.py",
    receive: "receive.py",
    words: () => ["python3", "receive.py"],
  },
  { language: "js", verify: "verify.mjs", receive: "receive.mjs", words: () => [NODE, "receive.mjs"] },
  {
    language: "php",
    verify: "verify.php",
    receive: "receive.php",
    words: (port) => ["php", "-S", `127.0.0.1:${port}`, "receive.php"],
  },
  {
    language: "java",
    verify: "Webhooks.java",
    receive: "Receive.java",
    build: ["javac", "Webhooks.java", "Receive.java"],
    words: () => ["java", "Receive"],
  },
  {
    language: "go",
    verify: "verify.go",
    receive: "receive.go",
    // Not `go run`, which leaves its program behind when it is killed.
    build: ["go", "build", "-o", "receiver", "verify.go", "receive.go"],
    words: () => ["./receiver"],
  },
];

const place = mkdtempSync(join(tmpdir(), "bendre-receivers-"));
let bendre: Appliance;
let reader: ReturnType<Appliance["key"]>;
beforeAll(async () => {
  const authority = join(place, "authority.pem");
  writeFileSync(authority, TEST_AUTHORITY);
  const settings = `[webhooks]\nallow_private_targets = true\nca_file = "${authority}"`;
  bendre = await appliance({ operators: { orange: "away", moov: "away" }, settings });
  const { accountId } = await bendre.tenant("Reader");
  reader = bendre.key(accountId, "--scopes", "all", "--mode", "test");
});
afterAll(() => {
  bendre?.close();
  rmSync(place, { recursive: true });
});

/** What came through to a receiver, as it came. */
type Passed = { readonly headers: Headers; readonly body: string };

/** What stands before a receiver: it speaks TLS, and keeps what went through. */
function front(receiver: string) {
  const passed: Passed[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
    fetch: async (request) => {
      const { headers } = request;
      const body = await request.text();
      const status = await fetch(receiver, { method: "POST", headers, body }).then(
        (answer) => answer.status,
        () => 502,
      );
      if (status === 204) passed.push({ headers, body });
      return new Response(null, { status });
    },
  });
  return { server, passed, url: `https://127.0.0.1:${server.port}/hook` };
}

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

const SPEAKS_TLS: ReadonlySet<string> = new Set(["python", "js", "go"]);

describe.each(
  RECEIVERS.flatMap((program) =>
    LANGUAGES.filter((readers) => isRun(program.language, readers)).map(
      (readers) => [program.language, readers, program] as const,
    ),
  ),
)("the receiver of webhooks in %s (%s)", (language, readers, program) => {
  const directory = join(place, `${language}-${readers}`);
  const [builder = ""] = program.build ?? [];
  const isAbsent = missing(language) !== null || (builder !== "" && Bun.which(builder) === null);

  /** The two blocks of the page in their files, built where they have to be; how they are run on a port. */
  function receiverOn(port: number, env: Record<string, string>) {
    const [verify = "", receive = ""] = blocksOf("webhooks", language, readers);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, program.verify), verify);
    writeFileSync(join(directory, program.receive), receive);
    if (program.build) {
      const built = Bun.spawnSync([...program.build], { cwd: directory, stderr: "pipe" });
      expect([language, built.exitCode, built.stderr.toString()]).toEqual([language, 0, ""]);
    }
    return Bun.spawn([...program.words(port)], {
      cwd: directory,
      stdout: "pipe",
      stderr: "ignore",
      env: { ...process.env, PORT: String(port), ...env },
    });
  }

  test("takes what is genuine, each event once, and nothing else", async () => {
    if (isAbsent) return;
    const port = await freePort();
    const own = `http://127.0.0.1:${port}/`;
    const before = front(own);
    const headers = { "content-type": "application/json" };
    const made = await reader.api.ask("/webhooks", {
      method: "POST",
      headers,
      body: JSON.stringify({ url: before.url, events: [] }),
    });
    const receiver = receiverOn(port, { BENDRE_WEBHOOK_SECRET: String(made.data.secret) });
    const post = (body: string, signed: Headers | Record<string, string>) =>
      fetch(own, { method: "POST", headers: signed, body }).then(({ status }) => status);
    try {
      await poll(
        () => post("{}", headers).catch(() => 0),
        (status) => status === 400,
      );
      await reader.api.post(`receiver-${language}-${readers}`, {
        sender: "TEST",
        body: `Hook ${language} ${readers}`,
        message_class: "TRANSACTIONAL",
        recipients: [{ msisdn: "70123411" }],
      });
      await poll(
        () => before.passed.length,
        (count) => count >= 2,
      );
      const [first] = before.passed;
      if (!first) throw new Error("nothing went through");
      expect(await post(first.body, first.headers)).toBe(204);
      expect(await post(first.body.replace("TEST", "EVIL"), first.headers)).toBe(400);
    } finally {
      receiver.kill();
      await before.server.stop(true);
    }
    const lines = (await receiver.stdout.text()).trim().split("\n");
    const ids = before.passed.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);
    expect(lines.map((line) => line.split(" ")[1]).toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(lines.map((line) => line.split(" ")[0])).toEqual(
      expect.arrayContaining(["MESSAGE_TERMINAL", "BATCH_SETTLED"]),
    );
  });

  if (SPEAKS_TLS.has(language))
    test("over TLS, lets nobody wait for who connects and says nothing", async () => {
      if (isAbsent) return;
      const certificate = join(place, "hook.pem");
      const key = join(place, "hook.key");
      writeFileSync(certificate, HOOK_CERTIFICATE);
      writeFileSync(key, HOOK_KEY);
      const port = await freePort();
      const receiver = receiverOn(port, {
        BENDRE_WEBHOOK_SECRET: "whsec_AAAA",
        TLS_CERT: certificate,
        TLS_KEY: key,
      });
      const post = () =>
        fetch(`https://127.0.0.1:${port}/`, {
          method: "POST",
          body: "{}",
          signal: AbortSignal.timeout(5000),
          tls: { ca: TEST_AUTHORITY },
        }).then(
          ({ status }) => status,
          () => 0,
        );
      try {
        await poll(post, (status) => status === 400);
        const silent = [1, 2, 3].map(() => connect(port, "127.0.0.1"));
        await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
        expect(await Promise.all([post(), post()])).toEqual([400, 400]);
        for (const socket of silent) socket.destroy();
      } finally {
        receiver.kill();
      }
    });
});
