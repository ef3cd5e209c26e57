/**
 * Parts that may have reached a handset more than once, and whether the appliance says so itself: each earlier submit must stand as
 * unanswered in the message's trace, which keeps what `operator unanswered` listed (docs/administration.md#list-of-commands).
 */
import type { Commanded } from "./exchanges.ts";
import { finalStateOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { carrying, type Group, joinsOf } from "./joins.ts";
import { type Json, list, text } from "./json.ts";
import { commandsNamed, once } from "./once.ts";
import { mayHaveArrived, type Submit } from "./wire-submits.ts";

/** A part of one text that more than one submit may have brought. */
export type Repeated = {
  readonly group: Group;
  /** Null where several messages have the same words, or nobody was told its id. */
  readonly messageId: string | null;
  readonly part: number;
  /** In the order they were written; one for each message of the group, and those beyond. */
  readonly arrived: readonly Submit[];
  /** How many of them repeat another. */
  readonly times: number;
  /** How many of those the appliance could only think unanswered; the others it was told were refused. */
  readonly doubted: number;
};

/** Every part that may have reached a handset more often than it was ordered. */
export const repeatedOf = once((history): readonly Repeated[] =>
  joinsOf(history).groups.flatMap((group) => {
    const parts = Array.from({ length: group.segments }, (_, index) => index + 1);
    return parts.flatMap((part) => repeatedIn(history, group, part));
  }),
);

function repeatedIn(history: History, group: Group, part: number): readonly Repeated[] {
  const arrived = carrying(group, part)
    .filter(mayHaveArrived)
    .sort((a, b) => a.writtenAtMs - b.writtenAtMs || a.pdu.order - b.pdu.order);
  const times = arrived.length - group.messages.length;
  if (times <= 0) return [];
  const [only] = group.messages;
  const state = only && group.messages.length === 1 ? finalStateOf(history, only.message) : null;
  const doubted = Math.min(times, arrived.slice(0, -1).filter((submit) => !wasRefusedFirst(submit)).length);
  return [{ group, messageId: state?.messageId ?? null, part, arrived, times, doubted }];
}

/** Whether the first that was heard of it is no acceptance: it may go again by right, whatever its operator did. */
export function wasRefusedFirst({ answers }: Submit): boolean {
  const [first] = answers.filter(({ heardAtMs }) => heardAtMs !== null);
  return first !== undefined && first.status !== 0;
}

/** The messages of which a trace must be asked for, so that it can be seen whether they are listed. */
export function repeatedMessages(history: History): readonly string[] {
  return [...new Set(repeatedOf(history).flatMap(({ messageId }) => messageId ?? []))];
}

/** The last trace of each message that was asked for after the world had come to rest. */
const tracesAtRest = once((history): ReadonlyMap<string, Commanded> => {
  const asked = commandsNamed(history, "message trace").filter(
    ({ askedAtMs, outcome }) => history.restAtMs !== null && askedAtMs >= history.restAtMs && outcome?.ok,
  );
  return new Map(asked.map((command) => [command.args.MESSAGE ?? "", command]));
});

/** How many submits of a part the appliance lists as unanswered, or as accepted by one route more; null where nobody asked. */
export function listedOf(history: History, { messageId, part }: Repeated): number | null {
  const trace = tracesAtRest(history).get(messageId ?? "");
  if (!trace?.outcome?.ok) return null;
  const ofPart = list(trace.outcome.data, "events").filter((event) => isOfPart(event, part));
  const unanswered = ofPart.filter((event) => text(event, "event", "code") === "message.event.no_answer");
  const accepting = new Set(ofPart.filter(isAcceptance).map((event) => text(event, "route")));
  const second = list(trace.outcome.data, "events").filter(isSecond);
  return unanswered.length + Math.max(0, accepting.size - 1, second.length);
}

/** It went once more, since nothing was heard of it. */
function isSecond(event: Json): boolean {
  return text(event, "detail", "code") === "message.detail.rerouted.silent";
}

function isOfPart(event: Json, part: number): boolean {
  const [first = 0, last = first] = (text(event, "part") ?? "").split("-").map(Number);
  return first <= part && part <= last;
}

function isAcceptance(event: Json): boolean {
  const isAnswer = text(event, "event", "code") === "message.event.submit_sm_resp";
  return isAnswer && text(event, "detail", "code") === "message.detail.taken";
}

export type RepeatFigures = {
  /** Submits that repeat one that may have arrived. */
  readonly repeats: number;
  /** Of these: the appliance lists the earlier one as unanswered. */
  readonly repeatsListed: number;
  /** It does not, though it should. */
  readonly repeatsUnlisted: number;
  /** The operator had refused the one that it sent on. */
  readonly repeatsRefused: number;
};

/** How often a text may have come again, and what the appliance says of it. Those of which nobody asked are in the first figure only. */
export const repeatFigures = once((history): RepeatFigures => {
  const figures = { repeats: 0, repeatsListed: 0, repeatsUnlisted: 0, repeatsRefused: 0 };
  for (const repeated of repeatedOf(history)) {
    const { times, doubted } = repeated;
    figures.repeats += times;
    figures.repeatsRefused += times - doubted;
    const listed = listedOf(history, repeated);
    if (listed === null) continue;
    figures.repeatsListed += Math.min(listed, doubted);
    figures.repeatsUnlisted += Math.max(0, doubted - listed);
  }
  return figures;
});
