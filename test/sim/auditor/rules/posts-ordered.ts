import { cloudMessages, cloudOf, type Post } from "../cloud.ts";
import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { finalStateOf } from "../final-states.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { numbersFor } from "../number-routes.ts";
import { periodOf } from "../planned-time.ts";
import { CATEGORY_OF, templatesOf } from "../templates.ts";
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
    const why = ordered === undefined ? "nobody ordered it" : whyOther(history, post, ordered);
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

function whyOther(history: History, post: Post, { batch, message }: Ordered): string | null {
  const { msisdn, text, messageClass, account, sender } = message;
  if (msisdn !== `+${post.to}`) return `it is for ${msisdn}`;
  const routes = numbersFor(history, account, sender, periodOf(batch));
  const codes = history.settings.flatMap(({ numbers }) =>
    numbers.flatMap(({ phone, code }) => (phone === post.phone ? [code] : [])),
  );
  if (!codes.some((code) => routes.has(code))) return `${sender} does not go by ${post.phone}`;
  // What Meta could not read it has refused.
  if (post.text === null) return null;
  // Without a template, white space stands as the client wrote it: lines of a text are kept, and nothing forbids them.
  const isSaid = post.template === null ? folded(post.text) === folded(text) : post.text === text;
  if (!isSaid) return `its text is ${JSON.stringify(text)}`;
  // Another may be so for as long as nobody was told of it: templates-stopped.
  return categoriesOf(history, post).includes(CATEGORY_OF[messageClass]?.toLowerCase() ?? "")
    ? null
    : `its class is ${messageClass}`;
}

function folded(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** The category that it is billed as, and those that its template has had. */
function categoriesOf(history: History, { category, template }: Post): readonly string[] {
  const states = templatesOf(history).get(template ?? "") ?? [];
  return [category ?? "", ...states.map((each) => each.category.toLowerCase())];
}

function offOf(history: History, post: Post, { batch, message }: Ordered): readonly Finding[] {
  const stop = stopsOf(history, batch.account.name, batch.batchId).find(
    ({ fromMs, toMs }) => post.atMs > fromMs + CLAIMED_MS && post.atMs < toMs,
  );
  if (stop === undefined) return [];
  const what = `${stop.why} at ${at(stop.fromMs)}, and post ${post.id} of batch ${batch.batchId} to ${message.msisdn} was made at ${at(post.atMs)}`;
  return [calledOff(post.atMs, what, batch.batchId ?? "", post.messageId ?? "")];
}
