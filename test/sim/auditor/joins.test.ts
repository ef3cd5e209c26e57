import { expect, test } from "vitest";
import { historyOf } from "./history.ts";
import { joinsOf } from "./joins.ts";
import { accepted, idOf, opening, type Scene } from "./scene.ts";
import { linkTo } from "./wire-scene.ts";

const HEAD = "a".repeat(153);
const FIRST = "this is the first";
const SECOND = "and the second one";
const NUMBER = "+22607000001";

/** Texts that one number was promised, each a batch of its own. */
function ordered(...texts: readonly string[]): Scene {
  const run = opening();
  for (const [n, body] of texts.entries()) {
    const headers = { "idempotency-key": `k${n}` };
    const submission = {
      sender: "BENDRE",
      message_class: "TRANSACTIONAL",
      body,
      recipients: [{ msisdn: NUMBER, attributes: {} }],
    };
    const figures = { accepted: 1, total_segments: 2, reserved_amount: 30 };
    run.ask(
      { client: "alpha", method: "POST", path: "/batches", headers, body: submission },
      accepted(idOf(n + 1), figures),
    );
  }
  return run;
}

type Part = { readonly number: 1 | 2; readonly reference: number; readonly words: string };

/** For each part that left: the end of the text that it was taken for, or nothing. */
function takenFor(run: Scene, ...parts: readonly Part[]): readonly (string | null)[] {
  const link = linkTo(run, "one", 1);
  link.bind();
  for (const { number, reference, words } of parts) {
    const header = Buffer.from([5, 0, 3, reference, 2, number]);
    link.submit({ esmClass: 0x40, octets: Buffer.concat([header, Buffer.from(words)]) });
  }
  const { groupOf } = joinsOf(historyOf(run.observations));
  return [...groupOf.values()].map(({ messages }) => messages[0]?.message.text.slice(153) ?? null);
}

test("a part that two texts share is of the one whose other part bore its reference", () => {
  const run = ordered(HEAD + FIRST, HEAD + SECOND);
  const parts: readonly Part[] = [
    { number: 2, reference: 7, words: FIRST },
    { number: 1, reference: 7, words: HEAD },
    { number: 2, reference: 8, words: SECOND },
    { number: 1, reference: 8, words: HEAD },
  ];
  expect(takenFor(run, ...parts)).toEqual([FIRST, FIRST, SECOND, SECOND]);
});

test("a part that two texts share, under a reference that none told, is of the last", () => {
  const run = ordered(HEAD + FIRST, HEAD + SECOND);
  expect(takenFor(run, { number: 1, reference: 9, words: HEAD })).toEqual([SECOND]);
});

test("a reference that was used for another text since then tells of the later", () => {
  const run = ordered(HEAD + FIRST, HEAD + SECOND);
  const parts: readonly Part[] = [
    { number: 2, reference: 7, words: SECOND },
    { number: 2, reference: 7, words: FIRST },
    { number: 1, reference: 7, words: HEAD },
  ];
  expect(takenFor(run, ...parts)).toEqual([SECOND, FIRST, FIRST]);
});

test("a part that nobody ordered is a stranger", () => {
  const run = ordered(HEAD + FIRST);
  expect(takenFor(run, { number: 2, reference: 7, words: "third" })).toEqual([]);
  expect(joinsOf(historyOf(run.observations)).strangers).toHaveLength(1);
});
