import { cloudMessages, cloudOf, type Post } from "../cloud.ts";
import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { finalStateOf } from "../final-states.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { stopsOf } from "./called-off.ts";
import { earlyOf } from "./only-ordered.ts";

const stranger = finder(
  "posts-ordered",
  "What is posted is the text of an accepted recipient, by a template of the category that its class needs.",
);
const calledOff = finder(
  "posts-called-off",
  "From the commit that cancels a batch or suspends its account on, none of its messages is claimed.",
);

const CATEGORY: Readonly<Record<string, string>> = {
  OTP: "authentication",
  TRANSACTIONAL: "utility",
  MARKETING: "marketing",
};
/** What was claimed before may still be on its way. */
const CLAIMED_MS = 10_000;

/** Every post was ordered, as it stands there and to whom, and nothing had called it off. */
export function postsOrdered(history: History): readonly Finding[] {
  const { posts } = cloudOf(history);
  if (posts.length === 0) return [];
  const known = new Map(
    cloudMessages(history).flatMap((each) => {
      const state = finalStateOf(history, each.message);
      return state === null ? [] : [[state.messageId, each] as const];
    }),
  );
  return posts.flatMap((post) => {
    const ordered = post.messageId === null ? undefined : known.get(post.messageId);
    const why = ordered === undefined ? "nobody ordered it" : whyOther(post, ordered.message);
    if (why !== null) {
      const what = `post ${post.id} at ${at(post.atMs)} to ${post.to} says ${JSON.stringify(post.text)} (${post.category}) for message ${post.messageId}: ${why}`;
      return [stranger(post.atMs, what, post.messageId ?? "")];
    }
    return ordered ? [...offOf(history, post, ordered), ...earlyOf(history, ordered, written(post))] : [];
  });
}

type Ordered = { readonly batch: ExpectedBatch; readonly message: ExpectedMessage };

function written({ atMs }: Post) {
  return { writtenAtMs: atMs };
}

function whyOther(post: Post, { msisdn, text, messageClass }: ExpectedMessage): string | null {
  if (msisdn !== `+${post.to}`) return `it is for ${msisdn}`;
  // What Meta could not read it has refused.
  if (post.text === null) return null;
  if (post.text !== text) return `its text is ${JSON.stringify(text)}`;
  return post.category === CATEGORY[messageClass] ? null : `its class is ${messageClass}`;
}

function offOf(history: History, post: Post, { batch, message }: Ordered): readonly Finding[] {
  const stop = stopsOf(history, batch.account.name, batch.batchId).find(
    ({ fromMs, toMs }) => post.atMs > fromMs + CLAIMED_MS && post.atMs < toMs,
  );
  if (stop === undefined) return [];
  const what = `${stop.why} at ${at(stop.fromMs)}, and post ${post.id} of batch ${batch.batchId} to ${message.msisdn} was made at ${at(post.atMs)}`;
  return [calledOff(post.atMs, what, batch.batchId ?? "", post.messageId ?? "")];
}
