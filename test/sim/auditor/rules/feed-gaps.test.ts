import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { delivered, idOf, opening } from "../scene.ts";
import { feedGaps } from "./feed-gaps.ts";

const at = (micros: number) => `2026-01-01T00:00:00.${String(micros).padStart(6, "0")}Z`;
const message = (n: number) => delivered(idOf(1), n, { message_id: idOf(n), status_changed_at: at(n) });

type Page = {
  readonly since: number;
  readonly rows: readonly number[];
  readonly next?: number;
  readonly more?: boolean;
  readonly query?: string;
};

function verdict(...pages: readonly Page[]) {
  const run = opening();
  for (const { since, rows, next, more = false, query = "" } of pages) {
    const cursor = next ?? (rows.at(-1) ?? since - 1) + 1;
    const data = { messages: rows.map(message), next_status_changed_since: at(cursor), has_more: more };
    run.ask(
      { client: "alpha", path: `/messages?status_changed_since=${at(since)}${query}` },
      { status: 200, json: { data } },
    );
    run.wait();
  }
  return audit(run.observations, [feedGaps])
    .findings.map(({ what }) => what)
    .join();
}

test("pages that follow their cursors, whole and in order, are no finding", () => {
  expect(
    verdict({ since: 0, rows: [1, 2], more: true }, { since: 3, rows: [3, 9] }, { since: 10, rows: [] }),
  ).toBe("");
});

test("a final message that a page passes over is a finding, whoever told of it", () => {
  expect(verdict({ since: 0, rows: [1, 2, 3] }, { since: 0, rows: [1, 3] })).toContain("leaves out");
  expect(verdict({ since: 0, rows: [1, 2, 3] }, { since: 0, rows: [1, 2] })).toContain("leaves out");
  expect(verdict({ since: 0, rows: [1, 2, 3] }, { since: 0, rows: [1, 2], more: true })).toBe("");
});

test("a cursor one too far, or one too near, is a finding", () => {
  expect(verdict({ since: 0, rows: [1, 2], next: 4 })).toContain("leads to");
  expect(verdict({ since: 0, rows: [1, 2], next: 2 })).toContain("leads to");
  expect(verdict({ since: 5, rows: [], next: 4 })).toContain("leads back");
});

test("rows out of order, from before, twice or too many are findings", () => {
  expect(verdict({ since: 0, rows: [2, 1] })).toContain("not in order");
  expect(verdict({ since: 2, rows: [1] })).toContain("of before");
  expect(verdict({ since: 0, rows: [1, 2], query: "&limit=1" })).toContain("2 rows");
  expect(verdict({ since: 0, rows: [1], query: `&batch_id=${idOf(2)}` })).toContain("of batch");
});

test("more that never comes is a finding", () => {
  expect(verdict({ since: 0, rows: [1], more: true }, { since: 2, rows: [] })).toContain("is empty");
});
