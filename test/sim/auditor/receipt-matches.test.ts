import { expect, test } from "vitest";
import { historyOf } from "./history.ts";
import { receiptMatchesOf } from "./receipt-matches.ts";
import { type LinkScene, linkTo, oneText } from "./wire-scene.ts";

/** Whether the first submit of a run may have got its receipt, and whether it surely did. */
function matched(happens: (link: LinkScene, run: ReturnType<typeof oneText>) => void): string {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  happens(link, run);
  const [matches] = receiptMatchesOf(historyOf(run.observations)).values();
  const [match] = matches ?? [];
  if (!match) return "none";
  return match.isSure ? "sure" : "may be";
}

const receipt = { id: "A1", stat: "DELIVRD" };

test("a receipt with the id of the answer and the handset's number is surely of that submit", () => {
  const one = matched((link) => {
    link.answer(link.submit(), 0, "A1");
    link.receipt(receipt);
  });
  expect(one).toBe("sure");
});

test("a receipt with the id of the answer and the number of another handset is of nobody", () => {
  const one = matched((link) => {
    link.answer(link.submit(), 0, "A1");
    link.receipt({ ...receipt, from: "22607000002" });
  });
  expect(one).toBe("none");
});

test("a receipt of another id is of nobody whose answer came in time, and may be of one whose did not", () => {
  const answeredAfter = (ms: number) =>
    matched((link, run) => {
      const sequence = link.submit();
      run.wait(ms);
      link.answer(sequence, 0, "A1");
      run.wait(60_000);
      link.receipt({ ...receipt, id: "B2" });
    });
  expect(answeredAfter(1_000)).toBe("none");
  expect(answeredAfter(19_500)).toBe("may be");
});

test("a receipt of another id may be of a submit whose answer a death undid, and is not of one that was written long before", () => {
  const diesAfter = (ms: number) =>
    matched((link, run) => {
      run.see({ kind: "life", life: 1, what: "starting" });
      link.answer(link.submit(), 0, "A1");
      run.wait(ms);
      run.see({ kind: "life", life: 1, what: "killed" });
      run.wait();
      run.see({ kind: "life", life: 2, what: "starting" });
      const next = linkTo(run, "one", 2);
      next.bind();
      next.receipt({ ...receipt, id: "B2" });
    });
  expect(diesAfter(100)).toBe("may be");
  expect(diesAfter(5_000)).toBe("none");
});
