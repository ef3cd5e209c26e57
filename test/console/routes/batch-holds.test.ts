/** What holds the messages of a batch, as its page is told. */
import { expect, test } from "vitest";
import type { SessionStatus } from "../../../src/channels/sms/operator-session.ts";
import { BATCH_ROUTES } from "../../../src/console/server/routes/batches.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { adminFixture, granted } from "../../admin/operations/fixture.ts";
import { inEnglish } from "../english-words.ts";

const PAUSED = {
  ...({ state: "BOUND", downSinceMs: null, nextAttemptAtMs: null } as const),
  paused: {
    operator: "orange",
    connection: null,
    reason: "incident",
    actor: "oumar@example.bf",
    atMs: Date.UTC(2026, 2, 2, 0, 36),
  },
};
const UP = { ...PAUSED, paused: null };
const DOWN = { ...UP, state: "WAITING", downSinceMs: 2000, nextAttemptAtMs: 3000 } as const;

async function heldOver(link: Partial<SessionStatus>, options: { isStaff?: boolean; status?: string } = {}) {
  const { isStaff = true, status = "SENDING" } = options;
  const connections = [{ lastSecond: 0, lastError: null, ...link } as SessionStatus];
  const fixture = adminFixture(() => [{ operator: "orange", connections }]);
  const account = await fixture.account();
  const messages = ["SENT", "QUEUED", "QUEUED"] as const;
  const batch = await plantBatch(fixture, { account, status, messages });
  const asked = {
    context: fixture.context,
    user: 1,
    session: 1,
    files: createUploads(fixture.clock),
    account: isStaff ? null : account,
    seesMoney: true,
    may: () => isStaff,
    language: "fr" as const,
    translate: inEnglish,
  };
  const unread = { params: { batch }, query: undefined, body: undefined };
  const view = granted(await BATCH_ROUTES["GET /batches/:batch"].run(asked, unread));
  await fixture.close();
  return { waiting: view.waiting, holds: view.holds };
}

test("messages that wait for a paused operator are told with how many, since when, by whom and why", async () => {
  const since = "2026-03-02T00:36:00.000Z";
  expect(await heldOver(PAUSED)).toMatchObject({
    waiting: 2,
    holds: [
      { operator: "orange", messages: 2, pause: { since, by: "oumar@example.bf", reason: "incident" } },
    ],
  });
  // Who it was and why is the appliance's own people's.
  expect(await heldOver(PAUSED, { isStaff: false })).toMatchObject({
    holds: [{ pause: { since, by: null, reason: null } }],
  });
});

test("an operator that is out of reach is told with since when, and one that is up not at all", async () => {
  expect(await heldOver(DOWN)).toMatchObject({
    holds: [{ pause: null, away: { since: "1970-01-01T00:00:02.000Z" } }],
  });
  expect(await heldOver(UP)).toEqual({ waiting: 2, holds: [] });
});

test("what waits for the time of its batch is held by nothing else", async () => {
  expect(await heldOver(PAUSED, { status: "SCHEDULED" })).toEqual({ waiting: 2, holds: [] });
});
