import { deathThatUndid } from "../durable.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number } from "../json.ts";
import { commandsNamed } from "../once.ts";
import { isAccepted, isRefused, type SmppPart, type SmppReceipt, type SmppText } from "../smpp-clients.ts";
import { messagesOfText, type TextMessage } from "../smpp-messages.ts";

const owed = finder(
  "smpp-receipts",
  "Each accepted part that asked for one gets a final receipt which its client answers with ROK, or a row of it waits.",
);
const unasked = finder(
  "smpp-unasked",
  "A receipt is for a part that was accepted and asked: 0 none, 1 all, 2 failures and UNKNOWN, 3 successes; the refused gets none.",
);
const wrong = finder("smpp-state", "One receipt for each part that asked, as the message is.");
const twice = finder("smpp-twice", "A receipt comes twice only where its answer did not arrive.");

/** Receipts of each text against its parts and what became of it. */
export const smppReceipts: Rule = (history) => {
  if (history.restAtMs === null) return [];
  const { texts, receipts } = history.smpp;
  const byText = Map.groupBy(receipts, ({ user, msisdn }) => `${user.systemId} ${msisdn}`);
  return texts.flatMap((text) => {
    const own = byText.get(`${text.user.systemId} ${text.msisdn}`) ?? [];
    const messages = messagesOfText(history, text);
    return [
      ...text.parts.flatMap((part) => missing(history, text, part, own, messages)),
      ...own.flatMap((receipt) => surplus(text, receipt, messages)),
      ...repeated(history, own),
    ];
  });
};

const FAILURES: Readonly<Record<string, string>> = {
  REJECTED_AT_OPERATOR: "REJECTD",
  OPERATOR_REJECTED: "REJECTD",
  SENDER_NOT_REGISTERED: "REJECTD",
  NO_ROUTE: "REJECTD",
  // Nobody ever heard what became of it.
  SUBMIT_OUTCOME_UNKNOWN: "UNKNOWN",
};

/** How receipts tell of a message; null while it is not final. */
function statOf({ status, isFinal, errorCode }: TextMessage): string | null {
  if (!isFinal) return null;
  if (status === "DELIVERED") return "DELIVRD";
  if (status === "SENT") return "UNKNOWN";
  if (status === "CANCELLED") return errorCode === "SUPPRESSED" ? "REJECTD" : "DELETED";
  if (errorCode?.startsWith("EXPIRED_")) return "EXPIRED";
  return FAILURES[errorCode ?? ""] ?? "UNDELIV";
}

/** All that may be told of it: of one that went on, its operator may have told the end after it was over without a receipt. */
function statsOf(message: TextMessage): readonly string[] {
  const stat = statOf(message);
  if (stat === null) return [];
  return message.wasSent && stat !== "UNKNOWN" ? [stat, "UNKNOWN"] : [stat];
}

function isWanted(registered: number, stat: string): boolean {
  switch (registered & 0x03) {
    case 1:
      return true;
    case 2:
      return stat !== "DELIVRD";
    case 3:
      return stat === "DELIVRD";
    default:
      return false;
  }
}

/** A part whose acceptance left, and of which its client was never told the end. */
function missing(
  history: History,
  text: SmppText,
  part: SmppPart,
  receipts: readonly SmppReceipt[],
  messages: readonly TextMessage[],
): readonly Finding[] {
  const accepted = part.submits.find(isAccepted);
  const [message] = messages;
  if (!accepted?.answer || !message || messages.length > 1) return [];
  const stat = statOf(message);
  if (stat === null || !isWanted(part.registered, stat)) return [];
  const { id } = accepted.answer;
  const isTold = receipts.some((receipt) => receipt.id === id && receipt.answer?.status === 0);
  if (isTold || waitingOf(history, text.user.systemId) > 0) return [];
  const what = `part ${part.number} of the text of ${text.user.systemId} to ${text.msisdn} was accepted as ${id} at ${at(accepted.answer.leftAtMs)} and asked for receipts (${part.registered}); it is ${stat}, and no receipt of it was answered, and none waits`;
  return [owed(history.endAtMs, what, text.msisdn, message.messageId)];
}

/** How many receipts waited at rest, as administrators were shown. */
function waitingOf(history: History, systemId: string): number {
  const shown = commandsNamed(history, "smpp show").findLast(
    ({ args, outcome }) => args.ID === systemId && outcome?.ok === true,
  );
  return number(shown?.outcome?.ok ? shown.outcome.data : null, "receipts_waiting") ?? 0;
}

/** What ends parts that never became a message. */
const WITHOUT_MESSAGE: readonly string[] = ["EXPIRED", "REJECTD"];

function surplus(text: SmppText, receipt: SmppReceipt, messages: readonly TextMessage[]): readonly Finding[] {
  const { id, stat, leftAtMs } = receipt;
  const name = `a receipt of ${id} (${stat}) to ${text.user.systemId} about ${text.msisdn} left at ${at(leftAtMs)}`;
  const tell = (rule: typeof wrong, why: string) => [rule(leftAtMs, `${name}; ${why}`, text.msisdn, id)];
  const named = text.parts.find(({ submits }) => submits.some(({ answer }) => answer?.id === id));
  // An answer that never left gave its id all the same.
  const possible = named
    ? [named]
    : text.parts.filter(({ submits }) => submits.some(({ answer }) => !answer));
  if (possible.length === 0) return tell(unasked, "no part has this id");
  if (possible.every(({ submits }) => submits.every(isRefused))) return tell(unasked, "it was refused");
  if (!possible.some(({ registered }) => isWanted(registered, stat)))
    return tell(unasked, `asked was ${possible.map(({ registered }) => registered).join(", ")}`);
  const allowed = messages.flatMap(statsOf);
  if (allowed.includes(stat)) return [];
  if (text.total > 1 && WITHOUT_MESSAGE.includes(stat)) return [];
  // Of a message that nobody was shown nothing can be said.
  return messages.length === 0 ? [] : tell(wrong, `its message ended as ${allowed.join(" or ")}`);
}

/** A second receipt of an id that left after the first one's ROK had arrived and was kept. */
function repeated(history: History, receipts: readonly SmppReceipt[]): readonly Finding[] {
  return receipts.flatMap((later) => {
    const earlier = receipts.find(({ id, stat, answer }) => {
      const arrivedAtMs = answer?.status === 0 ? answer.arrivedAtMs : null;
      const isSame = id === later.id && stat === later.stat;
      return (
        isSame &&
        arrivedAtMs !== null &&
        arrivedAtMs < later.leftAtMs &&
        deathThatUndid(history, arrivedAtMs) === null
      );
    });
    if (!earlier || earlier === later) return [];
    const what = `the receipt of ${later.id} (${later.stat}) left again at ${at(later.leftAtMs)}; its ROK had arrived at ${at(earlier.answer?.arrivedAtMs ?? 0)}`;
    return [twice(later.leftAtMs, what, later.msisdn, later.id)];
  });
}
