import { afterEach, beforeEach, expect, test } from "vitest";
import { messageText } from "../../../src/admin/operations/revealed-texts.ts";
import { plantBatch } from "./batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
let message: string;
beforeEach(async () => {
  fixture = adminFixture();
  const account = await fixture.account();
  await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
  message = fixture.context.store.read.get<{ ulid: string }>("SELECT ulid FROM messages")!.ulid;
});
afterEach(() => fixture.close());

const kept = () =>
  fixture.context.store.read.get<{ subject: string; detail: string }>(
    "SELECT subject, detail FROM audit_entries WHERE action = 'message text'",
  );

test("a text is shown to who says why, and the reason is kept without it", async () => {
  const shown = granted(await messageText(fixture.context, message.toLowerCase(), " complaint 12 "));
  expect(shown).toMatchObject({ message_id: message, text: "Bonjour", segments: 1 });
  expect(kept()).toMatchObject({ subject: message });
  expect(JSON.parse(kept()?.detail ?? "")).toEqual({ account_id: shown.account_id, reason: "complaint 12" });
});

test("whose message it is needs no reason, and nothing is kept of it", async () => {
  expect(granted(await messageText(fixture.context, message, null)).text).toBe("Bonjour");
  expect(kept()).toBeNull();
});

test("without a reason, or of a message that is not there, nothing is shown or kept", async () => {
  expect(codeOf(await messageText(fixture.context, message, "  "))).toBe("INVALID_REASON");
  expect(codeOf(await messageText(fixture.context, "01K00000000000000000000000", "why"))).toBe(
    "MESSAGE_NOT_FOUND",
  );
  expect(kept()).toBeNull();
});
