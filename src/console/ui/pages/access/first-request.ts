/** The request that whoever just made a key tries it with, as a line for a shell. */
import type { Answer } from "../../api/contract.ts";

type NewKey = Pick<Answer<"POST /accounts/:account/keys">, "api_key" | "scopes" | "mode">;

/** What may be asked under a scope without anything being paid or changed, in the order of preference. */
const QUESTIONS = [
  ["ACCOUNT_READ", "/account/balance"],
  ["MESSAGES_READ", "/batches?limit=1"],
  ["SENDER_IDS_READ", "/sender-ids"],
  ["WEBHOOKS_MANAGE", "/webhooks"],
] as const;

/** A text that the sandbox delivers: every test key has the sender, and may write to any number. */
const FIRST_BATCH = {
  sender: "TEST",
  body: "Bonjour !",
  message_class: "TRANSACTIONAL",
  recipients: [{ msisdn: "70123456" }],
};

/** A line with curl: a text where the key is a test key that may send, else a question; null for a live key that may only send. */
export function writeFirstRequest(origin: string, { api_key: key, scopes, mode }: NewKey): string | null {
  const ask = (path: string) => `curl -sS '${origin}/public/v1${path}' -H 'Authorization: Bearer ${key}'`;
  if (mode === "test" && scopes.includes("MESSAGES_SEND"))
    return `${ask("/batches")} -H 'Idempotency-Key: first' -H 'Content-Type: application/json' -d '${JSON.stringify(FIRST_BATCH)}'`;
  const question = QUESTIONS.find(([scope]) => scopes.includes(scope));
  return question === undefined ? null : ask(question[1]);
}
