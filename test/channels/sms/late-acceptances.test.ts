import { describe, expect, test } from "vitest";
import type { PendingSubmit } from "../../../src/channels/sms/operator-session.ts";
import { LateAcceptances } from "../../../src/channels/sms/submit-results.ts";
import type { Reader } from "../../../src/db/reader.ts";
import { beginAttempt } from "../../../src/dispatch/attempt.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";

const reads = (answer: () => { part: number }[]): Reader =>
  ({ all: answer, get: () => null, known: () => null, each: () => [] }) as unknown as Reader;
const nothing = reads(() => []);

function outgoing(parts: number[], resends = 1): PendingSubmit {
  const message = { id: 7, msisdn: "+22670000001", segments: 2, text: null, attempts: 1, resends };
  const batch = {
    batchId: 1,
    accountId: 1,
    operator: "orange",
    messageClass: "OTP",
    sender: "ACME",
    body: "",
    createdAt: 0,
    expiresAt: 1,
  } as const;
  return {
    attempt: beginAttempt({ batch, message: { ...message, operatorCode: null } }, 1),
    submit: { parts, message: shortMessage({}) },
  };
}

const late = (parts: number[], route = "") => ({ parts, route, attempt: 1 });

describe("what a resend need not carry any more", () => {
  test("is what was accepted late, from that moment until it is in the database", () => {
    const acceptances = new LateAcceptances(nothing);
    const first = acceptances.note(7, late([1]));
    const second = acceptances.note(7, late([2]));
    expect(acceptances.covers(outgoing([1, 2]))).toBe(true);
    second();
    expect(acceptances.covers(outgoing([1]))).toBe(true);
    expect(acceptances.covers(outgoing([1, 2]))).toBe(false);
    first();
    expect(acceptances.covers(outgoing([1]))).toBe(false);
    expect(new LateAcceptances(reads(() => [{ part: 1 }])).covers(outgoing([1]))).toBe(true);
  });

  test("is what its own route accepted, or all of the message where another accepted that", () => {
    const acceptances = new LateAcceptances(nothing);
    const ofAgg = (parts: number[]) => {
      const { attempt, submit } = outgoing(parts);
      return { submit, attempt: { ...attempt, route: "agg" } };
    };
    acceptances.note(7, late([1], "direct"));
    expect(acceptances.covers(ofAgg([1]))).toBe(false);
    acceptances.note(7, late([1], "agg"));
    expect(acceptances.covers(ofAgg([1]))).toBe(true);
    expect(acceptances.covers(ofAgg([2]))).toBe(false);
    acceptances.note(7, late([2], "direct"));
    expect(acceptances.covers(ofAgg([2]))).toBe(true);
  });

  test("is asked for resends only", () => {
    const never = reads(() => {
      throw new Error("read");
    });
    const acceptances = new LateAcceptances(never);
    acceptances.note(7, late([1]));
    expect(acceptances.covers(outgoing([1], 0))).toBe(false);
  });

  test("is known as far as it was told when the database cannot be read, and the rest leaves", () => {
    const broken = reads(() => {
      throw new Error("disk I/O error");
    });
    const acceptances = new LateAcceptances(broken);
    acceptances.note(7, late([1]));
    expect(acceptances.covers(outgoing([1]))).toBe(true);
    expect(acceptances.covers(outgoing([2]))).toBe(false);
  });
});
