/**
 * Captures sessions of the built executable on loopback and has tshark's SMPP dissector read them:
 * `bun scripts/interop/tshark.ts [messages of each session]`. Needs tshark and the right to capture. No packet may be malformed,
 * none may bear an expert's error, and every command and field that the sessions are there for must be in the capture.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { builtExecutable, scratchDirectory } from "../rehearse/executable.ts";
import { going } from "../rehearse/going.ts";
import type { Row } from "../rehearse/rows.ts";
import { prepareRehearsal, runRow } from "../rehearse/run-row.ts";

const count = Number(process.argv[2] ?? 50);
const FIRST_PORT = 27_750;
const SOON = ["--receipt-delay-ms=20", "--receipt-jitter-ms=20"];

/** Between them: every bind, UDH, SAR, message_payload, UCS-2, receipts of all forms, refusals, unbind from either side. */
const SESSIONS: readonly Row[] = [
  { name: "transceiver, user data headers", smsc: SOON },
  {
    name: "transmitter and receiver, sar",
    smsc: [...SOON, "--enroute-receipts"],
    connections: ['bind = "transmitter"\nlong_messages = "sar"', 'bind = "receiver"'],
  },
  {
    name: "message_payload, data_sm",
    smsc: [...SOON, "--data-sm-receipts"],
    connections: ['long_messages = "payload"'],
  },
  { name: "receipts in message_payload", smsc: [...SOON, "--payload-receipts", "--receipt-delay-ms=2500"] },
  {
    name: "refusals, outbind",
    smsc: [...SOON, "--refuse-percent=20", "--refusal-body", "--outbind"],
    mayEnd: ["refused"],
  },
  { name: "unbound by the operator", smsc: [...SOON, `--unbind-after=${count}`] },
];

const ports = `${FIRST_PORT}-${FIRST_PORT + SESSIONS.length - 1}`;
const directory = scratchDirectory("tshark");
const capture = join(directory, "sessions.pcapng");
const tshark = going(["tshark", "-i", "lo", "-f", `tcp portrange ${ports}`, "-w", capture, "-B", "32"]);
await tshark.line("Capturing on");
await Bun.sleep(500);
const rehearsal = prepareRehearsal(builtExecutable(), directory, count);
let problems = 0;
for (const [index, row] of SESSIONS.entries()) {
  const verdict = await runRow(rehearsal, row, String(index), FIRST_PORT + index);
  console.log(`${row.name}: ${JSON.stringify(verdict.statuses)} ${verdict.problems.join("; ")}`);
  problems += verdict.problems.length;
}
await Bun.sleep(1_000);
await tshark.stop();

const decodeAs = SESSIONS.flatMap((_, index) => ["-d", `tcp.port==${FIRST_PORT + index},smpp`]);

/** The values of fields of every packet that a filter chooses, one a line. */
function fieldsOf(filter: string, ...fields: string[]): string[] {
  const wanted = fields.flatMap((field) => ["-e", field]);
  const run = Bun.spawnSync(["tshark", "-r", capture, ...decodeAs, "-Y", filter, "-T", "fields", ...wanted]);
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  return run.stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

const commands = new Map<string, number>();
for (const line of fieldsOf("smpp", "smpp.command_id")) {
  for (const id of line.split(",")) commands.set(id, (commands.get(id) ?? 0) + 1);
}
for (const [id, times] of [...commands].sort()) console.log(`command_id ${id}: ${times}`);

const PRESENT: readonly (readonly [what: string, filter: string])[] = [
  ["bind_receiver", "smpp.command_id == 0x00000001"],
  ["bind_transmitter", "smpp.command_id == 0x00000002"],
  ["bind_transceiver", "smpp.command_id == 0x00000009"],
  ["user data header", "smpp.command_id == 4 && smpp.esm.submit.features == 1"],
  ["sar_msg_ref_num", "smpp.sar_msg_ref_num"],
  ["message_payload of a submit_sm", "smpp.command_id == 4 && smpp.message_payload"],
  ["message_payload of a deliver_sm", "smpp.command_id == 5 && smpp.message_payload"],
  ["UCS-2", "smpp.command_id == 4 && smpp.data_coding == 8"],
  ["receipted_message_id", "smpp.receipted_message_id"],
  ["message_state", "smpp.message_state"],
  ["network_error_code", "smpp.network_error.code"],
  ["data_sm", "smpp.command_id == 0x00000103"],
  ["data_sm_resp", "smpp.command_id == 0x80000103"],
  ["enquire_link", "smpp.command_id == 0x00000015"],
  ["outbind", "smpp.command_id == 0x0000000b"],
  ["unbind", "smpp.command_id == 0x00000006"],
  ["unbind_resp", "smpp.command_id == 0x80000006"],
];
for (const [what, filter] of PRESENT) {
  const packets = fieldsOf(filter, "frame.number").length;
  console.log(`${String(packets).padStart(6)} packets with ${what}`);
  if (packets === 0) problems += 1;
}

const ERROR = 0x00800000;
const packets = fieldsOf("smpp", "frame.number").length;
const malformed = fieldsOf("_ws.malformed", "frame.number", "_ws.expert.message");
const experts = fieldsOf(`smpp && _ws.expert.severity >= ${ERROR}`, "frame.number", "_ws.expert.message");
console.log(
  `${packets} packets with SMPP, ${malformed.length} malformed, ${experts.length} with an expert's error`,
);
for (const line of [...malformed, ...experts].slice(0, 10)) console.log(`    ${line}`);
problems += malformed.length + experts.length;
console.log(problems === 0 ? "right" : `WRONG; the capture is ${capture}`);
if (problems === 0) rmSync(directory, { recursive: true, force: true });
process.exit(problems === 0 ? 0 : 1);
