import { describe, expect, test } from "vitest";
import type { Chance } from "../../src/core/chance.ts";
import { planSubmit, type SubmitSeen } from "../../src/simulator/outcome.ts";
import { PLAIN, type Quirks } from "../../src/simulator/quirks.ts";

const PLAIN_SUBMIT: SubmitSeen = {
  destination: "22670123456",
  registeredDelivery: 1,
  earlierToNumber: 0,
  placeOnLink: 1,
  place: 1,
  dropped: 0,
  isTooMuch: false,
};

/** A chance that always gives the same fraction. */
function always(fraction: number): Chance {
  return { fraction: () => fraction, bytes: (length) => new Uint8Array(length) };
}

function plan(submit: Partial<SubmitSeen>, quirks: Partial<Quirks> = {}, fraction = 0.5) {
  return planSubmit({ ...PLAIN_SUBMIT, ...submit }, { ...PLAIN, ...quirks }, always(fraction));
}

describe("an operator without quirks", () => {
  test("accepts at once, delivers at once and sends one receipt", () => {
    expect(plan({})).toEqual({
      status: 0,
      responseAfterMs: 0,
      fate: { stat: "DELIVRD", afterMs: 0, receipts: 1 },
      isLinkCut: false,
    });
  });

  test("sends the receipts that were asked for, and no others", () => {
    const receipts = (registeredDelivery: number, destination = "22670123456") =>
      plan({ registeredDelivery, destination }).fate?.receipts;
    expect([0, 1, 2, 3].map((asked) => receipts(asked))).toEqual([0, 1, 0, 1]);
    expect([0, 1, 2, 3].map((asked) => receipts(asked, "22670199001"))).toEqual([0, 1, 1, 0]);
  });
});

describe("endings that choose an outcome", () => {
  test.each([
    ["99001", 0, "UNDELIV", 1],
    ["99002", 0, "EXPIRED", 1],
    ["99003", 0, "REJECTD", 1],
    ["99004", 0, "DELIVRD", 0],
    ["99009", 0, "DELIVRD", 2],
    ["99010", 0, "UNKNOWN", 1],
    ["99005", 0x0b, undefined, undefined],
    ["99006", 0x58, undefined, undefined],
    ["99007", 0x14, undefined, undefined],
    ["99011", 0x08, undefined, undefined],
  ])("%s at the first submit", (ending, status, stat, receipts) => {
    const { fate, ...rest } = plan({ destination: `226701${ending}` });
    expect(rest.status).toBe(status);
    expect(rest.responseAfterMs).toBe(0);
    expect([fate?.stat, fate?.receipts]).toEqual([stat, receipts]);
  });

  test("a refusal that is for the first time only lets the second submit pass", () => {
    for (const ending of ["99006", "99007"]) {
      expect(plan({ destination: `226701${ending}`, earlierToNumber: 1 })).toEqual(plan({}));
    }
  });

  test("a refusal for good stays", () => {
    expect(plan({ destination: "22670199011", earlierToNumber: 5 }).status).toBe(0x08);
    expect(plan({ destination: "22670199005", earlierToNumber: 5 }).status).toBe(0x0b);
  });

  test("the first submit to 99008 is never answered and its receipt comes all the same", () => {
    const { responseAfterMs, fate, isLinkCut } = plan({ destination: "22670199008" });
    expect([responseAfterMs, fate?.receipts, isLinkCut]).toEqual([null, 1, false]);
    expect(plan({ destination: "22670199008", earlierToNumber: 1 })).toEqual(plan({}));
  });

  test("the first submit to 99012 costs the link", () => {
    const { responseAfterMs, fate, isLinkCut } = plan({ destination: "22670199012" });
    expect([responseAfterMs, fate?.receipts, isLinkCut]).toEqual([null, 1, true]);
  });
});

describe("quirks", () => {
  test("a share of the messages is not delivered", () => {
    expect(plan({}, { deliveredPercent: 90 }, 0.09).fate?.stat).toBe("UNDELIV");
    expect(plan({}, { deliveredPercent: 90 }, 0.11).fate?.stat).toBe("DELIVRD");
    expect(plan({}, { deliveredPercent: 0 }, 0.999).fate?.stat).toBe("UNDELIV");
  });

  test("a share of the receipts is lost, another is doubled", () => {
    expect(plan({}, { lostReceiptPercent: 20 }, 0.19).fate?.receipts).toBe(0);
    expect(plan({}, { lostReceiptPercent: 20 }, 0.21).fate?.receipts).toBe(1);
    expect(plan({}, { duplicateReceiptPercent: 20 }, 0.19).fate?.receipts).toBe(2);
  });

  test("delays spread evenly from the least to the most", () => {
    const quirks = { responseDelayMs: 100, responseJitterMs: 50, receiptDelayMs: 1000, receiptJitterMs: 0 };
    expect(plan({}, quirks, 0).responseAfterMs).toBeCloseTo(100, 6);
    expect(plan({}, quirks, 0.999_999).responseAfterMs).toBeCloseTo(150, 2);
    expect(plan({}, quirks, 0).fate?.afterMs).toBeCloseTo(1100, 6);
  });

  test("a receipt that overtakes its response has no delay, and the response has one", () => {
    const { responseAfterMs, fate } = plan({}, { receiptBeforeResponse: true, receiptDelayMs: 500 });
    expect([responseAfterMs, fate?.afterMs]).toEqual([1, 0]);
  });

  test("the submit above the allowance of a second is throttled", () => {
    const over = plan({ isTooMuch: true });
    expect([over.status, over.fate]).toEqual([0x58, null]);
    expect(plan({ isTooMuch: true }, { throttleStatus: 0x14 }).status).toBe(0x14);
  });

  test("a throttled first submit to 99012 keeps its link and gets its answer", () => {
    const over = plan({ destination: "22670199012", isTooMuch: true });
    expect([over.status, over.responseAfterMs, over.isLinkCut]).toEqual([0x58, 0, false]);
  });

  test("a link is cut at its so-many-th submit, which is accepted and not answered", () => {
    expect(plan({ placeOnLink: 2 }, { dropAfter: 3 }).isLinkCut).toBe(false);
    const cut = plan({ placeOnLink: 3 }, { dropAfter: 3 });
    expect([cut.isLinkCut, cut.responseAfterMs, cut.fate?.receipts]).toEqual([true, null, 1]);
  });
});
