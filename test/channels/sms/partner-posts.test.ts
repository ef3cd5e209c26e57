import { afterEach, beforeEach, expect, test } from "vitest";
import { claimPost, movePost } from "../../../src/channels/sms/partner-posts.ts";
import { type Books, openBooks } from "../../kit/books.ts";

const FEED = "https://sms.partner.example/public/v1";

let books: Books;
let messageId: number;
beforeEach(async () => {
  books = openBooks();
  const batch = await books.batch(await books.account(), { segments: [1] });
  messageId = batch.messages[0]!;
});
afterEach(() => books.close());

const claim = (attempt: number) =>
  books.store.write((tx) =>
    claimPost(tx, {
      messageId,
      feed: FEED,
      attempt,
      connection: 1,
      postedAt: attempt,
      account: "bendre@sms.partner.example:443",
      route: "partner",
    }),
  );
const move = (state: "TAKEN" | "SENT" | "ENDED") =>
  books.store.write((tx) => movePost(tx, { messageId, feed: FEED }, state));

test("a post keeps its key while no answer is known", async () => {
  const first = await claim(1);
  expect(await claim(2)).toBe(first);
});

test("a post keeps its key where the feed says first that the partner has the message", async () => {
  const first = await claim(1);
  await move("TAKEN");
  expect(await claim(2)).toBe(first);
});

test("a post has another key once the last one has ended", async () => {
  const first = await claim(1);
  await move("ENDED");
  expect(await claim(2)).not.toBe(first);
});
