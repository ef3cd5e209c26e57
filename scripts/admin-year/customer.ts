/** A company that sends by the appliance, and that keeps books of its own about what it should cost. */
import { type Api, apiOf, type Json, type Reply } from "../../test/e2e/api.ts";

export type MessageClass = "OTP" | "TRANSACTIONAL" | "MARKETING";

/** Something to be sent; each recipient gets a text of its own. */
export type Submission = {
  readonly key: string;
  readonly messageClass: MessageClass;
  /** What the texts begin with. */
  readonly words: string;
  readonly numbers: readonly string[];
  readonly scheduledAt?: Date;
};

export type Customer = {
  readonly name: string;
  readonly accountId: string;
  readonly api: Api;
  readonly post: (submission: Submission) => Promise<Reply>;
  /** Submits and notes the batch; it must be taken whole. */
  readonly send: (submission: Submission) => Promise<string>;
  /** Batches that were taken. */
  readonly batches: () => readonly string[];
  /** A batch that nobody should wait for any more. */
  readonly forget: (batchId: string) => void;
};

export const SENDER = "FASO";

export function customerOf(name: string, accountId: string, url: () => string, apiKey: string): Customer {
  const api = apiOf(url, apiKey, { rejectUnauthorized: false });
  const batches: string[] = [];
  const post = ({ key, messageClass, words, numbers, scheduledAt }: Submission) =>
    api.post(key, {
      sender: SENDER,
      body: `${words} {n}`,
      message_class: messageClass,
      recipients: numbers.map((msisdn, n) => ({ msisdn, attributes: { n } })),
      ...(scheduledAt && { scheduled_at: scheduledAt.toISOString() }),
    });
  return {
    name,
    accountId,
    api,
    post,
    send: async (submission) => {
      const { status, data, text } = await post(submission);
      if (status !== 202 || data.accepted !== submission.numbers.length)
        throw new Error(`${name} ${submission.key}: ${status} ${text}`);
      batches.push(String(data.batch_id));
      return String(data.batch_id);
    },
    batches: () => batches,
    forget: (batchId) => batches.splice(batches.indexOf(batchId), 1),
  };
}

/** So many numbers of an operator that nobody else has. */
export function numberBook(): (prefix: string, count: number) => readonly string[] {
  const next = new Map<string, number>();
  return (prefix, count) => {
    const from = next.get(prefix) ?? 0;
    next.set(prefix, from + count);
    return Array.from({ length: count }, (_, n) => `226${prefix}${String(from + n).padStart(6, "0")}`);
  };
}

/** The prefixes of the operators. */
export const ORANGE = "74";
export const MOOV = "70";

export type { Json };
