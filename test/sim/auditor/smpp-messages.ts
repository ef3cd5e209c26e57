/** The messages that texts of SMPP clients became, as they were at rest. */
import type { ExpectedMessage } from "./expected.ts";
import { type FinalState, finalStateOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { text } from "./json.ts";
import { once } from "./once.ts";
import type { SmppText } from "./smpp-clients.ts";

export type TextMessage = Pick<FinalState, "messageId" | "status" | "isFinal" | "errorCode"> & {
  readonly message: ExpectedMessage;
  /** An operator accepted it. */
  readonly wasSent: boolean;
};

/** The messages of a text that its account was shown at rest. */
export function messagesOfText(history: History, { user, msisdn }: SmppText): readonly TextMessage[] {
  return messagesByText(history).get(`${user.systemId} ${msisdn}`) ?? [];
}

const messagesByText = once((history): ReadonlyMap<string, readonly TextMessage[]> => {
  const found = new Map<string, TextMessage[]>();
  for (const { submission, messages } of history.batches) {
    if (submission.apiKey !== "") continue;
    for (const message of messages) {
      const state = finalStateOf(history, message);
      if (!state) continue;
      const known = found.get(submission.idempotencyKey) ?? [];
      known.push({ ...state, message, wasSent: text(state.view.json, "sent_at") !== null });
      found.set(submission.idempotencyKey, known);
    }
  }
  return found;
});
