import { claimedMs, cloudOf, isDelivery, type Post, sentBackAtMs } from "../cloud.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";

const found = finder(
  "posts-once",
  "A post whose answer was lost, or that arrived, is never made again; a code that says again makes five posts at most.",
);

const MAX_POSTS = 5;

/** No message is posted again but where Meta said that it did not send it. */
export const postsOnce: Rule = (history) =>
  [...cloudOf(history).byMessage.values()].flatMap((posts) => [
    ...twice(posts),
    ...afterArrival(history, posts),
    ...tooOften(posts),
  ]);

function twice(posts: readonly Post[]): readonly Finding[] {
  return posts.slice(1).flatMap((later, index): readonly Finding[] => {
    const earlier = posts[index];
    if (earlier === undefined) return [];
    const who = `message ${later.messageId} to +${later.to} was posted at ${at(later.atMs)} (post ${later.id}) after post ${earlier.id} at ${at(earlier.atMs)}`;
    const backAtMs = sentBackAtMs(earlier);
    const why =
      later.n === earlier.n
        ? `both under the number ${later.n}`
        : backAtMs === null || backAtMs > later.atMs
          ? `which was answered ${earlier.answer} ${earlier.code ?? ""}, heard ${earlier.heardAtMs === null ? "never" : `at ${at(earlier.heardAtMs)}`}`
          : null;
    return why === null ? [] : [found(later.atMs, `${who}: ${why}`, later.messageId ?? "")];
  });
}

/** Meta may take a post back and deliver it all the same: from when that is known on its user has the text. */
function afterArrival(history: History, posts: readonly Post[]): readonly Finding[] {
  return posts.slice(1).flatMap((later, index): readonly Finding[] => {
    const earlier = posts[index];
    const arrived = earlier?.told.find(
      ({ status, hasOpaque, takenAtMs }) =>
        isDelivery({ status }) && hasOpaque && (takenAtMs ?? Infinity) + claimedMs(history) < later.atMs,
    );
    if (arrived === undefined) return [];
    const what = `message ${later.messageId} to +${later.to} was posted at ${at(later.atMs)} (post ${later.id}), and post ${earlier?.id} of it was ${arrived.status}, which was taken at ${at(arrived.takenAtMs ?? 0)}`;
    return [found(later.atMs, what, later.messageId ?? "")];
  });
}

function tooOften(posts: readonly Post[]): readonly Finding[] {
  // A number that stops takes nothing from what its messages may be tried.
  const last = posts.at(-1);
  if (last === undefined || posts.length <= MAX_POSTS) return [];
  const stopped = posts.filter((post) => isStop(post)).length;
  if (posts.length - stopped <= MAX_POSTS) return [];
  return [
    found(last.atMs, `message ${last.messageId} was posted ${posts.length} times`, last.messageId ?? ""),
  ];
}

function isStop({ code, told }: Post): boolean {
  return STOPS.includes(code ?? -1) || told.some((each) => STOPS.includes(each.code ?? -1));
}

const STOPS: readonly number[] = [
  ...[190, 0, 3, 10, 102, 131005],
  ...[33, 803, 133006, 133010, 131037, 131045],
  ...[131042, 131048, 368, 131031],
];
