/** A message that may go on as an SMS: when it does, when it must, and what its client is shown of both ways. */
import { isDelivery, type Post, postsFor, sentBackAtMs } from "../cloud.ts";
import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { carrierOf, type FinalState, finalStateOf } from "../final-states.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { carriersIn } from "../in-force.ts";
import { joinsOf } from "../joins.ts";
import { list, text } from "../json.ts";
import { commandsNamed, once } from "../once.ts";
import { clockForwardMs } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";
import { toldOf } from "./status-history.ts";

const early = finder(
  "ways-early",
  "A message goes on as an SMS after a refusal that leads on, or when nothing was heard of its latest post for after_seconds.",
);
const both = finder(
  "ways-both",
  "Whoever has a message by WhatsApp already gets no SMS of it, and what has gone on is posted no more.",
);
const stayed = finder(
  "ways-stayed",
  "A refusal that leads on does not end a message that can go on as an SMS.",
);
const shown = finder(
  "ways-shown",
  "channels tells of each way in the order of use, the last end is that of the way that carries it, and status never goes back.",
);

/** Between a claim and the first octet at the centre, on links as they may be. */
const ON_THE_WAY_MS = 30_000;
/** What timers may be off by. */
const SLACK_MS = 1_000;

type Way = {
  readonly batch: ExpectedBatch;
  readonly message: ExpectedMessage;
  readonly second: ExpectedMessage;
  readonly state: FinalState;
  readonly posts: readonly Post[];
  /** In the order they were written. */
  readonly submits: readonly Submit[];
};

/** Both ways of each message that may go on. */
export const ways: Rule = (history) => [
  ...waysOf(history).flatMap((way) => [
    ...goneEarly(history, way),
    ...goneTwice(way),
    ...notGone(history, way),
    ...wronglyShown(way),
  ]),
  ...goneBack(history),
];

/** The messages that may go on, with what both channels saw of them; of two that look the same as an SMS none. */
export const waysOf = once((history): readonly Way[] => {
  const groups = new Map(
    joinsOf(history).groups.flatMap((group) =>
      group.messages.length === 1 ? group.messages.map(({ message }) => [message, group] as const) : [],
    ),
  );
  return history.batches.flatMap((batch) =>
    batch.messages.flatMap((message): readonly Way[] => {
      const { second } = message;
      const group = second === null ? undefined : groups.get(second);
      const state = finalStateOf(history, message);
      const posts = postsFor(history, message);
      if (second === null || group === undefined || state === null || posts === null) return [];
      const submits = group.carried
        .map(({ submit }) => submit)
        .sort((one, other) => one.writtenAtMs - other.writtenAtMs);
      return [{ batch, message, second, state, posts, submits }];
    }),
  );
});

function whoOf({ message, state }: Way): string {
  return `message ${state.messageId} to ${message.msisdn} (batch ${message.batchId}, place ${message.index})`;
}

/** Codes of Meta after which a message goes on: nobody there, no window, a limit, a template or a value that it refuses, a country. */
const LEADING: readonly number[] = [
  ...[131026, 131047, 131049, 130472, 100, 131008, 131009, 132000, 132005, 132012, 132018],
  ...[132001, 132007, 132015, 132016, 130497],
];

/** Whether anything was said of a post by then that leads on. */
function leads({ code, heardAtMs, told }: Post, byMs: number): boolean {
  const isSaid = code !== null && LEADING.includes(code) && heardAtMs !== null && heardAtMs <= byMs;
  return isSaid || told.some((each) => LEADING.includes(each.code ?? -1) && each.atMs <= byMs);
}

function goneEarly(history: History, way: Way): readonly Finding[] {
  const [first] = way.submits;
  const last = way.posts.findLast(({ atMs }) => first !== undefined && atMs <= first.writtenAtMs);
  // One that never was posted, or that Meta sent back, may have lost its template.
  if (first === undefined || last === undefined || isSentBack(last, first.writtenAtMs)) return [];
  if (leads(last, first.writtenAtMs)) return [];
  const asked = way.batch.body.request.fallback?.afterMs ?? 0;
  const afterMs = asked - clockForwardMs(history);
  const waitedMs = first.writtenAtMs - last.atMs;
  if (waitedMs >= afterMs - SLACK_MS) return [];
  const what = `${whoOf(way)} left as an SMS at ${at(first.writtenAtMs)}, ${waitedMs} ms after post ${last.id}, of which nothing was said that leads on; it waits ${asked} ms`;
  return [early(first.writtenAtMs, what, way.state.messageId)];
}

function isSentBack(post: Post, byMs: number): boolean {
  const backAtMs = sentBackAtMs(post);
  return backAtMs !== null && backAtMs <= byMs;
}

function goneTwice(way: Way): readonly Finding[] {
  const [first] = way.submits;
  if (first === undefined) return [];
  const { messageId } = way.state;
  const later = way.posts.find(({ atMs }) => atMs > first.writtenAtMs + SLACK_MS);
  // Of a post that Meta took back a delivery is a contradiction, which decides nothing.
  const there = way.posts
    .flatMap((post) => (sentBackAtMs(post) === null ? post.told.filter(isDelivery) : []))
    .find(({ takenAtMs, hasOpaque }) => {
      return hasOpaque && takenAtMs !== null && takenAtMs + ON_THE_WAY_MS < first.writtenAtMs;
    });
  const left = `${whoOf(way)} left as an SMS at ${at(first.writtenAtMs)}`;
  return [
    ...(later ? [both(later.atMs, `${left}, and was posted at ${at(later.atMs)}`, messageId)] : []),
    ...(there
      ? [
          both(
            first.writtenAtMs,
            `${left}, and was ${there.status} by WhatsApp at ${at(there.takenAtMs ?? 0)}`,
            messageId,
          ),
        ]
      : []),
  ];
}

/** Ends that lead on, as clients are told of them. */
const LEADING_ENDS: readonly (string | null)[] = [
  ...["UNKNOWN_SUBSCRIBER", "WINDOW_CLOSED", "CHANNEL_LIMIT", "PARAMETER_REFUSED"],
  ...["TEMPLATE_UNAVAILABLE", "SUBMIT_OUTCOME_UNKNOWN", "RECEIPT_NOT_RECEIVED"],
];

function notGone(history: History, way: Way): readonly Finding[] {
  const { batch, message, second, state } = way;
  if (!state.isFinal || carrierOf(state, message) !== "WHATSAPP" || !LEADING_ENDS.includes(state.errorCode))
    return [];
  const period = { fromMs: batch.acceptedFromMs, toMs: batch.acceptedToMs };
  const isAlone = carriersIn(history, second, period).has(null);
  if (isAlone || mayBeHeld(history, batch)) return [];
  const what = `${whoOf(way)} ended ${state.status} ${state.errorCode} ${state.operatorCode ?? ""} by WhatsApp`;
  return [stayed(state.view.atMs, what, state.messageId)];
}

/** Its account may have been suspended, or its batch called off. */
function mayBeHeld(history: History, { account, batchId }: ExpectedBatch): boolean {
  const stops = commandsNamed(history, "account suspend", "batch cancel");
  const isCancelled = history.exchanges.some(
    ({ method, path }) => method === "POST" && path === `/public/v1/batches/${batchId}/cancel`,
  );
  return isCancelled || stops.some(({ args }) => args.ACCOUNT === account.name || args.BATCH === batchId);
}

function wronglyShown(way: Way): readonly Finding[] {
  const { message, state, submits } = way;
  const { json, atMs } = state.view;
  const entries = list(json, "channels");
  const names = entries.map((entry) => text(entry, "channel"));
  const carrier = carrierOf(state, message);
  const own = entries.find((entry) => text(entry, "channel") === carrier);
  const why =
    names.join() !== "WHATSAPP" && names.join() !== "WHATSAPP,SMS"
      ? "that is no order of use"
      : own === undefined
        ? `it is carried by ${carrier}`
        : state.isFinal && text(own, "status") !== state.status
          ? `it ended ${state.status}`
          : submits.length > 0 && !names.includes("SMS")
            ? `it left as an SMS at ${at(submits[0]?.writtenAtMs ?? 0)}`
            : null;
  if (why === null) return [];
  const words = entries.map((entry) => `${text(entry, "channel")} ${text(entry, "status")}`).join(", ");
  return [shown(atMs, `${whoOf(way)} shows the ways ${words}: ${why}`, state.messageId)];
}

const RANK: Readonly<Record<string, number>> = {
  QUEUED: 0,
  SUBMITTED: 1,
  SENT: 2,
  DELIVERED: 3,
  FAILED: 3,
  CANCELLED: 3,
};

/** What has gone on because nothing was heard is never shown less far than it was by then. */
function goneBack(history: History): readonly Finding[] {
  return toldOf(history).flatMap(({ messageId, status, json, atMs }) => {
    const [first, second] = list(json, "channels");
    if (second === undefined || rankOf(status) >= openRank(text(first, "status"))) return [];
    const what = `message ${messageId}, whose first way stayed ${text(first, "status")}, went on as an SMS and was ${status} then`;
    return [shown(atMs, what, messageId)];
  });
}

/** How far a way had come that was left open; 0 of one that had ended. */
function openRank(status: string | null): number {
  return status === "SUBMITTED" || status === "SENT" ? rankOf(status) : 0;
}

function rankOf(status: string): number {
  return RANK[status] ?? -1;
}
