import type { Xof } from "../core/money.ts";
import type { SampleBatch } from "./scenario.ts";
import type { DemoStage } from "./setup.ts";

/** What the demonstration reads of the public API, which it speaks as any client does. */
export type DemoMessage = {
  readonly message_id: string;
  readonly index: number;
  readonly msisdn: string;
  readonly operator: string;
  readonly status: string;
  readonly is_final: boolean;
  readonly encoding: string;
  readonly segments: number;
  readonly amount: Xof;
  readonly error: { readonly code: string } | null;
};

export type DemoSubmission = {
  readonly batch_id: string;
  readonly status: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly reserved_amount: Xof;
  readonly total_segments: number;
};

export type DemoBatch = { readonly batch_id: string; readonly status: string };

type DemoFeedPage = {
  readonly messages: readonly DemoMessage[];
  readonly next_status_changed_since: string;
  readonly has_more: boolean;
};

export type DemoBalance = { readonly balance: Xof; readonly reserved: Xof; readonly spendable: Xof };

export type Api = {
  /** Submits a sample as TRANSACTIONAL. */
  readonly submit: (sample: SampleBatch, idempotencyKey: string) => Promise<DemoSubmission>;
  readonly batch: (batchId: string) => Promise<DemoBatch>;
  /** Messages whose status changed since, of one batch unless it is null. */
  readonly feed: (since: string, batchId: string | null) => Promise<DemoFeedPage>;
  readonly balance: () => Promise<DemoBalance>;
};

export const API_PATH = "/public/v1";

/** A client of the public API on a stage. Every method throws when the answer is not a success. */
export function api({ url, apiKey, sender }: Pick<DemoStage, "url" | "apiKey" | "sender">): Api {
  const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...init.headers };
    const response = await fetch(`${url}${API_PATH}${path}`, { ...init, headers });
    if (!response.ok)
      throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    const { data }: { data: T } = JSON.parse(await response.text());
    return data;
  };
  return {
    submit: (sample, idempotencyKey) =>
      call("/batches", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
        body: JSON.stringify({ ...sample, sender, message_class: "TRANSACTIONAL" }),
      }),
    batch: (batchId) => call(`/batches/${batchId}`),
    feed: (since, batchId) => {
      const query = new URLSearchParams({ status_changed_since: since, limit: "500" });
      if (batchId !== null) query.set("batch_id", batchId);
      return call(`/messages?${query}`);
    },
    balance: () => call("/account/balance"),
  };
}
