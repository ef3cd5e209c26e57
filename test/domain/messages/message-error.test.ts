import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorObject, isPassing, MESSAGE_ERRORS } from "../../../src/domain/messages/message-status.ts";

/** docs/behaviour.md#error-codes-of-messages, SUPPRESSED of section 4, and what was added since. */
const PROMISED = `NO_ROUTE, SENDER_NOT_REGISTERED, INVALID_DESTINATION, OPERATOR_REJECTED, OPERATOR_THROTTLED,
  SUBMIT_OUTCOME_UNKNOWN, EXPIRED_IN_QUEUE, CANCELLED, SCHEDULE_TOO_LATE, ABSENT_SUBSCRIBER, UNKNOWN_SUBSCRIBER,
  HANDSET_ERROR, NETWORK_ERROR, EXPIRED_AT_OPERATOR, DELETED_AT_OPERATOR, REJECTED_AT_OPERATOR, UNDELIVERABLE,
  RECEIPT_NOT_RECEIVED, RESTORE_GIVEN_UP, SUPPRESSED, NOT_ENCODABLE, WINDOW_CLOSED, CHANNEL_LIMIT, RECIPIENT_OPTED_OUT,
  PARAMETER_REFUSED, TEMPLATE_UNAVAILABLE`.split(/,\s+/);

describe("why a message did not arrive", () => {
  // Keeps: behaviour 6.40
  test("every promised code is there", () => {
    expect(Object.keys(MESSAGE_ERRORS).sort()).toEqual([...PROMISED].sort());
  });

  test("each says in a sentence what happened, and whether trying again is of use", () => {
    for (const code of Object.keys(MESSAGE_ERRORS)) {
      const shown = errorObject(code, "0x45");
      expect(shown).toMatchObject({ code, operator_code: "0x45" });
      expect(shown?.detail).toMatch(/^[A-Z].+\.$/);
      expect(typeof shown?.is_permanent).toBe("boolean");
    }
  });

  test("a batch is sent again for those that the guide says may be tried later, and for no other", () => {
    const guide = readFileSync(`${import.meta.dir}/../../../src/docs/guide/en/errors.md`, "utf8");
    const rows = [...guide.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)];
    const advised = new Map(rows.map(([, code = "", advice = ""]) => [code, advice.trim()]));
    for (const code of Object.keys(MESSAGE_ERRORS)) {
      const isLater = ["later", "if it still matters"].includes(advised.get(code) ?? "");
      expect([code, isPassing(code)]).toEqual([code, isLater]);
    }
  });

  // Keeps: behaviour 6.41
  test("no error is null, and a code of a later version is shown as it is", () => {
    expect(errorObject(null, null)).toBeNull();
    for (const code of ["SOLAR_FLARE", "toString"]) {
      expect(errorObject(code, null)).toEqual({
        code,
        detail: code,
        is_permanent: false,
        operator_code: null,
      });
    }
  });
});
