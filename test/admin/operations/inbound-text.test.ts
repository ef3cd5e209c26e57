import { afterEach, beforeEach, expect, test } from "vitest";
import { INBOUND_TEXT_OPERATIONS } from "../../../src/admin/operations/revealed-texts.ts";
import { insertInboundText } from "../../../src/domain/inbound/inbound-texts.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

test("what a subscriber wrote is shown to who says why, and only the reason is kept", async () => {
  const { context, clock } = fixture;
  const text = {
    operator: "orange",
    source: "22605112233",
    destination: "7000",
    msisdn: "+22605112233",
    dataCoding: 0,
    text: "I am ill",
    octets: new Uint8Array([1]),
    parts: 1,
    missing: 0,
    optOut: null,
  };
  await context.store.write((tx) => insertInboundText(tx, text, clock.nowMs()));
  await context.store.write((tx) =>
    insertInboundText(tx, { ...text, text: null, octets: new Uint8Array([0xff, 2]) }, clock.nowMs()),
  );
  expect(
    codeOf(await run(INBOUND_TEXT_OPERATIONS["inbound text"], context, { inbound: 1, reason: "" })),
  ).toBe("INVALID_REASON");
  expect(fixture.audited()).toEqual([]);
  expect(
    granted(await run(INBOUND_TEXT_OPERATIONS["inbound text"], context, { inbound: 1, reason: "complaint" })),
  ).toEqual({
    inbound_id: 1,
    text: "I am ill",
    hex: null,
  });
  expect(
    granted(await run(INBOUND_TEXT_OPERATIONS["inbound text"], context, { inbound: 2, reason: "complaint" })),
  ).toMatchObject({ text: null, hex: "ff02" });
  expect(
    codeOf(await run(INBOUND_TEXT_OPERATIONS["inbound text"], context, { inbound: 3, reason: "complaint" })),
  ).toBe("MESSAGE_NOT_FOUND");
  expect(
    granted(await run(INBOUND_TEXT_OPERATIONS["inbound text"], context, { inbound: 1, reason: null })).text,
  ).toBe("I am ill");
  expect(fixture.audited()).toEqual(["awa: inbound text", "awa: inbound text"]);
  expect(JSON.stringify(context.store.read.all("SELECT * FROM audit_entries"))).not.toContain("ill");
});
