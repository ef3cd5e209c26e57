import { cancelsByBatch } from "../cancels.ts";
import { connectionsTo } from "../connections.ts";
import type { Commanded } from "../exchanges.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { type Joined, joinsOf } from "../joins.ts";
import { member, number } from "../json.ts";
import { commandsNamed } from "../once.ts";
import { wallClockOf } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const stranger = finder(
  "only-ordered",
  "What leaves is the text of an accepted recipient, whole and unchanged.",
);
const calledOff = finder(
  "called-off",
  "From the commit that cancels a batch or suspends its account on, none of its messages is claimed.",
);
const early = finder(
  "on-time",
  "A scheduled batch leaves at its time and not before; a message leaves within its validity.",
);

/** What was claimed before may still be on its way: it waits for its turn on a link. */
const CLAIMED_MS = 10_000;
const SLACK_MS = 2_000;

/** Every submit_sm that a centre saw was ordered, and nothing had called it off. */
export function onlyOrdered(history: History): readonly Finding[] {
  const { groups, strangers } = joinsOf(history);
  const unknown = strangers.map(({ submit, shows }) => {
    const { place, characters, fault } = shows;
    const what = `link ${submit.link} to ${submit.centre} carried ${JSON.stringify(characters)} (part ${place.number} of ${place.total}) from ${submit.text.source} to ${submit.text.destination}: ${fault ?? "nobody ordered that"}`;
    return stranger(submit.writtenAtMs, what);
  });
  const ordered = groups.flatMap(({ messages, carried }) => {
    const [only] = messages;
    if (!only || messages.length > 1) return [];
    return carried.flatMap(({ submit }) => [
      ...offOf(history, only, submit),
      ...earlyOf(history, only, submit),
    ]);
  });
  return [...unknown, ...ordered];
}

function offOf(history: History, { message, batch }: Joined, submit: Submit): readonly Finding[] {
  const who = `${message.msisdn} of batch ${message.batchId} left at ${at(submit.writtenAtMs)}`;
  // What was claimed before leaves part by part, as window and pace allow.
  const mayWaitMs = CLAIMED_MS * message.segments;
  const isAfter = (doneAtMs: number): boolean => {
    const waitedMs = submit.writtenAtMs - doneAtMs;
    return (
      waitedMs > mayWaitMs && waitedMs - fullForMs(history, submit, doneAtMs, submit.writtenAtMs) > mayWaitMs
    );
  };
  const cancelled = (cancelsByBatch(history).get(message.batchId ?? "") ?? []).find(({ doneAtMs }) =>
    isAfter(doneAtMs),
  );
  if (cancelled)
    return [
      calledOff(
        submit.writtenAtMs,
        `${who}; its batch was cancelled at ${at(cancelled.doneAtMs)}`,
        message.batchId ?? "",
      ),
    ];
  const { name, accountId } = batch.account;
  const about = commandsNamed(history, "account suspend", "account resume").filter((command) =>
    isFor(command, name, accountId),
  );
  const before = about.filter(({ askedAtMs }) => askedAtMs < submit.writtenAtMs);
  const last = before.at(-1);
  if (last?.name !== "account suspend" || last.outcome?.ok !== true || !isAfter(last.endedAtMs ?? Infinity))
    return [];
  // Of two that were under way together nobody outside knows which was carried out last.
  const { askedAtMs } = last;
  const isUndone = ({ name, endedAtMs }: Commanded): boolean =>
    name === "account resume" && (endedAtMs ?? Infinity) >= askedAtMs;
  if (before.some(isUndone)) return [];
  return [
    calledOff(
      submit.writtenAtMs,
      `${who}; its account ${name} is suspended since ${at(last.endedAtMs ?? 0)}`,
      message.batchId ?? "",
    ),
  ];
}

function isFor({ args }: Commanded, name: string, accountId: string): boolean {
  return args.ACCOUNT === name || args.ACCOUNT === accountId;
}

/** A post without an answer is given up no later than so long after its validity. */
const MAX_DOUBT_MS = 600_000;

const VALIDITY_MINUTES: Readonly<Record<string, number>> = { OTP: 10, TRANSACTIONAL: 1440, MARKETING: 2880 };

export function earlyOf(
  history: History,
  { message, batch }: Pick<Joined, "message" | "batch">,
  submit: Pick<Submit, "writtenAtMs">,
): readonly Finding[] {
  const who = `${message.msisdn} of batch ${message.batchId} left at ${at(submit.writtenAtMs)}`;
  const about = message.batchId ?? "";
  if (submit.writtenAtMs < batch.acceptedFromMs)
    return [early(submit.writtenAtMs, `${who}, before it was ordered at ${at(batch.acceptedFromMs)}`, about)];
  const clock = wallClockOf(history);
  if (clock === null || clock.jumps) return [];
  const scheduledMs = message.scheduledAt === null ? null : instantOf(message.scheduledAt);
  const dueAtMs = scheduledMs === null ? null : scheduledMs - clock.wallAtStartMs;
  if (dueAtMs !== null && submit.writtenAtMs + SLACK_MS < dueAtMs)
    return [early(submit.writtenAtMs, `${who}, and was ordered for ${message.scheduledAt}`, about)];
  // Hours in which marketing may not leave do not count, so its end can't be told so simply.
  if (message.messageClass === "MARKETING" || (message.scheduledAt !== null && dueAtMs === null)) return [];
  const minutes = Math.max(
    ...history.settings.map(
      ({ document }) =>
        number(member(document, "delivery", "validity_minutes"), message.messageClass) ??
        VALIDITY_MINUTES[message.messageClass] ??
        Infinity,
    ),
  );
  // What goes on has the whole validity again, from when the first way was given up.
  const againMs = message.isSecond ? MAX_DOUBT_MS + minutes * 60_000 : 0;
  const endsAtMs = Math.max(batch.acceptedToMs, dueAtMs ?? 0) + minutes * 60_000 + againMs;
  // What was claimed in time leaves part by part, as window and pace allow.
  if (submit.writtenAtMs <= endsAtMs + CLAIMED_MS * message.segments) return [];
  return [early(submit.writtenAtMs, `${who}, but was worth sending until ${at(endsAtMs)} only`, about)];
}

/** Null for a time without an offset, which is local somewhere. */
function instantOf(iso: string): number | null {
  return /(Z|[+-]\d\d:?\d\d)$/.test(iso) ? Date.parse(iso) : null;
}

// How long a link took no submit, because nobody answered those that it had.

/**
 * For how long between two moments the places of a link's window, of the smallest that its centre's connections have, were all held by
 * submits that had no answer in time, ms. Such a submit holds its place until its answer, for twice the time for one at most.
 */
function fullForMs(history: History, { centre, link }: Submit, fromMs: number, untilMs: number): number {
  const connections = connectionsTo(history, centre);
  const places = Math.min(...connections.map(({ window }) => window));
  const soonMs = Math.min(...connections.map(({ responseTimeoutMs }) => responseTimeoutMs));
  const heldForMs = 2 * Math.max(...connections.map(({ responseTimeoutMs }) => responseTimeoutMs));
  const turns = wiresOf(history).submits.flatMap((submit) => {
    const heardAtMs = submit.answers[0]?.heardAtMs ?? Infinity;
    if (submit.link !== link || heardAtMs - submit.writtenAtMs < soonMs) return [];
    const endMs = Math.min(heardAtMs, submit.writtenAtMs + heldForMs, untilMs);
    const beginMs = Math.max(submit.writtenAtMs, fromMs);
    if (endMs <= beginMs) return [];
    return [
      { atMs: beginMs, by: 1 },
      { atMs: endMs, by: -1 },
    ];
  });
  let held = 0;
  let beforeMs = fromMs;
  let fullMs = 0;
  for (const { atMs, by } of turns.sort((a, b) => a.atMs - b.atMs)) {
    if (held >= places) fullMs += atMs - beforeMs;
    held += by;
    beforeMs = atMs;
  }
  return fullMs;
}
