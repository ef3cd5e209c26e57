/** What the search box says of messages to a number, whole or not: what became of each, and when. */

import { messageFind } from "../../../admin/reports/message-find.ts";
import { findWithPart, type PartView, partOf } from "../../../admin/reports/messages-with-part.ts";
import { errorPhrase } from "../../../domain/messages/message-error.ts";
import type { Asked } from "./asked.ts";

/** A message, and what became of it. */
export type MessageHit = {
  readonly kind: "sent";
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** When it came to that. */
  readonly at: string;
  /** Why it failed, in the reader's words. */
  readonly why: string | null;
};

/** The page of the number shows them all. */
const MOST = 3;
const MOST_OF_PART = 8;

/** The newest messages to a whole number. */
export async function messagesToNumber(asked: Asked, number: string): Promise<readonly MessageHit[]> {
  const { context, account } = asked;
  const found = await messageFind(context, {
    number,
    account,
    batch: null,
    status: null,
    error: null,
    operator: null,
    sender: null,
    messageClass: null,
    from: null,
    to: null,
    before: null,
    limit: MOST,
  });
  return found.ok ? found.value.messages.map((message) => hitOf(asked, message)) : [];
}

export type PartHits = {
  readonly messages: readonly MessageHit[];
  readonly looked: number | null;
  readonly is_all: boolean;
};

/** The newest messages to numbers that hold a part; `looked` is null of what is no part of a number, or may not be seen. */
export async function partHits(asked: Asked, typed: string): Promise<PartHits> {
  const { context, account } = asked;
  const part = asked.may("messages.read") ? partOf(context.config, typed) : null;
  const found = part && (await findWithPart(context, part, { account, limit: MOST_OF_PART }));
  if (!found?.ok) return { messages: [], looked: null, is_all: false };
  const { messages, looked, is_all } = found.value;
  return { messages: messages.map((message) => hitOf(asked, message)), looked, is_all };
}

function hitOf({ inTheirWords }: Asked, message: PartView["messages"][number]): MessageHit {
  const { message_id: id, msisdn: title, status, error, created_at, sent_at, finalized_at } = message;
  const why = error && status === "FAILED" ? inTheirWords(errorPhrase(error.code)) : null;
  return { kind: "sent", id, title, status, at: finalized_at ?? sent_at ?? created_at, why };
}
