/** How what became of a message reads in a receipt (SMPP 3.4 Appendix B). */
import { describe, expect, test } from "vitest";
import {
  toErrorDigits,
  toMessageState,
  wantsFinal,
  wantsReceipts,
} from "../../../src/ingress/smpp/follows.ts";

const stateOf = (status: Parameters<typeof toMessageState>[0]["status"], errorCode: string | null = null) =>
  toMessageState({ status, errorCode, isFinal: 1 });

describe("the state of a receipt", () => {
  test("is ENROUTE until the message is final, whatever it is", () => {
    for (const status of ["QUEUED", "SUBMITTED", "SENT"] as const)
      expect(toMessageState({ status, errorCode: null, isFinal: 0 })).toBe("ENROUTE");
  });

  test("follows from the status and why it failed", () => {
    expect(stateOf("DELIVERED")).toBe("DELIVRD");
    for (const code of ["EXPIRED_IN_QUEUE", "EXPIRED_AT_OPERATOR"])
      expect(stateOf("FAILED", code)).toBe("EXPIRED");
    expect(stateOf("CANCELLED", "CANCELLED")).toBe("DELETED");
    expect(stateOf("CANCELLED", "SUPPRESSED")).toBe("REJECTD");
    for (const code of ["REJECTED_AT_OPERATOR", "OPERATOR_REJECTED", "SENDER_NOT_REGISTERED", "NO_ROUTE"])
      expect(stateOf("FAILED", code)).toBe("REJECTD");
    for (const code of ["UNKNOWN_SUBSCRIBER", "UNDELIVERABLE", null])
      expect(stateOf("FAILED", code)).toBe("UNDELIV");
    for (const code of ["RECEIPT_NOT_RECEIVED", "SUBMIT_OUTCOME_UNKNOWN"])
      expect(stateOf("FAILED", code)).toBe("UNKNOWN");
  });

  test("is UNKNOWN of what is final once it is sent, by an operator that gives no receipts", () => {
    expect(stateOf("SENT")).toBe("UNKNOWN");
    expect(stateOf("SENT", "RECEIPT_NOT_RECEIVED")).toBe("UNKNOWN");
  });
});

test("registered_delivery asks for none, all, failures with what is unknown, or successes; 0x10 for what was sent", () => {
  const wanted = (registered: number) =>
    (["DELIVRD", "EXPIRED", "UNKNOWN", "REJECTD"] as const).map((state) => wantsFinal(registered, state));
  expect(wanted(0)).toEqual([false, false, false, false]);
  expect(wanted(1)).toEqual([true, true, true, true]);
  expect(wanted(2)).toEqual([false, true, true, true]);
  expect(wanted(3)).toEqual([true, false, false, false]);
  expect(wanted(0x11)).toEqual(wanted(1));
  expect([0, 1, 2, 3, 0x10, 0x0c].map(wantsReceipts)).toEqual([false, true, true, true, true, false]);
});

test("err has the operator's code where that is a number of three digits at most", () => {
  expect(["7", "254", "999"].map(toErrorDigits)).toEqual(["007", "254", "999"]);
  for (const code of [null, "", "1000", "0x45", "-1", "abc"]) expect(toErrorDigits(code)).toBe("000");
});
