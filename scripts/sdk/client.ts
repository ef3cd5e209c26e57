import { type BendreError, noAnswerError, refusalError } from "./errors.ts";
import { type Repeatable, retryAfterOf, waitBefore } from "./retry.ts";
import type {
  Balance,
  Batch,
  BatchAccepted,
  BatchPage,
  BatchSubmission,
  FeedPage,
  Message,
  Quote,
  SenderIdentity,
  Template,
  Webhook,
  WebhookCreated,
  WebhookRequest,
  WebhookRotated,
  WebhookTested,
} from "./types.gen.ts";

export type BendreOptions = {
  /** Where the service is, without `/public/v1`: `https://sms.example.bf`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a call is made at most, the first time included. Default 6. */
  readonly tries?: number;
  /** How long one try may take, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
  /** In place of the runtime's own, for proxies and tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly sleep?: (ms: number) => Promise<void>;
  /** 0 to 1, as Math.random. */
  readonly random?: () => number;
};

/** Where the feed begins: a cursor or ISO time, and what it is limited to. */
export type Since = {
  readonly since: string;
  readonly batchId?: string;
  /** Only what you called so: the recipient, its batch. */
  readonly clientReference?: string;
  readonly batchClientReference?: string;
  /** Messages of a page, 500 at most. */
  readonly limit?: number;
};

/** Which batches: in one of these states, accepted from a moment on (ISO 8601), and before another. */
export type BatchFilters = {
  readonly status?: readonly string[];
  readonly createdFrom?: string;
  readonly createdTo?: string;
  /** Only those that you called so. */
  readonly clientReference?: string;
  /** Batches of a page, 500 at most. */
  readonly limit?: number;
};

/**
 * A message that changed, and where to begin once it is worked on: before its page, whose messages then come again, or behind the
 * page with its last message.
 */
export type Change = { readonly message: Message; readonly cursor: string };

/** The calls of one API key. Each ends with a `BendreError` when it is refused, or has no answer after its last try. */
export type Bendre = ReturnType<typeof bendre>;

/** The client of one API key. Calls are repeated where that can neither send nor pay twice. */
export function bendre(options: BendreOptions) {
  const call = caller(options);
  const read = <Data>(path: string) => call<Data>("GET", path, "always");
  const act = <Data>(path: string, body?: object) => call<Data>("POST", path, "refused", body);
  return {
    /**
     * Submits a batch. The key names this submission: the same key with the same batch is answered as before, and nothing is
     * sent twice. Take it from your own data.
     */
    submitBatch: (batch: BatchSubmission, idempotencyKey: string) =>
      call<BatchAccepted>("POST", "/batches", "always", batch, { "idempotency-key": idempotencyKey }),
    /** What a submission would come to at this moment. Nothing is sent, reserved or used up. */
    quoteBatch: (batch: BatchSubmission) => call<Quote>("POST", "/batches/quote", "always", batch),
    getBatch: (batchId: string) => read<Batch>(`/batches/${encodeURIComponent(batchId)}`),
    /** Every batch that fits, newest first. */
    batches: (filters: BatchFilters = {}) =>
      batchesOf((query) => read<BatchPage>(`/batches?${query}`), filters),
    /** Calls a batch off: what waits is cancelled and refunded. Again it moves nothing. */
    cancelBatch: (batchId: string, reason?: string) =>
      call<Batch>(
        "POST",
        `/batches/${encodeURIComponent(batchId)}/cancel`,
        "always",
        reason === undefined ? {} : { reason },
      ),
    getMessage: (messageId: string) => read<Message>(`/messages/${encodeURIComponent(messageId)}`),
    /** One page of the feed. */
    getChanges: (since: Since) => read<FeedPage>(`/messages?${feedQuery(since)}`),
    /** Every change since a moment, oldest first, until there are no more. */
    changes: (since: Since) => changesOf((next) => read<FeedPage>(`/messages?${feedQuery(next)}`), since),
    getBalance: () => read<Balance>("/account/balance"),
    listSenderIds: async () =>
      (await read<{ readonly sender_ids: SenderIdentity[] }>("/sender-ids")).sender_ids,
    /** The templates of WhatsApp that batches may be sent with; none where there is no such number. */
    listTemplates: async () => (await read<{ readonly templates: Template[] }>("/templates")).templates,
    listWebhooks: async () => (await read<{ readonly webhooks: Webhook[] }>("/webhooks")).webhooks,
    /** Registers an endpoint. Its secret stands in this answer alone. */
    createWebhook: (endpoint: WebhookRequest) => act<WebhookCreated>("/webhooks", endpoint),
    rotateWebhookSecret: (webhookId: string) =>
      act<WebhookRotated>(`/webhooks/${encodeURIComponent(webhookId)}/rotate`),
    /** Sends a test event to an endpoint, and says what it answered. */
    testWebhook: (webhookId: string) => act<WebhookTested>(`/webhooks/${encodeURIComponent(webhookId)}/test`),
    enableWebhook: (webhookId: string) =>
      call<Webhook>("POST", `/webhooks/${encodeURIComponent(webhookId)}/enable`, "always"),
    disableWebhook: (webhookId: string) =>
      call<Webhook>("POST", `/webhooks/${encodeURIComponent(webhookId)}/disable`, "always"),
  };
}

function feedQuery({ since, batchId, clientReference, batchClientReference, limit = 500 }: Since): string {
  const query = new URLSearchParams({ status_changed_since: since, limit: String(limit) });
  if (batchId !== undefined) query.set("batch_id", batchId);
  if (clientReference !== undefined) query.set("client_reference", clientReference);
  if (batchClientReference !== undefined) query.set("batch_client_reference", batchClientReference);
  return query.toString();
}

async function* batchesOf(
  page: (query: URLSearchParams) => Promise<BatchPage>,
  { status, createdFrom, createdTo, clientReference, limit = 500 }: BatchFilters,
): AsyncGenerator<BatchPage["batches"][number], void, undefined> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (status !== undefined) query.set("status", status.join());
  if (createdFrom !== undefined) query.set("created_from", createdFrom);
  if (createdTo !== undefined) query.set("created_to", createdTo);
  if (clientReference !== undefined) query.set("client_reference", clientReference);
  for (;;) {
    const { batches, next_cursor: cursor } = await page(query);
    yield* batches;
    if (cursor === null) return;
    query.set("cursor", cursor);
  }
}

async function* changesOf(
  page: (since: Since) => Promise<FeedPage>,
  since: Since,
): AsyncGenerator<Change, void, undefined> {
  let from = since.since;
  for (;;) {
    const {
      messages,
      next_status_changed_since: cursor,
      has_more: hasMore,
    } = await page({ ...since, since: from });
    for (const [place, message] of messages.entries()) {
      yield { message, cursor: place === messages.length - 1 ? cursor : from };
    }
    if (!hasMore) return;
    from = cursor;
  }
}

type Call = <Data>(
  method: "GET" | "POST",
  path: string,
  repeatable: Repeatable,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Data>;

type Tried<Data> =
  | { readonly data: Data }
  | { readonly error: BendreError; readonly retryAfterMs: number | null };

function caller(options: BendreOptions): Call {
  const { apiKey, tries = 6, timeoutMs = 60_000, random = Math.random } = options;
  const base = `${options.baseUrl.replace(/\/+$/, "")}/public/v1`;
  const ask = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const sleep = options.sleep ?? ((ms: number) => new Promise<void>((done) => void setTimeout(done, ms)));

  async function once<Data>(url: string, init: RequestInit): Promise<Tried<Data>> {
    try {
      const answer = await ask(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      const text = await answer.text();
      const body = jsonOf(text);
      if (answer.ok && typeof body === "object" && body !== null && "data" in body) {
        return { data: body.data as Data };
      }
      const retryAfterMs = retryAfterOf(answer.headers.get("retry-after"));
      return { error: refusalError(answer.status, body), retryAfterMs };
    } catch (error) {
      return { error: noAnswerError(error), retryAfterMs: null };
    }
  }

  return async (method, path, repeatable, body, headers = {}) => {
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    for (let attempt = 0; ; attempt++) {
      const tried = await once<never>(base + path, init);
      if ("data" in tried) return tried.data;
      const wait = waitBefore(tried.error, repeatable, attempt, tried.retryAfterMs, random());
      if (wait === null || attempt + 1 >= tries) throw tried.error;
      await sleep(wait);
    }
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
