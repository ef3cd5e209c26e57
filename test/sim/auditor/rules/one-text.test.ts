import { expect, test } from "vitest";
import { linkTo, oneText as submitted } from "../wire-scene.ts";
import { found } from "./found.ts";
import { oneText } from "./one-text.ts";

const TEXT = "a".repeat(200);

type Part = { readonly part: 1 | 2; readonly reference: number; readonly status?: number };

/** A text of two parts leaves, each part as often as it is listed. */
function verdict(...parts: readonly Part[]): string {
  const run = submitted({ body: TEXT }, { total_segments: 2, reserved_amount: 30 });
  const link = linkTo(run, "one", 1);
  link.bind();
  for (const { part, reference, status = 0 } of parts) {
    const header = Buffer.from([5, 0, 3, reference, 2, part]);
    const words = Buffer.from(part === 1 ? TEXT.slice(0, 153) : TEXT.slice(153));
    const sequence = link.submit({ esmClass: 0x40, octets: Buffer.concat([header, words]) });
    link.answer(sequence, status, status === 0 ? `A${sequence}` : "");
  }
  return found(run, oneText);
}

test("parts under one reference are a text, and under two they are none", () => {
  expect(verdict({ part: 1, reference: 7 }, { part: 2, reference: 7 })).toBe("");
  expect(verdict({ part: 1, reference: 7 }, { part: 2, reference: 8 })).toContain("of 7, 8");
});

test("a part that was refused counts with what it was tried as later", () => {
  const refused: Part = { part: 2, reference: 7, status: 0x58 };
  expect(verdict({ part: 1, reference: 7 }, refused, { part: 2, reference: 7 })).toBe("");
  expect(verdict({ part: 1, reference: 7 }, refused, { part: 2, reference: 8 })).toContain("one-text");
});

test("a text of which a part never arrived is none yet", () => {
  expect(verdict({ part: 1, reference: 7 }, { part: 2, reference: 8, status: 0x0b })).toBe("");
});
