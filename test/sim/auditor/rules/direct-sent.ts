/** Text without a template: whose it may be, by which number, and for how long Meta tries. */
import { cloudOf, type Post } from "../cloud.ts";
import type { ExpectedBatch } from "../expected.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { type Period, settingsIn } from "../in-force.ts";
import { number } from "../json.ts";
import { numbersFor } from "../number-routes.ts";
import { commandsNamed } from "../once.ts";
import { periodOf } from "../planned-time.ts";
import { templatesOf } from "../templates.ts";
import { messagesById } from "./templates-known.ts";
import { dearDeliveries, stopsOf } from "./templates-priced.ts";

const found = finder(
  "direct-sent",
  "Text of OTP and TRANSACTIONAL that no template says goes without one only where its number has direct_send, and of MARKETING never.",
);
const dearer = finder(
  "direct-dear",
  "Two deliveries of text without a template that Meta priced under another category than the class stop it, by number and class, until a person says so.",
);
const lives = finder(
  "direct-life",
  "Meta tries with text without a template no longer than it is worth sending: 30 seconds to 15 minutes of an OTP, to 12 hours of TRANSACTIONAL.",
);

/** From a change of the configuration until what was claimed before has left. */
const CLAIMED_MS = 10_000;
const SLACK_MS = 5_000;

export const directSent: Rule = (history) =>
  templatesOf(history).size === 0
    ? []
    : [
        ...acceptances(history),
        ...cloudOf(history).posts.flatMap(postsOf(history)),
        ...sentThoughDear(history),
      ];

/** Text of a class by a number that goes on after two deliveries which were billed otherwise. */
function sentThoughDear(history: History): readonly Finding[] {
  const releases = commandsNamed(history, "whatsapp release").filter(
    ({ args, wasDone }) => args.NAME?.startsWith("whatsapp:") && wasDone !== "no",
  );
  const texts = cloudOf(history).posts.filter(({ template }) => template === null);
  const kinds = Map.groupBy(texts, ({ phone, category }) => `${phone} ${category}`);
  return [...kinds.values()].flatMap((posts) => {
    const meant = new Set(posts);
    const dear = dearDeliveries(history, (post) => meant.has(post));
    return stopsOf(dear, releases).flatMap(({ fromMs, toMs }) => {
      const wrong = posts.find(({ atMs }) => atMs > fromMs + CLAIMED_MS && atMs < toMs);
      if (wrong === undefined) return [];
      const { phone, category } = wrong;
      const what = `two deliveries of text without a template (${category}) by ${phone} were billed as another category by ${at(fromMs)}, and post ${wrong.id} was made at ${at(wrong.atMs)}`;
      return [dearer(wrong.atMs, what, wrong.messageId ?? "")];
    });
  });
}

/** Whether a batch may go without a template: by each number that it may go by; true too where none knows its sender. */
function mayBeDirect(history: History, batch: Pick<ExpectedBatch, "account" | "body">, period: Period) {
  const { sender, messageClass } = batch.body.request;
  const routes = [...numbersFor(history, batch.account, sender, period)];
  return routes.flatMap((code): readonly boolean[] => {
    if (code === null) return [true];
    if (messageClass === "MARKETING") return [false];
    return settingsIn(history, period).flatMap(({ numbers }) =>
      numbers.flatMap((each) => (each.code === code ? [each.mayBeDirect] : [])),
    );
  });
}

function acceptances(history: History): readonly Finding[] {
  return history.batches.flatMap((batch) => {
    const { isFree, body, messageClass } = batch.body.request;
    if (!isFree || batch.batchId === null || mayBeDirect(history, batch, periodOf(batch)).includes(true))
      return [];
    const what = `${batch.account.name}'s ${messageClass} batch ${batch.batchId} was accepted with ${JSON.stringify(body)}, which no template says, by a number without direct_send`;
    return [found(Math.min(batch.acceptedToMs, history.endAtMs), what, batch.batchId)];
  });
}

/** Meta takes no shorter life, and no longer one of a class, in seconds. */
const SHORTEST = 30;
const LONGEST: Readonly<Record<string, number>> = { OTP: 900, TRANSACTIONAL: 43_200 };

function postsOf(history: History): (post: Post) => readonly Finding[] {
  return (post) => {
    if (post.template !== null) return [];
    const message = messagesById(history).get(post.messageId ?? "");
    if (message === undefined) return [];
    const who = `post ${post.id} of message ${post.messageId} (${message.messageClass}) at ${at(post.atMs)}`;
    const leaves = settingsIn(history, { fromMs: post.atMs - CLAIMED_MS, toMs: post.atMs }).flatMap(
      ({ numbers }) => numbers.flatMap((each) => (each.phone === post.phone ? [each.mayBeDirect] : [])),
    );
    const longest = LONGEST[message.messageClass];
    if (longest === undefined || !leaves.includes(true)) {
      return [found(post.atMs, `${who} has no template, and must have one`, post.messageId ?? "")];
    }
    const ttl = post.ttlSeconds ?? 0;
    const leftMs = leftAt(history, post, message);
    const most = Math.min(longest, Math.max(SHORTEST, leftMs / 1000));
    if (ttl >= SHORTEST && ttl <= most) return [];
    return [
      lives(post.atMs, `${who} lets Meta try for ${ttl} s; ${most} s are left at most`, post.messageId ?? ""),
    ];
  };
}

/** For how long a message is worth sending at most, from a post on. */
function leftAt(
  history: History,
  { atMs }: Post,
  message: {
    readonly messageClass: string;
    readonly batchId: string | null;
    readonly scheduledAt: string | null;
  },
): number {
  const batch = history.batches.find(({ batchId }) => batchId === message.batchId);
  const isTimeSet = history.observations.some(({ kind }) => kind === "clock");
  if (batch === undefined || isTimeSet || message.scheduledAt !== null) return Infinity;
  const minutes = history.settings.map(
    ({ document }) => number(document, "delivery", "validity_minutes", message.messageClass) ?? Infinity,
  );
  return batch.acceptedToMs + Math.max(...minutes) * 60_000 + SLACK_MS - atMs;
}
