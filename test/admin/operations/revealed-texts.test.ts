import { afterEach, beforeEach, expect, test } from "vitest";
import { MESSAGE_TEXT_OPERATIONS } from "../../../src/admin/operations/revealed-texts.ts";
import { plantBatch } from "./batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

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
  const shown = granted(
    await run(MESSAGE_TEXT_OPERATIONS["message text"], fixture.context, {
      message: message.toLowerCase(),
      reason: " complaint 12 ",
    }),
  );
  expect(shown).toMatchObject({ message_id: message, text: "Bonjour", segments: 1 });
  expect(kept()).toMatchObject({ subject: message });
  expect(JSON.parse(kept()?.detail ?? "")).toEqual({ account_id: shown.account_id, reason: "complaint 12" });
});

test("whose message it is needs no reason, and nothing is kept of it", async () => {
  expect(
    granted(await run(MESSAGE_TEXT_OPERATIONS["message text"], fixture.context, { message, reason: null }))
      .text,
  ).toBe("Bonjour");
  expect(kept()).toBeNull();
});

test("without a reason, or of a message that is not there, nothing is shown or kept", async () => {
  expect(
    codeOf(await run(MESSAGE_TEXT_OPERATIONS["message text"], fixture.context, { message, reason: "  " })),
  ).toBe("INVALID_REASON");
  expect(
    codeOf(
      await run(MESSAGE_TEXT_OPERATIONS["message text"], fixture.context, {
        message: "01K00000000000000000000000",
        reason: "why",
      }),
    ),
  ).toBe("MESSAGE_NOT_FOUND");
  expect(kept()).toBeNull();
});
