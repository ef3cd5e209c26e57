/** query_sm and cancel_sm: what became of a message that a user submitted itself, and calling it off (SMPP 3.4 sections 4.8 and 4.9). */
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import type { SmppUser } from "../../domain/accounts/smpp-users.ts";
import { readChange } from "../../domain/messages/batch-messages.ts";
import { cancelQueuedMessage } from "../../domain/messages/cancellation.ts";
import { type OperationCommand, type OperationResponse, refuseOperation } from "../../smpp/smsc-session.ts";
import { STATUS } from "../../smpp/status.ts";
import { writeAbsoluteTime } from "../../smpp/times.ts";
import type { MessageOperation } from "../../smpp/wire-format.ts";
import { findFollow, MESSAGE_STATES, type MessageState, toErrorDigits, toMessageState } from "./follows.ts";
import { endParts, findPart } from "./parts.ts";
import { REFUSALS } from "./refusals.ts";

type OperationDeps = {
  readonly store: Store;
  readonly clock: Clock;
  /** Called after the commit that called a message of an account off. */
  readonly onCancelled: (accountId: number) => void;
  /** Called after the commit that wrote receipts. */
  readonly wake: () => void;
};

/** Answers an operation of a user. An id of somebody else, of the same account too, is as one that never was. */
export async function operate(
  deps: OperationDeps,
  user: SmppUser,
  command: OperationCommand,
  sequence: number,
  { messageId: replyId }: MessageOperation,
): Promise<OperationResponse> {
  if (command === "query_sm") return query(deps, user, sequence, replyId);
  const isDone = replyId !== "" && (await cancel(deps, user, replyId));
  return isDone
    ? { command: "cancel_sm_resp", sequence, status: STATUS.ROK }
    : refuseOperation(command, sequence, REFUSALS.NOT_CANCELLABLE);
}

function query(
  { store }: OperationDeps,
  user: SmppUser,
  sequence: number,
  replyId: string,
): OperationResponse {
  const answer = (state: MessageState, atMs: number | null, error: string): OperationResponse => ({
    command: "query_sm_resp",
    sequence,
    status: STATUS.ROK,
    messageId: replyId,
    finalDate: atMs === null ? "" : writeAbsoluteTime(atMs),
    messageState: MESSAGE_STATES[state],
    // One octet (SMPP 3.4 section 4.8.2).
    errorCode: Number(error) > 255 ? 0 : Number(error),
  });
  const follow = findFollow(store.read, user.id, replyId);
  const change = follow && readChange(store.read, follow.messageId);
  if (change) {
    const state = toMessageState(change);
    if (state === "ENROUTE") return answer(state, null, "000");
    return answer(state, Math.floor(change.stampUs / 1000), toErrorDigits(change.operatorCode));
  }
  const part = findPart(store.read, user.id, replyId);
  if (part !== null && part.state !== "COMPLETE")
    return answer(part.state ?? "ENROUTE", part.state === null ? null : part.endedAtMs, "000");
  return refuseOperation("query_sm", sequence, REFUSALS.MESSAGE_NOT_FOUND);
}

/** Calls the whole text of an id off, where it waits; whether it did. */
async function cancel(deps: OperationDeps, user: SmppUser, replyId: string): Promise<boolean> {
  const { store, clock } = deps;
  return store.write((tx) => {
    const nowMs = clock.nowMs();
    const follow = findFollow(tx, user.id, replyId);
    if (follow !== null) {
      const isDone = cancelQueuedMessage(tx, follow.messageId, `cancel_sm of ${user.systemId}`, nowMs);
      if (isDone) tx.afterCommit(() => deps.onCancelled(user.accountId));
      return isDone;
    }
    const part = findPart(tx, user.id, replyId);
    if (part === null || part.state !== null) return false;
    endParts(tx, part, "DELETED", nowMs);
    tx.afterCommit(deps.wake);
    return true;
  });
}
