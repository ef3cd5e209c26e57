/**
 * A client program as a customer writes it. The package `./client` does not stand here: the test generates it from the
 * served document, lays this file beside it, checks the types of both and runs it.
 */
import {
  type Batch,
  type BatchAccepted,
  type BatchSubmission,
  getBalance,
  getBatch,
  getMessage,
  listMessageChanges,
  listSenderIds,
  type Message,
  type Problem,
  submitBatch,
} from "./client";
import { createClient, createConfig } from "./client/client";

type Done = {
  readonly spendable: readonly [before: number, after: number];
  readonly accepted: BatchAccepted;
  readonly replayed: { readonly batchId: string; readonly mark: string | null };
  readonly batch: Batch;
  readonly feed: readonly Message[];
  readonly single: Message;
  readonly advice: readonly string[];
};

/** Reads the balance and the senders, sends a batch, follows the feed to its end, and handles three errors. */
export async function mainJob(baseUrl: string, apiKey: string): Promise<Done> {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }));
  const always = { client, throwOnError: true } as const;
  const spendable = async () => (await getBalance(always)).data.data.spendable;
  const before = await spendable();

  const { data: senders } = await listSenderIds(always);
  const sendable = senders.data.sender_ids.find(({ is_sendable }) => is_sendable);
  if (!sendable) throw new Error("no sender can be used");
  const body: BatchSubmission = {
    sender: sendable.sender,
    body: "Bonjour {prenom}, il reste {solde} FCFA.",
    message_class: "TRANSACTIONAL",
    recipients: [
      { msisdn: "76000001", attributes: { prenom: "Awa", solde: 1500, actif: true, note: null } },
      { msisdn: "+226 70 12 34 56", attributes: { prenom: "Issa", solde: 0.5 } },
      { msisdn: "12" },
    ],
  };
  const headers = { "Idempotency-Key": "journey" };
  const { data: answer } = await submitBatch({ ...always, headers, body });
  const again = await submitBatch({ ...always, headers, body });

  const feed = await follow(client, answer.data.batch_id);
  const batch = await settled(client, answer.data.batch_id);
  const [first] = feed;
  if (!first) throw new Error("the feed has nothing of the batch");
  const { data: single } = await getMessage({ ...always, path: { message_id: first.message_id } });

  const refused = [
    await submitBatch({ client, headers, body: { ...body, body: "autre" } }),
    await submitBatch({ client, headers: { "Idempotency-Key": "2" }, body: { ...body, sender: "NOBODY" } }),
    await submitBatch({ client, headers: { "Idempotency-Key": "3" }, body: { ...body, recipients: [] } }),
    await getBatch({ client, path: { batch_id: "01KJQX5Y8M3T7V9B2C4D6F8G0H" } }),
    await listMessageChanges({ client, query: { status_changed_since: "yesterday", limit: 501 } }),
  ];
  return {
    spendable: [before, await spendable()],
    accepted: answer.data,
    replayed: {
      batchId: again.data.data.batch_id,
      mark: again.response.headers.get("Idempotency-Replayed"),
    },
    batch,
    feed,
    single: single.data,
    advice: refused.map(({ error }) => (error ? adviceOn(error) : "no error")),
  };
}

/** Polls until every message of the batch is final; each at its latest change. */
async function follow(client: ReturnType<typeof createClient>, batchId: string): Promise<Message[]> {
  const latest = new Map<string, Message>();
  let cursor = "2026-01-01T00:00:00Z";
  for (;;) {
    const query = { status_changed_since: cursor, batch_id: batchId, limit: 2 };
    const { data: page } = await listMessageChanges({ client, throwOnError: true, query });
    for (const message of page.data.messages) latest.set(message.message_id, message);
    cursor = page.data.next_status_changed_since;
    const messages = [...latest.values()];
    if (!page.data.has_more && messages.every(({ is_final }) => is_final)) return messages;
  }
}

/** Fetches the batch until its money is squared. */
async function settled(client: ReturnType<typeof createClient>, batchId: string): Promise<Batch> {
  for (;;) {
    const { data } = await getBatch({ client, throwOnError: true, path: { batch_id: batchId } });
    if (data.data.status === "SETTLED") return data.data;
  }
}

/** What a program makes of an error: by its code, which the types know, with a default for those to come. */
function adviceOn({ code, status, errors }: Problem): string {
  switch (code) {
    case "IDEMPOTENCY_KEY_REUSED":
      return `${status}: take a new key`;
    case "SENDER_NOT_APPROVED":
      return `${status}: choose another sender`;
    case "BATCH_EMPTY":
      return `${status}: nothing to send`;
    case "NOT_FOUND":
      return `${status}: forget it`;
    case "VALIDATION_FAILED":
      return `${status}: mend ${errors?.map(({ path }) => path).join(" ")}`;
    default:
      return `${status}: ask`;
  }
}
