import { describe, expect, test } from "vitest";
import { audit } from "../audit.ts";
import type { Scene } from "../scene.ts";
import { atRest, type LinkScene, linkTo, oneText } from "../wire-scene.ts";
import { statedTruth } from "./stated-truth.ts";

/** One text leaves; the centre does something; at rest the message is stated so. */
function verdict(
  does: (link: LinkScene, sequence: number, run: Scene) => void,
  message: Readonly<Record<string, unknown>>,
) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  does(link, link.submit(), run);
  return audit(atRest(run, message).observations, [statedTruth])
    .findings.map(({ what }) => what)
    .join();
}

const accepts = (link: LinkScene, sequence: number) => link.answer(sequence, 0, "A1");
const failed = (code: string, operator: string | null) => ({
  status: "FAILED",
  error: { code, operator_code: operator },
});

describe("DELIVERED", () => {
  test("needs a receipt that may be its own, in any form of its id", () => {
    const withReceipt = (id: string) => (link: LinkScene, sequence: number) => {
      accepts(link, sequence);
      link.receipt({ id, stat: "DELIVRD" });
    };
    expect(verdict(withReceipt("A1"), {})).toBe("");
    expect(verdict(withReceipt("00161"), {})).toBe("");
    expect(verdict(withReceipt("B2"), {})).toContain("no receipt says");
    expect(verdict(accepts, {})).toContain("no receipt says");
  });

  test("is no other handset's receipt, and no other account's of an SMSC", () => {
    const others = (link: LinkScene, sequence: number) => {
      accepts(link, sequence);
      link.receipt({ id: "A1", stat: "DELIVRD", from: "22607999999" });
    };
    expect(verdict(others, {})).toContain("no receipt says");
    const elsewhere = (link: LinkScene, sequence: number, run: Scene) => {
      accepts(link, sequence);
      linkTo(run, "two", 2).receipt({ id: "A1", stat: "DELIVRD" });
    };
    expect(verdict(elsewhere, {})).toContain("no receipt says");
  });

  test("may rest on a receipt whose id nobody gave when the answer was lost", () => {
    const lost = (link: LinkScene, sequence: number) => {
      link.answer(sequence, 0, "A1", "lost");
      link.receipt({ id: "A1", stat: "DELIVRD" });
    };
    expect(verdict(lost, {})).toBe("");
  });
});

describe("SENT", () => {
  const sent = { status: "SENT", error: { code: "RECEIPT_NOT_RECEIVED", operator_code: null } };

  test("needs an acceptance, and where receipts are sent a reason to end without one", () => {
    expect(verdict(accepts, sent)).toBe("");
    expect(verdict(() => {}, sent)).toContain("no centre accepted");
    expect(verdict(accepts, { ...sent, error: null })).toContain("its operator sends them");
  });

  test("may wait for its receipt as long as the configuration says, and not for ever", () => {
    const waits = { ...sent, is_final: false, error: null };
    expect(verdict(accepts, waits)).toBe("");
    const long = (link: LinkScene, sequence: number, run: Scene) => {
      accepts(link, sequence);
      run.wait(73 * 3_600_000);
    };
    expect(verdict(long, waits)).toContain("never ends");
    expect(verdict(accepts, { status: "QUEUED", is_final: false })).toContain("never ends");
  });
});

describe("FAILED", () => {
  const refuses = (link: LinkScene, sequence: number) => link.answer(sequence, 0x0b, "");

  test("with a code of the operator's needs an answer with it", () => {
    expect(verdict(refuses, failed("INVALID_DESTINATION", "0x0B"))).toBe("");
    expect(verdict(refuses, failed("OPERATOR_REJECTED", "0x45"))).toContain("no answer has that code");
    expect(verdict(accepts, failed("OPERATOR_REJECTED", "0x45"))).toContain("no answer of its operator");
  });

  test("with a code of a receipt needs a receipt with it", () => {
    const undelivered = (link: LinkScene, sequence: number) => {
      accepts(link, sequence);
      link.receipt({ id: "A1", stat: "UNDELIV", err: "027" });
    };
    expect(verdict(undelivered, failed("ABSENT_SUBSCRIBER", "027"))).toBe("");
    expect(verdict(undelivered, failed("UNDELIVERABLE", "99"))).toContain("no receipt has that code");
    expect(verdict(accepts, failed("UNDELIVERABLE", null))).toContain("no receipt says so");
  });

  test("as of unknown outcome needs a submit in doubt", () => {
    expect(verdict(() => {}, failed("SUBMIT_OUTCOME_UNKNOWN", null))).toBe("");
    expect(verdict(refuses, failed("SUBMIT_OUTCOME_UNKNOWN", null))).toContain("answered in time");
  });

  test("is no word for what its operator has whole", () => {
    expect(verdict(accepts, failed("EXPIRED_IN_QUEUE", null))).toContain("accepted all of it");
    expect(verdict(accepts, { status: "CANCELLED" })).toContain("has all of it");
    expect(verdict((link, sequence) => link.answer(sequence, 0, "A1", "lost"), { status: "CANCELLED" })).toBe(
      "",
    );
  });
});
