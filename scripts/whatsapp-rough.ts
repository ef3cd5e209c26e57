/**
 * A batch of WhatsApp over the executable, as large as one wants, against a stand-in for Meta that loses, doubles, disorders and fails,
 * with the server killed in mid-flight; then counts, money and events compared with what the stand-in drew:
 *
 *   bun run build && bun scripts/whatsapp-rough.ts [--messages 100000] [--kills 3] [--seed 7] [--fallback]
 *
 * With `--fallback` what WhatsApp does not deliver goes on as an SMS to a simulated operator. Exits 1 when something is not as it should be.
 */
import { parseArgs } from "node:util";
import { rough } from "../test/e2e/whatsapp-rough.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "100000" },
    kills: { type: "string", default: "3" },
    seed: { type: "string", default: "7" },
    fallback: { type: "boolean", default: false },
  },
});
const { faults, figures } = await rough({
  messages: Number(values.messages),
  kills: Number(values.kills),
  seed: Number(values.seed),
  isFallingBack: values.fallback,
});
for (const [name, figure] of Object.entries(figures)) console.log(`${String(figure).padStart(9)}  ${name}`);
for (const fault of faults) console.error(`FAULT  ${fault.slice(0, 1000)}`);
process.exit(faults.length === 0 ? 0 : 1);
