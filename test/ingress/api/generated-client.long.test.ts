import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import { systemChance } from "../../../src/core/chance.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { type DemoStage, startStage } from "../../../src/demo/setup.ts";
import { testLog } from "../../kit/test-log.ts";

type Message = { readonly message_id: string; readonly msisdn: string; readonly status: string };
type Program = {
  readonly mainJob: (
    baseUrl: string,
    apiKey: string,
  ) => Promise<{
    readonly spendable: readonly [before: number, after: number];
    readonly accepted: {
      readonly batch_id: string;
      readonly reserved_amount: number;
      readonly rejections: unknown;
    };
    readonly replayed: unknown;
    readonly batch: unknown;
    readonly feed: readonly Message[];
    readonly single: Message;
    readonly advice: readonly string[];
  }>;
};

const ROOT = resolve(import.meta.dir, "../../..");
const place = mkdtempSync(join(tmpdir(), "bendre-client-"));
let stage: DemoStage;

/** Runs a program of the project's under the runtime that runs this test; what it printed, once it exits 0. */
async function run(cwd: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, ...words], { cwd, stdout: "pipe", stderr: "pipe" });
  const printed = (await child.stdout.text()) + (await child.stderr.text());
  expect([words[0], printed, await child.exited]).toEqual([words[0], printed, 0]);
  return printed;
}

beforeAll(async () => {
  stage = await startStage({
    edges: { clock: systemClock, chance: systemChance, log: testLog(), machine: systemPlatform },
    quirks: { responseDelayMs: 0, responseJitterMs: 0, receiptDelayMs: 0, receiptJitterMs: 0 },
    onEvent: () => {},
  });
  const document = join(place, "openapi.json");
  writeFileSync(document, await (await fetch(`${stage.url}/openapi.json`)).text());
  const generator = join(ROOT, "node_modules/@hey-api/openapi-ts/bin/run.js");
  await run(ROOT, generator, "-i", document, "-o", join(place, "client"), "--no-log-file", "--silent");
  copyFileSync(join(import.meta.dir, "generated-client/main-job.ts"), join(place, "main-job.ts"));
}, 30_000);
afterAll(async () => {
  await stage?.stop();
  rmSync(place, { recursive: true, force: true });
});

describe("a client generated from the OpenAPI document", () => {
  test("has strict types throughout, and a program written against them passes the type check", async () => {
    const compilerOptions = {
      target: "ESNext",
      module: "Preserve",
      moduleResolution: "bundler",
      lib: ["ESNext", "DOM", "DOM.Iterable"],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
    };
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
    await run(place, "check", "--no-script");
    const types = await Bun.file(join(place, "client/types.gen.ts")).text();
    const withoutWords = types.replace(/\/\*[\s\S]*?\*\//g, "");
    expect(withoutWords).not.toMatch(/\b(any|unknown)\b/);
  }, 30_000);

  test("does the main job: balance, senders, a batch, the feed to its end, one message, errors by their code", async () => {
    const program = (await import(join(place, "main-job.ts"))) as Program;
    const done = await program.mainJob(`${stage.url}/public/v1`, stage.apiKey);
    const { batch_id } = done.accepted;
    expect(done.accepted).toMatchObject({ status: "QUEUED", accepted: 2, rejected: 1 });
    expect(done.accepted.rejections).toEqual([{ index: 2, msisdn: null, reason_code: "INVALID_MSISDN" }]);
    expect(done.replayed).toEqual({ batchId: batch_id, mark: "true" });
    expect(done.feed.map(({ msisdn, status }) => [msisdn, status]).sort()).toEqual([
      ["+22670123456", "DELIVERED"],
      ["+22676000001", "DELIVERED"],
    ]);
    expect(done.batch).toMatchObject({ batch_id, status: "SETTLED", counts: { total: 2, delivered: 2 } });
    expect(done.single).toEqual(done.feed[0]!);
    const [before, after] = done.spendable;
    expect(before - after).toBe(done.accepted.reserved_amount);
    expect(done.advice).toEqual([
      "409: take a new key",
      "422: choose another sender",
      "422: nothing to send",
      "404: forget it",
      "422: mend /status_changed_since /limit",
    ]);
  }, 30_000);
});
