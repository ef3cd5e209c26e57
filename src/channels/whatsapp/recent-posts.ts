/** Who was written to lately, from the posts that are kept: what the limits of numbers go by after a start. */

import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/read.ts";
import { recipientOf } from "../../domain/messages/part-lookup.ts";
import { readPostsSince } from "./posts.ts";
import { readCurrentNumbers } from "./rename.ts";
import { GAP_MS, type UserSpacing } from "./user-turns.ts";

const PAGE = 1000;

/** Goes through the posts since an instant that were not refused, oldest first, each with the code that its number has today. */
export function eachPostSince(
  read: Reader,
  sinceMs: number,
  visit: (post: { readonly number: string; readonly messageId: number; readonly postedAt: number }) => void,
): void {
  const todaysNumber = readCurrentNumbers(read);
  for (let after = { atMs: sinceMs, messageId: 0 }; ; ) {
    const page = readPostsSince(read, after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    for (const post of page) visit({ ...post, number: todaysNumber(post.number) });
    after = { atMs: last.postedAt, messageId: last.messageId };
  }
}

/** Has those wait whom a number wrote to before the start. Whom a clock that was set back calls future was written to now. */
export function restoreUserSpacing(
  read: Reader,
  number: string,
  users: Pick<UserSpacing, "note">,
  clock: Pick<Clock, "nowMs" | "steadyMs">,
): void {
  const [nowMs, steadyMs] = [clock.nowMs(), clock.steadyMs()];
  eachPostSince(read, nowMs - GAP_MS, ({ number: of, messageId, postedAt }) => {
    if (of === number) users.note(recipientOf(read, messageId), steadyMs - Math.max(0, nowMs - postedAt));
  });
}
