import { connectionsTo } from "../connections.ts";
import { unwellTimes } from "../durable.ts";
import { wasHeardInTime } from "../evidence.ts";
import type { Commanded } from "../exchanges.ts";
import { carrierOf, type FinalState, finalStateOf } from "../final-states.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { type Group, joinsOf } from "../joins.ts";
import { list, member, number, text } from "../json.ts";
import { commandsNamed, once } from "../once.ts";
import { receiptMatchesOf } from "../receipt-matches.ts";
import { wallClockOf } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const missing = finder(
  "unanswered-listed",
  "`operator unanswered` lists every message that an operator may or may not have.",
);
const wrong = finder(
  "unanswered-listed",
  "What `operator unanswered` lists has a submit without an answer, and was sent again three times at most.",
);

const MAX_RESENDS = 3;
/** From the moment that an answer is overdue until that is written down and can be listed. */
const NOTED_MS = 5_000;

/** Whenever the list is asked for, it has what is in doubt at that moment, and nothing else. */
export function unansweredListed(history: History): readonly Finding[] {
  return commandsNamed(history, "operator unanswered").flatMap((command) => {
    const { outcome, endedAtMs, args } = command;
    if (!outcome?.ok || endedAtMs === null || args.operator !== undefined) return [];
    const rows = new Map(
      list(outcome.data, "messages").map((row) => [text(row, "message_id") ?? "", row] as const),
    );
    const isWhole = member(outcome.data, "has_more") !== true;
    return singles(history).flatMap(({ group, state }) => {
      const row = rows.get(state.messageId);
      if (row !== undefined)
        return wronglyListed(history, group, state, command, number(row, "resends") ?? 0);
      const doubt = isWhole ? surelyInDoubt(history, group, state, command.askedAtMs, endedAtMs) : null;
      if (doubt === null) return [];
      const what = `message ${state.messageId}, written at ${at(doubt.writtenAtMs)} on link ${doubt.link} and not answered, is not in the list of ${at(endedAtMs)} (command ${command.id})`;
      return [missing(endedAtMs, what, state.messageId, `command ${command.id}`)];
    });
  });
}

type Single = { readonly group: Group; readonly state: FinalState };

/** Messages whose text nobody else has, that were submitted, and whose ids are known. */
const singles = once((history): readonly Single[] =>
  joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1 || group.carried.length === 0) return [];
    const state = finalStateOf(history, only.message);
    return state ? [{ group, state }] : [];
  }),
);

function wronglyListed(
  history: History,
  { carried, messages }: Group,
  { messageId }: FinalState,
  { askedAtMs, endedAtMs, id }: Commanded,
  resends: number,
): readonly Finding[] {
  const tell = (what: string) => [
    wrong(endedAtMs ?? askedAtMs, `message ${messageId} is listed by command ${id} ${what}`, messageId),
  ];
  if (resends > MAX_RESENDS) return tell(`as sent again ${resends} times`);
  const submits = carried.map(({ submit }) => submit).filter(({ writtenAtMs }) => writtenAtMs < askedAtMs);
  // Until it goes on as an SMS it is a post that is in doubt.
  if (submits.length === 0 && messages.some(({ message }) => message.isSecond)) return [];
  const isCalm = history.lives.every(
    ({ startedAtMs, end }) => startedAtMs > askedAtMs || end === null || end === "stopped",
  );
  const areAnswered = submits.every((submit) => wasHeardInTime(history, submit, "any"));
  return isCalm && areAnswered ? tell("though every submit of it was answered in time") : [];
}

/** A submit that surely had no answer for so long that the message must be listed; null without one. */
function surelyInDoubt(
  history: History,
  group: Group,
  state: FinalState,
  fromMs: number,
  toMs: number,
): Submit | null {
  const submits = group.carried.map(({ submit }) => submit);
  const receipts = receiptMatchesOf(history);
  const isTold = submits.some(
    (submit) =>
      submit.answers.some(({ writtenAtMs }) => writtenAtMs <= toMs) ||
      receipts.get(submit)?.some(({ deliver }) => deliver.writtenAtMs <= toMs),
  );
  if (isTold || mayHaveEnded(history, group, state, toMs)) return null;
  const life = wiresOf(history).lifeAt(fromMs)?.life;
  return (
    submits.find((submit) => {
      const overdueAtMs = submit.writtenAtMs + patienceMs(history, submit) + NOTED_MS;
      const wasUnwell = unwellTimes(history).some(
        (unwell) => unwell.fromMs <= fromMs && unwell.toMs + NOTED_MS >= submit.writtenAtMs,
      );
      return overdueAtMs < fromMs && submit.life === life && !wasUnwell;
    }) ?? null
  );
}

function patienceMs(history: History, { centre }: Submit): number {
  return Math.max(...connectionsTo(history, centre).map(({ responseTimeoutMs }) => responseTimeoutMs));
}

/** Whether it may have come to its end by then without a word of its operator: its time was over, or it was called off. */
function mayHaveEnded(history: History, { messages }: Group, state: FinalState, toMs: number): boolean {
  const { status, view } = state;
  const [only] = messages;
  // Of a text that was in doubt beside a delivery by WhatsApp that delivery is the end.
  if (
    status !== "FAILED" &&
    status !== "CANCELLED" &&
    !(only && carrierOf(state, only.message) === "WHATSAPP")
  )
    return false;
  const clock = wallClockOf(history);
  const finalizedAt = text(view.json, "finalized_at");
  if (clock === null || clock.jumps || finalizedAt === null) return true;
  return Date.parse(finalizedAt) - clock.wallAtStartMs < toMs + NOTED_MS;
}
