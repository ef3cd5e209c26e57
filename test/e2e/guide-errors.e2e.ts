/** The errors that the page about test keys says how to provoke, provoked as it says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { apiOf, type Reply } from "./api.ts";
import { type Appliance, appliance } from "./appliance.ts";

const GUIDE = join(import.meta.dirname, "../../src/docs/guide");
const PAGE = "test-keys";

let bendre: Appliance;
let reader: ReturnType<Appliance["key"]>;
let looker: ReturnType<Appliance["key"]>;
beforeAll(async () => {
  bendre = await appliance({ operators: { moov: "away" } });
  const { accountId } = await bendre.tenant("Reader");
  reader = bendre.key(accountId, "--scopes", "all", "--mode", "test");
  looker = bendre.key(accountId, "--scopes", "MESSAGES_READ", "--mode", "test");
});
afterAll(() => bendre?.close());

const batch = (more: object = {}) => ({
  sender: "TEST",
  body: "Bonjour",
  message_class: "TRANSACTIONAL",
  recipients: [{ msisdn: "70123456" }],
  ...more,
});

/** What the page says, by what is to be seen. */
const WAYS: Readonly<Record<string, () => Promise<Reply>>> = {
  "401 UNAUTHORIZED": () => {
    const { apiKey } = reader;
    const last = apiKey.endsWith("A") ? "B" : "A";
    return apiOf(bendre.url, apiKey.slice(0, -1) + last).get("/account/balance");
  },
  "402 INSUFFICIENT_FUNDS": () => {
    const recipients = Array.from({ length: 10_000 }, (_, place) => ({ msisdn: String(70_000_000 + place) }));
    return reader.api.post("dear", batch({ body: "ç".repeat(4000), recipients }));
  },
  "403 INSUFFICIENT_SCOPE": () => looker.api.post("barred", batch()),
  "404 NOT_FOUND": () => reader.api.get("/batches/01KJQX5Y8M3T7V9B2C4D6F8G0H"),
  "409 IDEMPOTENCY_KEY_REUSED": async () => {
    expect((await reader.api.post("twice", batch())).status).toBe(202);
    return reader.api.post("twice", batch({ body: "Bonsoir" }));
  },
  "409 BATCH_ENDED": async () => {
    const { data } = await reader.api.post("ended", batch({ body: "Fini" }));
    await reader.api.ended(data.batch_id);
    return reader.api.ask(`/batches/${String(data.batch_id)}/cancel`, { method: "POST" });
  },
  "422 VALIDATION_FAILED": () => reader.api.post("bare", batch({ message_class: undefined })),
  "422 SENDER_NOT_APPROVED": () => reader.api.post("nobody", batch({ sender: "NOBODY" })),
  "429 RATE_LIMITED": async () => {
    const replies = await Promise.all(Array.from({ length: 400 }, () => reader.api.get("/account/balance")));
    return replies.find(({ status }) => status === 429) ?? replies[0]!;
  },
};

test.each(LANGUAGES)("the page names each way that is tried here, and no other (%s)", (language) => {
  const page = readFileSync(join(GUIDE, language, `${PAGE}.md`), "utf8");
  const named = [...page.matchAll(/^\| (\d{3}) `([A-Z_]+)` \|/gm)].map(
    ([, status, code]) => `${status} ${code}`,
  );
  expect(named).toEqual(Object.keys(WAYS));
});

test.each(Object.entries(WAYS))("a reader meets %s as the page says", async (name, provoke) => {
  const { status, body } = await provoke();
  expect(`${status} ${String(body.code)}`).toBe(name);
});
