/**
 * Rehearses the built executable against one simulated operator for each quirk there is:
 * `bun run rehearse [--only part-of-a-name] [--messages 1000]`. Needs `bun run build` before; takes some minutes.
 *
 * A row is `bendre smsc` with the quirk, `bendre serve`, and a client that submits all classes and follows the feed.
 * Then the feed, the wallet, the ledger and the operator's own account must agree: every message in the right state,
 * nothing sent twice but what was decided, window and throughput never exceeded. Exits 1 if anything differs.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../test/smpp/server-certificate.ts";
import { operatorAccount } from "./rehearse/account.ts";
import { type Message, makeTemplate, startAppliance, THROUGHPUT, WINDOW } from "./rehearse/appliance.ts";
import { going } from "./rehearse/going.ts";
import { ROWS, type Row } from "./rehearse/rows.ts";
import { submissionOf } from "./rehearse/texts.ts";
import { type Verdict, verdictOf } from "./rehearse/verdict.ts";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, messages: { type: "string", default: "1000" } },
});
const count = Number(values.messages);
const rows = ROWS.filter(({ name }) => name.includes(values.only));
const executable = resolve(import.meta.dir, "../dist/bendre");
if (!existsSync(executable)) throw new Error("dist/bendre is missing: run `bun run build` first");
if (rows.length === 0) throw new Error(`no quirk has ${JSON.stringify(values.only)} in its name`);
if (!Number.isInteger(count) || count < 1 || count > 90_000) throw new Error("--messages takes 1 to 90000");

/** Longer than any time-out, rest or reconnection of a row: when nothing changes for so long, it is over. */
const QUIET_MS = 9_000;
const LONGEST_MS = 240_000;

const directory = mkdtempSync(join(tmpdir(), "bendre-rehearse-"));
const certificate = join(directory, "certificate.pem");
const key = join(directory, "key.pem");
writeFileSync(certificate, SERVER_CERTIFICATE);
writeFileSync(key, SERVER_KEY);
const template = makeTemplate(executable, directory);

async function rehearse(row: Row, place: string): Promise<Verdict> {
  mkdirSync(place);
  const checks = [
    `--window-check=${row.window ?? WINDOW}`,
    `--throughput-check=${row.throughput ?? THROUGHPUT}`,
    ...(row.isTls ? [`--tls-key=${key}`, `--tls-certificate=${certificate}`] : []),
  ];
  const smsc = going([executable, "smsc", "--port", "0", "--json", ...checks, ...row.smsc]);
  const { port } = JSON.parse(await smsc.line('"listening"')) as { port: number };
  const appliance = await startAppliance(executable, place, template, port, row);

  const { bodies, asked } = submissionOf(count);
  for (const [index, body] of bodies.entries()) await appliance.submit(`rehearsal-${index}`, body);
  const messages = await followed();
  const wallet = await appliance.balance();
  const ledgerProblem = appliance.ledgerProblem();
  const exitCodes = [await appliance.process.stop(), await smsc.stop()];
  const errors = appliance.process.errors.filter((line) => line.includes('"level":"error"'));
  const account = operatorAccount(smsc.lines);
  return verdictOf({ row, asked, messages, wallet, ledgerProblem, account, errors, exitCodes });

  /** The feed until all is final, or until nothing changes any more. */
  async function followed(): Promise<ReadonlyMap<string, Message>> {
    const found = new Map<string, Message>();
    const beganAt = performance.now();
    let changedAt = beganAt;
    for (;;) {
      const changes = await appliance.changes();
      for (const message of changes) found.set((message.msisdn ?? "").replace("+", ""), message);
      const now = performance.now();
      if (changes.length > 0) changedAt = now;
      const isAllFinal =
        found.size === asked.size && [...found.values()].every((message) => message.is_final);
      if (isAllFinal || now - changedAt > QUIET_MS || now - beganAt > LONGEST_MS) return found;
      await Bun.sleep(50);
    }
  }
}

const WIDTHS = [32, 8, 42, 8];
const line = (...cells: string[]) => cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join("  ");

console.log(line("quirk", "seconds", `where ${count} messages ended`, "repeats", "verdict"));
let failed = 0;
for (const [index, row] of rows.entries()) {
  const beganAt = performance.now();
  const { statuses, repeats, problems } = await rehearse(row, join(directory, String(index)));
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  const ended = Object.entries(statuses).map(([status, number]) => `${status} ${number}`);
  console.log(
    line(row.name, seconds, ended.join(", "), String(repeats), problems.length === 0 ? "right" : "WRONG"),
  );
  for (const problem of problems.slice(0, 8)) console.log(`    ${problem}`);
  if (problems.length > 0) failed += 1;
}
console.log(`${rows.length - failed} right, ${failed} wrong`);
if (failed === 0) rmSync(directory, { recursive: true, force: true });
else console.log(`what the wrong ones left is in ${directory}`);
process.exit(failed === 0 ? 0 : 1);
