/** What the console asks for as a test of an operator: a number of another is refused, and the audit has from where it was asked. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { operatorTest } from "../../../src/admin/operations/operator-test.ts";
import { AUDIT_OPERATIONS } from "../../../src/admin/reports/audit.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

/** Asked by somebody in the console, over an operator that takes it. */
function asked(msisdn: string, anyNumber: boolean) {
  const { context } = fixture;
  if (!context.server) throw new Error("the fixture has a server");
  const testSender = () => ({ obstacle: () => null, offer: () => async () => {} });
  const inConsole = {
    ...context,
    server: { ...context.server, testSender },
    from: { address: "192.0.2.7", requestId: "01JB0000000000000000000009" },
  };
  return operatorTest(inConsole, "orange", {
    msisdn,
    text: null,
    sender: null,
    waitSeconds: 0,
    anyNumber,
  });
}

test("a number of another operator is refused before anything is written, and sent when that is wanted", async () => {
  const refused = await asked("01 11 22 33", false);
  expect(refused.ok ? null : refused.refusal.code).toBe("NUMBER_OF_ANOTHER");
  expect(fixture.audited()).toEqual([]);
  expect((await asked("01 11 22 33", true)).ok).toBe(true);
  expect((await asked("05 11 22 33", false)).ok).toBe(true);
});

test("the audit tells from where it was asked", async () => {
  granted(await asked("05 11 22 33", false));
  const filters = { actor: null, action: null, account: null, from: null, to: null, limit: 10 };
  const listed = granted(await run(AUDIT_OPERATIONS["audit list"], fixture.context, filters));
  expect(JSON.stringify(listed)).toContain("192.0.2.7");
});
