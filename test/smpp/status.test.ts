import { describe, expect, test } from "vitest";
import { english } from "../../src/i18n/text.ts";
import { refusesCredentials, statusMeaning, statusPhrase } from "../../src/smpp/status.ts";

describe("statusMeaning", () => {
  // Keeps: behaviour 6.15
  test("exactly the answers of docs/behaviour.md#answers-of-the-operator are tried again", () => {
    const retried = [];
    for (let status = 1; status <= 0x4ff; status++) {
      if (statusMeaning(status).class === "retry") retried.push(status);
    }
    expect(retried).toEqual([0x08, 0x14, 0x58, 0x64, 0x102]);
    expect(statusMeaning(0xff).class).toBe("retry_once");
    expect(statusMeaning(0).class).toBe("ok");
  });

  test("a vendor's own code is final and named by its number", () => {
    expect(statusMeaning(0x455)).toMatchObject({ name: "0x455", class: "fail" });
    expect(statusMeaning(0xffff_ffff)).toMatchObject({ name: "0xFFFFFFFF", class: "fail" });
  });
});

test("a status is told by code, name and words", () => {
  expect(english(statusPhrase(0x0b))).toBe("0x0B RINVDSTADR: the recipient's number is not accepted");
  expect(english(statusPhrase(0x400))).toBe("0x400: a code of the operator's own");
});

test("a bind refused for its credentials is told from one that may work later", () => {
  for (const status of [0x0e, 0x0f, 0x53]) expect(refusesCredentials(status)).toBe(true);
  for (const status of [0x05, 0x08, 0x0d]) expect(refusesCredentials(status)).toBe(false);
});
