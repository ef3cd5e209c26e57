/**
 * The built executable against a message centre on Perl's Net::SMPP: `bun scripts/interop/net-smpp.ts [messages]`.
 * Every message must end DELIVERED, and every submit_sm and receipt must have been understood on both sides.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTemplate, startAppliance } from "../rehearse/appliance.ts";
import { builtExecutable, scratchDirectory } from "../rehearse/executable.ts";
import { followed } from "../rehearse/followed.ts";
import { going } from "../rehearse/going.ts";
import { submissionOf } from "../rehearse/texts.ts";

const count = Number(process.argv[2] ?? 1_000);
const executable = builtExecutable();
const directory = scratchDirectory("net-smpp");
const template = makeTemplate(executable, directory);

const smsc = going(["perl", join(import.meta.dir, "net-smpp-smsc.pl")]);
const port = Number(/port=(\d+)/.exec(await smsc.line("READY"))?.[1]);
const home = join(directory, "run");
mkdirSync(home);
const appliance = await startAppliance(executable, home, template, port, { name: "Net::SMPP", smsc: [] });
const { bodies, asked } = submissionOf(count);
for (const [index, body] of bodies.entries()) await appliance.submit(`interop-${index}`, body);
const messages = await followed(appliance, asked.size);
const ledgerProblem = appliance.ledgerProblem();
await appliance.process.stop();
await smsc.stop();

const statuses: Record<string, number> = {};
for (const { status } of messages.values()) statuses[status] = (statuses[status] ?? 0) + 1;
const submits = [...asked.values()].reduce((sum, { parts }) => sum + parts, 0);
const saw = smsc.lines.find((line) => line.startsWith("SAW")) ?? "";
const figure = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(saw)?.[1]);
console.log(`${JSON.stringify(statuses)} of ${count} messages in ${submits} submit_sm`);
console.log(saw);
for (const line of new Set(smsc.errors.filter((said) => said !== "")))
  console.log(`the library says: ${line}`);
const isRight =
  statuses.DELIVERED === count &&
  figure("submits") === submits &&
  figure("acknowledged") === submits &&
  figure("refused") === 0 &&
  ledgerProblem === null;
console.log(isRight ? "right" : "WRONG");
rmSync(directory, { recursive: true, force: true });
process.exit(isRight ? 0 : 1);
