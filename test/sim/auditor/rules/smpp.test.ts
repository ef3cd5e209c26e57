import { describe, expect, test } from "vitest";
import { smppRun, submitted, told } from "../smpp-scene.ts";
import { found } from "./found.ts";
import { smppAccepted } from "./smpp-accepted.ts";
import { smppReceipts } from "./smpp-receipts.ts";
import { smppRefused } from "./smpp-refused.ts";

const ALL = [smppAccepted, smppReceipts, smppRefused];
const FAILED = { status: "FAILED", error: { code: "UNDELIVERABLE", operator_code: null } };

test("a text that is accepted, one message, and told of once keeps every promise", () => {
  expect(found(smppRun(), ...ALL)).toBe("");
});

describe("a text that was answered with ROK", () => {
  test("and is no message breaks its promise", () => {
    expect(found(smppRun({ messages: [] }), smppAccepted)).toContain("is no message");
  });

  test("may be none where nothing was answered", () => {
    const says = (run: Parameters<typeof submitted>[0]) => submitted(run, 2, null);
    expect(found(smppRun({ says, messages: [] }), ...ALL)).toBe("");
  });

  test("is another's of whom it was not", () => {
    expect(found(smppRun({ messages: [{ sender: "OTHER" }] }), smppAccepted)).toContain("is of OTHER");
  });
});

describe("a repetition", () => {
  const twice = (status: number, id?: string) => (run: Parameters<typeof submitted>[0]) => {
    submitted(run, 2, 0);
    submitted(run, 3, status, id);
    told(run, 1, "DELIVRD", 0);
  };

  test("gets the first id again, and nothing else", () => {
    expect(found(smppRun({ says: twice(0) }), ...ALL)).toBe("");
    expect(found(smppRun({ says: twice(0, "00000002") }), smppAccepted)).toContain("several ids");
    expect(found(smppRun({ says: twice(0x45) }), smppAccepted)).toContain("repetition was refused");
  });

  test("is a second message only where the first failed", () => {
    expect(found(smppRun({ messages: [{}, {}] }), smppAccepted)).toContain("none of them failed");
    expect(found(smppRun({ messages: [FAILED, {}] }), smppAccepted)).toBe("");
  });
});

describe("a receipt", () => {
  const accepted = (more: (run: Parameters<typeof told>[0]) => void) => (run: Parameters<typeof told>[0]) => {
    submitted(run, 2, 0);
    more(run);
  };

  test("comes of what asked, or waits", () => {
    const says = accepted(() => {});
    expect(found(smppRun({ says }), smppReceipts)).toContain("no receipt of it was answered, and none waits");
    expect(found(smppRun({ says, receiptsWaiting: 1 }), smppReceipts)).toBe("");
  });

  test("says what its message says", () => {
    const says = accepted((run) => told(run, 1, "UNDELIV", 0));
    expect(found(smppRun({ says }), smppReceipts)).toContain("its message ended as DELIVRD");
    expect(found(smppRun({ says, messages: [FAILED] }), smppReceipts)).toBe("");
  });

  test("comes again only where its answer did not arrive", () => {
    const again = (first: number | null) =>
      accepted((run) => {
        told(run, 1, "DELIVRD", first);
        run.wait(10_000);
        told(run, 2, "DELIVRD", 0);
      });
    expect(found(smppRun({ says: again(0) }), smppReceipts)).toContain("left again");
    expect(found(smppRun({ says: again(null) }), smppReceipts)).toBe("");
    expect(found(smppRun({ says: again(0x14) }), smppReceipts)).toBe("");
  });

  test("is for nothing that was refused", () => {
    const says = (run: Parameters<typeof told>[0]) => {
      submitted(run, 2, 0x45);
      told(run, 1, "REJECTD", 0);
    };
    expect(found(smppRun({ says, messages: [] }), smppReceipts)).toContain("no part has this id");
  });
});

test("what was refused is no message, unless it was taken another time", () => {
  const says = (run: Parameters<typeof submitted>[0]) => submitted(run, 2, 0x45);
  expect(found(smppRun({ says }), smppRefused)).toContain("was refused, and is message");
  expect(found(smppRun({ says, messages: [] }), smppRefused)).toBe("");
  const later = (run: Parameters<typeof submitted>[0]) => {
    submitted(run, 2, 0x45);
    submitted(run, 3, 0);
  };
  expect(found(smppRun({ says: later, receiptsWaiting: 1 }), ...ALL)).toBe("");
});
