import { describe, expect, test } from "vitest";
import { toRefusal } from "../../../src/core/refusals.ts";
import { REJECTION_REASONS } from "../../../src/domain/submission/rejections.ts";
import {
  isForNow,
  REFUSALS,
  type SmppRefusal,
  toIntakeRefusal,
  toRejectionRefusal,
} from "../../../src/ingress/smpp/refusals.ts";

describe("the table of refusals", () => {
  test("gives a reason one status, for ever", () => {
    const byStatus = Object.groupBy(Object.entries(REFUSALS), ([, status]) => `0x${status.toString(16)}`);
    expect(
      Object.fromEntries(
        Object.entries(byStatus).map(([status, rows]) => [status, rows?.map(([reason]) => reason)]),
      ),
    ).toEqual({
      "0x14": ["WINDOW_EXCEEDED", "TOO_MANY_PARTS", "STORAGE_FULL", "RESTORING", "STOPPING"],
      "0x58": ["THROUGHPUT_EXCEEDED", "RATE_LIMIT_PER_MINUTE"],
      "0x1": ["TEXT_EMPTY", "TEXT_TOO_LONG", "TEXT_TWICE"],
      "0x43": ["UNSUPPORTED_UDH", "UNSUPPORTED_MODE"],
      "0x45": [
        ...["UNSUPPORTED_CODING", "UNDECODABLE_TEXT", "UNSUPPORTED_PROTOCOL"],
        ...["SUPPRESSED", "QUIET_HOURS", "FREQUENCY_CAP_DAILY", "FREQUENCY_CAP_WEEKLY", "RATE_LIMIT_PER_DAY"],
        ...["DUPLICATE_RECENT_BODY", "NOT_GSM7", "TOO_MANY_SEGMENTS", "CLASS_NOT_ALLOWED"],
        ...["INSUFFICIENT_FUNDS", "CREDIT_LIMIT_EXCEEDED", "WALLET_IN_DEBIT", "ACCOUNT_SUSPENDED"],
      ],
      "0x54": ["REPLACE_UNSUPPORTED"],
      "0x63": ["DEFAULT_MESSAGE_UNSUPPORTED"],
      "0x61": ["SCHEDULE_INVALID"],
      "0x62": ["VALIDITY_INVALID"],
      "0x15": ["SERVICE_TYPE_INVALID"],
      "0xc4": ["CLIENT_REFERENCE_INVALID"],
      "0xa": ["SENDER_NOT_APPROVED"],
      "0xb": ["INVALID_MSISDN", "UNROUTABLE_PREFIX"],
      "0x8": ["CONFIGURATION_ERROR", "INTERNAL_ERROR"],
      "0x67": ["MESSAGE_NOT_FOUND"],
      "0x11": ["NOT_CANCELLABLE"],
    });
  });

  test("0x08, 0x14 and 0x58 are for now, all else is for good", () => {
    for (const [reason, status] of Object.entries(REFUSALS))
      expect([reason, isForNow(reason as SmppRefusal)]).toEqual([
        reason,
        [0x08, 0x14, 0x58].includes(status),
      ]);
  });

  test("has a row for every reason of the intake", () => {
    for (const reason of REJECTION_REASONS) expect(REFUSALS).toHaveProperty(toRejectionRefusal(reason));
  });

  test("tells a stop from what is amiss", () => {
    const stopping = toRefusal("SERVICE_UNAVAILABLE.stopping");
    expect([toIntakeRefusal(stopping, true), toIntakeRefusal(stopping, false)]).toEqual([
      "STOPPING",
      "INTERNAL_ERROR",
    ]);
  });
});
