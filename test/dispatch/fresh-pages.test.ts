import { expect, test } from "vitest";
import { freshPages } from "../../src/dispatch/operator-queue.ts";
import type { QueuedMessage } from "../../src/domain/messages/queue.ts";

const messages = (count: number): QueuedMessage[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    msisdn: "+22670000001",
    segments: 1,
    text: null,
    attempts: 0,
    resends: 0,
    operatorCode: null,
  }));

test("a page is given once, and not after a change of its account", () => {
  const pages = freshPages();
  const page = messages(2);
  pages.keep(1, page, 0);
  pages.keep(2, page, 0);
  expect([pages.take(1, 0), pages.take(1, 0), pages.take(2, 1), pages.take(2, 0)]).toEqual([
    page,
    null,
    null,
    null,
  ]);
});

test("five thousand messages are kept, and room is made by what was taken or dropped", () => {
  const pages = freshPages();
  for (let batch = 1; batch <= 21; batch++) pages.keep(batch, messages(250), 0);
  expect([pages.take(20, 0)?.length, pages.take(21, 0)]).toEqual([250, null]);
  pages.drop(1);
  pages.keep(22, messages(500), 0);
  pages.keep(23, messages(1), 0);
  expect([pages.take(22, 0)?.length, pages.take(23, 0)]).toEqual([500, null]);
  pages.clear();
  pages.keep(24, messages(5000), 0);
  expect(pages.take(24, 0)?.length).toBe(5000);
});
