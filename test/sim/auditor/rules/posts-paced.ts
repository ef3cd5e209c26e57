import { cloudOf, meaningOf, type Post } from "../cloud.ts";
import { textsOf } from "../cloud-users.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { settingsIn } from "../in-force.ts";
import { commandsNamed } from "../once.ts";

const tooFast = finder(
  "posts-paced",
  "Each number keeps its throughput, and the same user is written to at most once in six seconds.",
);
const stopped = finder(
  "posts-stopped",
  "A number that Meta stopped keeps its messages, over restarts too, until another token, a person or a reading of its templates lets it go on.",
);

const crowd = finder(
  "posts-of-a-day",
  "A number writes to no more different users in a moving day than its limit, over restarts too.",
);

const PAIR_MS = 6_000;
const SECOND_MS = 1_000;
/** From the answer that stops a number until what was claimed before has left. */
const CLAIMED_MS = 10_000;

/** As fast as Meta lets each number write, and not at all while it is stopped. */
export function postsPaced(history: History): readonly Finding[] {
  const byPhone = Map.groupBy(cloudOf(history).posts, ({ phone }) => phone);
  return [...byPhone.values()].flatMap((posts) => [
    ...crowded(history, posts),
    ...toTheSame(posts),
    ...whileStopped(history, posts),
    ...beyondTheDay(history, posts),
  ]);
}

function crowded(history: History, posts: readonly Post[]): readonly Finding[] {
  let from = 0;
  for (const [index, post] of posts.entries()) {
    while ((posts[from]?.atMs ?? 0) <= post.atMs - SECOND_MS) from += 1;
    const inASecond = posts.slice(from, index + 1).filter(({ life }) => life === post.life).length;
    const allowed = Math.max(
      ...settingsIn(history, { fromMs: post.atMs - SECOND_MS, toMs: post.atMs }).flatMap(({ numbers }) =>
        numbers.flatMap(({ phone, throughput }) => (phone === post.phone ? [throughput] : [])),
      ),
    );
    // A second's worth may have been saved up.
    if (inASecond > 2 * allowed + 1) {
      return [
        tooFast(post.atMs, `${inASecond} posts left by ${post.phone} in a second; ${allowed} are allowed`),
      ];
    }
  }
  return [];
}

function toTheSame(posts: readonly Post[]): readonly Finding[] {
  return [...Map.groupBy(posts, ({ to, life }) => `${to} ${life}`).values()].flatMap((same) =>
    same.slice(1).flatMap((later, index) => {
      const earlier = same[index];
      if (earlier === undefined || later.atMs - earlier.atMs >= PAIR_MS) return [];
      const what = `+${later.to} was written to at ${at(earlier.atMs)} and at ${at(later.atMs)} (posts ${earlier.id} and ${later.id})`;
      return [tooFast(later.atMs, what, later.messageId ?? "")];
    }),
  );
}

const DAY_MS = 24 * 3_600_000;

/** Whoever has written to the number himself is not counted, nor is a post that Meta says has failed. */
function beyondTheDay(history: History, posts: readonly Post[]): readonly Finding[] {
  const limits = history.settings.flatMap(({ numbers }) =>
    numbers.flatMap(({ phone, usersPerDay }) => (phone === posts[0]?.phone ? [usersPerDay] : [])),
  );
  const limit = Math.max(...limits);
  if (limits.includes(0)) return [];
  const own = new Set(textsOf(history).map(({ from }) => from));
  const hasFailed = ({ told }: Post) => told.some(({ status }) => status === "failed");
  const counted = posts.filter((post) => post.wamid !== null && !own.has(post.to) && !hasFailed(post));
  const over = counted.find((post, index) => {
    const ofDay = counted.slice(0, index + 1).filter(({ atMs }) => atMs > post.atMs - DAY_MS);
    return new Set(ofDay.map(({ to }) => to)).size > limit;
  });
  if (over === undefined) return [];
  const what = `post ${over.id} to +${over.to} at ${at(over.atMs)} is to one more user of the day than ${limit}`;
  return [crowd(over.atMs, what, over.messageId ?? "")];
}

/** When each stop was surely known, and the first post that should not have been made. */
function whileStopped(history: History, posts: readonly Post[]): readonly Finding[] {
  return stopsIn(posts).flatMap(({ atMs, token, code, phone }) => {
    const goesOnAtMs = Math.min(...reliefs(history, phone, token, atMs));
    const wrong = posts.find((post) => post.atMs > atMs + CLAIMED_MS && post.atMs < goesOnAtMs);
    if (wrong === undefined || hasDiedSoon(history, atMs)) return [];
    const what = `${phone} was told ${code} at ${at(atMs)}, and post ${wrong.id} was made at ${at(wrong.atMs)}`;
    return [stopped(wrong.atMs, what, wrong.messageId ?? "")];
  });
}

function stopsIn(posts: readonly Post[]) {
  return posts.flatMap(({ heardAtMs, answer, code, token, phone, told }) => {
    const byAnswer =
      heardAtMs !== null && typeof answer === "number" && meaningOf(code, answer) === "stop"
        ? [{ atMs: heardAtMs, token, code, phone }]
        : [];
    const byStatus = told.flatMap((each) =>
      each.status === "failed" && each.takenAtMs !== null && meaningOf(each.code, null) === "stop"
        ? [{ atMs: each.takenAtMs, token, code: each.code, phone }]
        : [],
    );
    return [...byAnswer, ...byStatus];
  });
}

/** Moments from which on a stopped number may go on. */
function reliefs(history: History, phone: string, token: string, fromMs: number): readonly number[] {
  const tokens = history.settings.flatMap(({ atMs, numbers }) =>
    numbers.some((each) => each.phone === phone && each.token !== token) ? [atMs] : [],
  );
  const readings = history.observations.flatMap((seen) =>
    seen.kind === "templates read" && seen.status === 200 ? [seen.atMs] : [],
  );
  const resumes = commandsNamed(history, "operator resume").map(({ askedAtMs }) => askedAtMs);
  return [Infinity, ...[...tokens, ...readings, ...resumes].filter((atMs) => atMs >= fromMs)];
}

/** A death in the next moment may have lost what was heard. */
function hasDiedSoon({ lives }: History, atMs: number): boolean {
  return lives.some(({ end, endedAtMs }) => end !== "stopped" && Math.abs((endedAtMs ?? 0) - atMs) < 5_000);
}
