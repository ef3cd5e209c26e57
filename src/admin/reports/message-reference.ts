/** Messages by what their clients called them, of one account or of all. */

import { createYielder } from "../../core/slices.ts";
import { accountById, listAccountNames } from "../../domain/accounts/accounts.ts";
import { fewByReference } from "../../domain/messages/by-reference.ts";
import { type MessageObject, messageObject } from "../../domain/messages/view.ts";
import type { AdminContext } from "../operations/context.ts";
import { findAccount } from "../operations/find-account.ts";
import { operation } from "../operations/operation.ts";
import { limit, OF_ACCOUNT, text, word } from "../operations/parameters.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { checkLimit } from "../operations/typed-values.ts";

export type ByReferenceView = {
  readonly messages: readonly ({ readonly account_id: string; readonly account: string } & MessageObject)[];
  /** More have this name than are shown: it names no single message. */
  readonly is_more: boolean;
};

const MAX_REFERENCED = 500;

/** The newest messages that a client gave this name, of its recipients or of a batch; an index of each account is asked, in slices. */
export async function messagesByReference(
  { store: { read }, clock }: AdminContext,
  reference: string,
  account: string | null,
  limit: number,
): Promise<AdminOutcome<ByReferenceView>> {
  const checked = checkLimit(limit, MAX_REFERENCED);
  if (!checked.ok) return checked;
  const found = account === null ? done(null) : findAccount(read, account);
  if (!found.ok) return found;
  const ids = found.value ? [found.value.id] : listAccountNames(read).map(({ id }) => id);
  const pause = createYielder(clock);
  const messages: ByReferenceView["messages"][number][] = [];
  let isMore = false;
  for (const id of ids) {
    const whose = accountById(read, id);
    for (const query of [{ clientReference: reference }, { batchReference: reference }]) {
      const rows = fewByReference(read, id, query);
      isMore ||= rows === null;
      for (const row of rows ?? []) {
        messages.push({ account_id: whose?.ulid ?? "", account: whose?.name ?? "", ...messageObject(row) });
      }
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  const seen = new Map(messages.map((message) => [message.message_id, message]));
  const newest = [...seen.values()].sort((a, b) => (a.created_at > b.created_at ? -1 : 1));
  return done({ messages: newest.slice(0, limit), is_more: isMore || newest.length > limit });
}

export const MESSAGE_REFERENCE_OPERATIONS = {
  "message named": operation({
    does: "reads",
    params: { reference: word("REFERENCE", text("REFERENCE", 100)), account: OF_ACCOUNT, limit: limit(100) },
    run: (context, { reference, account, limit: most }) =>
      messagesByReference(context, reference, account, most),
  }),
};
