export type Json = Record<string, unknown>;

/** One answer of the API; `text` is its body as it came. */
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
  /** What stands under `data`; empty for an error. */
  readonly data: Json;
};

/** The public API as a client of one key calls it. */
export type Api = {
  readonly ask: (path: string, init?: RequestInit) => Promise<Reply>;
  readonly get: (path: string) => Promise<Reply>;
  /** POST /batches under an idempotency key. */
  readonly post: (key: string, batch: unknown) => Promise<Reply>;
  /** Fetches a batch until it is as wanted. */
  readonly batchUntil: (batchId: unknown, isWanted: (batch: Json) => boolean) => Promise<Json>;
  /** Fetches a batch until it has ended. */
  readonly ended: (batchId: unknown) => Promise<Json>;
};

const POLL_MS = 20;
const TERMINAL = ["SETTLED", "REJECTED", "FAILED", "CANCELLED"];

/** Asks again and again until the answer is as wanted. */
export async function poll<T>(ask: () => T | Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await Bun.sleep(POLL_MS);
  }
}

/** `url` is asked for at every request: a server that was started again has another port. `tls` is for https. */
export function apiOf(url: () => string, apiKey: string, tls: BunFetchRequestInit["tls"] = undefined): Api {
  const ask = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...init.headers };
    const answer = await fetch(`${url()}/public/v1${path}`, { ...init, headers, ...(tls && { tls }) });
    const text = await answer.text();
    const body = JSON.parse(text) as Json;
    return { status: answer.status, headers: answer.headers, text, body, data: (body.data ?? {}) as Json };
  };
  const get = (path: string) => ask(path);
  const batchUntil = async (batchId: unknown, isWanted: (batch: Json) => boolean) =>
    (
      await poll(
        () => get(`/batches/${String(batchId)}`),
        ({ data }) => isWanted(data),
      )
    ).data;
  return {
    ask,
    get,
    post: (key, batch) =>
      ask("/batches", {
        method: "POST",
        headers: { "idempotency-key": key, "content-type": "application/json" },
        body: JSON.stringify(batch),
      }),
    batchUntil,
    ended: (batchId) => batchUntil(batchId, ({ status }) => TERMINAL.includes(String(status))),
  };
}

/** Follows the feed from a moment until it has no more; every message as it came, page after page. */
export async function feedFrom(api: Api, since: string, query = ""): Promise<Json[]> {
  const seen: Json[] = [];
  let cursor = since;
  for (;;) {
    const { data } = await api.get(`/messages?status_changed_since=${cursor}&limit=500${query}`);
    seen.push(...(data.messages as Json[]));
    cursor = String(data.next_status_changed_since);
    if (data.has_more !== true) return seen;
  }
}
