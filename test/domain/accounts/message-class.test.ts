import { expect, test } from "vitest";
import { isScope, joinScopes, parseScopes } from "../../../src/domain/accounts/api-keys.ts";
import { isMessageClass, joinClasses, parseClasses } from "../../../src/domain/accounts/message-class.ts";

test("classes are stored in order of urgency, without repeats", () => {
  expect(joinClasses(["MARKETING", "OTP", "MARKETING"])).toBe("OTP,MARKETING");
  expect(parseClasses("MARKETING,OTP,FUTURE")).toEqual(["OTP", "MARKETING"]);
  expect(isMessageClass("OTP")).toBe(true);
  expect(isMessageClass("otp")).toBe(false);
});

test("scopes are stored in the specification's order, without repeats", () => {
  expect(joinScopes(["WEBHOOKS_MANAGE", "MESSAGES_SEND", "MESSAGES_SEND"])).toBe(
    "MESSAGES_SEND,WEBHOOKS_MANAGE",
  );
  expect(parseScopes("")).toEqual([]);
  expect(isScope("MESSAGES_SEND")).toBe(true);
  expect(isScope("ALL")).toBe(false);
});
