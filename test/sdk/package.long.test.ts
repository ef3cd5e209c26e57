import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildPackage } from "../../scripts/sdk.ts";

const place = mkdtempSync(join(tmpdir(), "bendre-sdk-test-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const PROGRAM = `import { type BatchSubmission, bendre, isBendreError, verifyWebhook } from "bendre-sdk";

const client = bendre({ baseUrl: "https://sms.example.bf", apiKey: "k" });
const batch: BatchSubmission = {
  sender: "BENDRE",
  body: "Bonjour {name}",
  message_class: "OTP",
  recipients: [{ msisdn: "70123456", attributes: { name: "Awa" } }],
};
export async function main(): Promise<number> {
  try {
    const { reserved_amount: amount } = await client.submitBatch(batch, "k1");
    for await (const { message } of client.changes({ since: "2026-01-01T00:00:00Z" })) console.log(message.status);
    console.log((await verifyWebhook("whsec_", {}, "{}")).type);
    return amount;
  } catch (error) {
    if (isBendreError(error)) console.log(error.code);
    throw error;
  }
}
`;

test("a program of somebody else compiles against the package, strictly, and a wrong one does not", async () => {
  await buildPackage(join(place, "node_modules/bendre-sdk"));
  expect(readdirSync(join(place, "node_modules/bendre-sdk")).sort()).toEqual(
    expect.arrayContaining(["README.fr.md", "README.md", "index.d.ts", "index.js", "package.json"]),
  );
  const compilerOptions = {
    target: "ESNext",
    module: "NodeNext",
    lib: ["ESNext", "DOM"],
    types: [],
    strict: true,
  };
  writeFileSync(join(place, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(place, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true, skipLibCheck: true } }),
  );
  const compiler = join(import.meta.dir, "../../node_modules/typescript/bin/tsc");
  const check = (program: string) => {
    writeFileSync(join(place, "program.ts"), program);
    const done = Bun.spawnSync([process.execPath, compiler, "-p", place], { stdout: "pipe" });
    return [done.exitCode, done.stdout.toString()];
  };
  expect(check(PROGRAM)).toEqual([0, ""]);
  expect(check(PROGRAM.replace('"OTP"', '"LOUD"'))).toEqual([2, expect.stringContaining('"LOUD"')]);
  const program = (await import(join(place, "node_modules/bendre-sdk/index.js"))) as Record<string, unknown>;
  expect(Object.keys(program).sort()).toEqual(["bendre", "isBendreError", "verifyWebhook"]);
}, 60_000);
