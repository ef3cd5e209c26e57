/** What users write to a number of WhatsApp, while the server is killed in the middle of the calls that bring it. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const SETTINGS = `
${NO_RATE_LIMIT}
[whatsapp]
api = "http://127.0.0.1:1"
app_secret = "s3cret"
verify_token = "verify"
[whatsapp.numbers.main]
phone_number_id = "100000000000001"
waba_id = "200000000000002"
token = "t"
price = { MARKETING = 21 }
`;
const USERS = 400;
/** So many are told at once. */
const TOGETHER = 16;
/** One of so many writes STOP. */
const STOPS = 10;

let bendre: Appliance;
let tenant: Tenant;
beforeAll(async () => {
  bendre = await appliance({ operators: { moov: "away" }, settings: SETTINGS });
  tenant = await bendre.tenant("Faso Shop");
  await bendre.ask("sender register", { ACCOUNT: tenant.accountId, NAME: "ACME", operator: "whatsapp:main" });
});
afterAll(() => bendre.close());

const userOf = (at: number): string => String(22_670_300_000 + at);

/** Calls the webhook for the text of one user; null where the connection broke. */
async function call(at: number): Promise<number | null> {
  const metadata = { display_phone_number: "22625300000", phone_number_id: "100000000000001" };
  const text = { body: at % STOPS === 0 ? "STOP" : `bonjour ${at}` };
  const told = { id: `wamid.in.${at}`, from: userOf(at), timestamp: "1772442000", type: "text", text };
  const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, messages: [told] } };
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "200000000000002", changes: [change] }],
  });
  const headers = {
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`,
  };
  return fetch(`${bendre.url()}/whatsapp/webhook`, { method: "POST", headers, body }).then(
    ({ status }) => status,
    () => null,
  );
}

/** Who is listed with a text, each as often as it is there. */
const listed = async (): Promise<readonly string[]> =>
  ((await bendre.ask("inbound list", { limit: "1000" })).texts as Json[]).map(({ from }) => String(from));

const suppressed = async (): Promise<readonly string[]> =>
  ((await bendre.ask("suppression list", { ACCOUNT: tenant.accountId })).suppressions as Json[]).map(
    ({ msisdn }) => String(msisdn),
  );

test("a text that was answered with 200 is there after kill -9, with its STOP, and one that was not is told again and there once", async () => {
  const answers = new Map<number, number | null>();
  let next = 0;
  const killAt = USERS / 2;
  let killed: Promise<number> | null = null;
  const caller = async (): Promise<void> => {
    while (next < USERS) {
      const at = next;
      next += 1;
      answers.set(at, await call(at));
      if (answers.size >= killAt && killed === null) killed = bendre.end("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, caller));
  await killed;
  const taken = [...answers].flatMap(([at, status]) => (status === 200 ? [at] : []));
  expect(taken.length).toBeGreaterThanOrEqual(killAt - TOGETHER);
  expect(taken.length).toBeLessThan(USERS);
  await bendre.start();
  const first = await listed();
  expect(new Set(first).size).toBe(first.length);
  expect(taken.filter((at) => !first.includes(`+${userOf(at)}`))).toEqual([]);
  const stops = await suppressed();
  expect(taken.filter((at) => at % STOPS === 0 && !stops.includes(`+${userOf(at)}`))).toEqual([]);
  // Meta tells what was not answered again, and here also what was.
  for (let at = 0; at < USERS; at++) expect(await call(at)).toBe(200);
  expect((await listed()).toSorted()).toEqual(Array.from({ length: USERS }, (_, at) => `+${userOf(at)}`));
  expect(await suppressed()).toHaveLength(USERS / STOPS);
});
