import { describe, expect, test } from "vitest";
import { chooseMove } from "../../../src/channels/sandbox/scripted-outcomes.ts";
import { MESSAGE_CLASSES } from "../../../src/domain/accounts/message-class.ts";
import { deriveSandboxRejection } from "../../../src/domain/submission/screen-recipients.ts";

const number = (ending: number) => `+226700000${String(ending).padStart(2, "0")}`;
const first = { attempts: 0, resends: 0 };

describe("the last two digits", () => {
  test.each(MESSAGE_CLASSES)("00 to 79 of %s are taken, and delivered after a second", (messageClass) => {
    for (let ending = 0; ending < 80; ending++)
      expect([ending, chooseMove({ msisdn: number(ending), messageClass, ...first })]).toEqual([
        ending,
        { kind: "accepted", next: { kind: "DELIVERED" }, afterMs: 1000 },
      ]);
  });

  test("88 is put off twice, whatever happened in between, and then taken", () => {
    const kinds = [0, 1, 2, 3].map(
      (attempts) => chooseMove({ msisdn: number(88), messageClass: "OTP", attempts, resends: 0 }).kind,
    );
    expect(kinds).toEqual(["throttled", "throttled", "accepted", "accepted"]);
  });

  test("91 is sent again once, but MARKETING never", () => {
    const kindOf = (messageClass: "OTP" | "MARKETING", resends: number) =>
      chooseMove({ msisdn: number(91), messageClass, attempts: resends, resends }).kind;
    expect([kindOf("OTP", 0), kindOf("OTP", 1)]).toEqual(["resent", "accepted"]);
    expect([kindOf("MARKETING", 0), kindOf("MARKETING", 1)]).toEqual(["unanswered", "unanswered"]);
  });

  test("reject in a sandbox from 93 on, and nowhere else", () => {
    const asked = (accountId: number, messageClass: "OTP" | "MARKETING") =>
      Array.from({ length: 100 }, (_, ending) =>
        deriveSandboxRejection({ accountId, messageClass }, number(ending)),
      ).filter((reason) => reason !== null);
    expect(asked(-7, "MARKETING")).toEqual([
      ...["SUPPRESSED", "QUIET_HOURS", "FREQUENCY_CAP_DAILY", "FREQUENCY_CAP_WEEKLY"],
      ...["DUPLICATE_RECENT_BODY", "RATE_LIMIT_PER_DAY", "RATE_LIMIT_PER_MINUTE"],
    ]);
    expect(asked(-7, "OTP")).toEqual([
      "DUPLICATE_RECENT_BODY",
      "RATE_LIMIT_PER_DAY",
      "RATE_LIMIT_PER_MINUTE",
    ]);
    expect([...asked(7, "MARKETING"), ...asked(7, "OTP")]).toEqual([]);
  });
});
