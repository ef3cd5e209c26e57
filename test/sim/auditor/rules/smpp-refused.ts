import { finder, type Rule } from "../finding.ts";
import { isAccepted, isRefused, type SmppPart } from "../smpp-clients.ts";
import { messagesOfText } from "../smpp-messages.ts";

const found = finder(
  "smpp-refused",
  "Refused for good, a submit leaves nothing of its text behind: no message, no price.",
);

/** A text of which a part was refused, and never accepted or left unanswered, is no message. */
export const smppRefused: Rule = (history) =>
  history.smpp.texts.flatMap((text) => {
    const messages = messagesOfText(history, text);
    if (messages.length === 0 || !text.parts.some(wasNeverTaken)) return [];
    const ids = messages.map(({ messageId }) => messageId);
    const what = `the text of ${text.user.systemId} to ${text.msisdn} was refused, and is message ${ids.join(", ")}`;
    return [found(history.endAtMs, what, text.msisdn, ...ids)];
  });

function wasNeverTaken({ submits }: SmppPart): boolean {
  return (
    submits.some(isRefused) &&
    submits.every((submit) => submit.answer !== null || submit.arrivedAtMs === null) &&
    !submits.some(isAccepted)
  );
}
