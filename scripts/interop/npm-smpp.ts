/**
 * A client that is not ours submits through the simulated operator: the npm package `smpp`, as it comes and with its own
 * defaults, which no strict operator would take. `bun run build && bun scripts/interop/npm-smpp.ts`; exits 1 when an answer
 * is not as it should be.
 */
import { createRequire } from "node:module";
import { builtExecutable } from "../rehearse/executable.ts";
import { going } from "../rehearse/going.ts";

type Answer = {
  readonly command_status: number;
  readonly message_id?: string;
  readonly message_state?: number;
  readonly unsuccess_sme?: readonly { readonly error_status_code: number }[];
};
type Delivered = {
  readonly short_message: { readonly message: string };
  readonly response: () => unknown;
};
type Client = {
  readonly on: (event: string, listener: (pdu: Delivered) => void) => void;
  readonly send: (pdu: unknown) => void;
} & Readonly<Record<string, (fields: object, answered: (pdu: Answer) => void) => void>>;
type Library = { readonly connect: (options: { readonly url: string }) => Client };

const smpp = createRequire(import.meta.url)("smpp") as Library;
const operator = going([builtExecutable(), "smsc", "--json", "--port=0", "--receipt-delay-ms=1500"]);
const { port } = JSON.parse(await operator.line('"listening"')) as { readonly port: number };
const client = smpp.connect({ url: `smpp://127.0.0.1:${port}` });
await new Promise<void>((resolve) => client.on("connect", () => resolve()));

const receipts: string[] = [];
client.on("deliver_sm", (pdu) => {
  receipts.push(pdu.short_message.message);
  client.send(pdu.response());
});
const ask = (command: string, fields: object = {}): Promise<Answer> =>
  new Promise((resolve) => client[command]?.(fields, resolve));
const problems: string[] = [];
function expect(what: string, found: unknown, wanted: unknown): void {
  const isRight = JSON.stringify(found) === JSON.stringify(wanted);
  console.log(`${isRight ? "right" : "WRONG"}  ${what}: ${JSON.stringify(found)}`);
  if (!isRight) problems.push(what);
}

const text = { destination_addr: "22670123456", short_message: "Bonjour", registered_delivery: 1 };
expect("bind", (await ask("bind_transceiver", { system_id: "any", password: "any" })).command_status, 0);
const first = await ask("submit_sm", text);
expect("submit_sm", first.command_status, 0);
const { message_id } = first;
expect("query_sm, under way", (await ask("query_sm", { message_id })).message_state, 1);
expect("cancel_sm", (await ask("cancel_sm", { message_id })).command_status, 0);
expect("query_sm, cancelled", (await ask("query_sm", { message_id })).message_state, 4);
const second = await ask("submit_sm", { ...text, destination_addr: "22670123457" });
const replacement = { message_id: second.message_id, short_message: "Bonsoir", registered_delivery: 1 };
expect("replace_sm", (await ask("replace_sm", replacement)).command_status, 0);
const multi = await ask("submit_multi", {
  ...text,
  dest_address: [{ destination_addr: "22670000001" }, { destination_addr: "22670099005" }],
});
expect(
  "submit_multi, refused",
  multi.unsuccess_sme?.map((one) => one.error_status_code),
  [0x0b],
);
const payload = { destination_addr: "22670000002", message_payload: "Bonjour" };
expect("data_sm", (await ask("data_sm", payload)).command_status, 0);
const lateMs = performance.now() + 10_000;
while (receipts.length < 3 && performance.now() < lateMs) await Bun.sleep(50);
expect("receipts", receipts.map((one) => /stat:(\w+)/.exec(one)?.[1]).sort(), [
  "DELETED",
  "DELIVRD",
  "DELIVRD",
]);
expect("unbind", (await ask("unbind")).command_status, 0);
expect("the operator's exit code", await operator.stop(), 0);
expect(
  "replaced text on a handset",
  operator.lines.some((line) => line.includes("Bonsoir")),
  true,
);
console.log(problems.length === 0 ? "right" : `${problems.length} wrong`);
process.exit(problems.length === 0 ? 0 : 1);
