/** What the page of what waits is told of the operator itself. */

import { expect, test } from "vitest";
import type { SessionStatus } from "../../../src/channels/sms/operator-session.ts";
import { QUEUE_ROUTES } from "../../../src/console/server/routes/queue.ts";
import { createUploads } from "../../../src/console/server/send/uploads.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { adminFixture, granted } from "../../admin/operations/fixture.ts";
import { inFrenchWords } from "../french-words.ts";

async function queueOver(...links: readonly Partial<SessionStatus>[]) {
  const connections = links.map((link) => ({ lastSecond: 0, lastError: null, ...link }) as SessionStatus);
  const fixture = adminFixture(() => [{ operator: "orange", connections }]);
  const account = await fixture.account();
  await plantBatch(fixture, { account, status: "QUEUED", messages: ["QUEUED", "QUEUED"] });
  const asked = {
    context: fixture.context,
    account: null,
    user: 1,
    files: createUploads(fixture.clock),
    seesMoney: true,
    may: () => true,
    language: "fr" as const,
    translate: inFrenchWords,
  };
  const unread = { params: undefined, query: undefined, body: undefined };
  const { queues } = granted(await QUEUE_ROUTES["GET /queue"].run(asked, unread));
  await fixture.close();
  return queues[0];
}

test("the pause of an operator is told with who, when and why; that of one connection is not the operator's", async () => {
  const atMs = Date.UTC(2026, 2, 2, 0, 36);
  const paused = (connection: string | null) => ({
    ...({ state: "BOUND", downSinceMs: null, nextAttemptAtMs: null } as const),
    paused: { operator: "orange", connection, reason: "incident", actor: "oumar@example.bf", atMs },
  });
  expect(await queueOver(paused(null))).toMatchObject({
    pause: { reason: "incident", by: "oumar@example.bf", since: "2026-03-02T00:36:00.000Z" },
    away: null,
  });
  expect((await queueOver(paused("one")))?.pause).toBeNull();
});

test("an operator without a connection is told since when, why in the reader's words, and when it is tried again", async () => {
  const down = (downSinceMs: number, nextAttemptAtMs: number) => ({
    ...({ state: "WAITING", paused: null, downSinceMs, nextAttemptAtMs } as const),
    lastError: phrase("link.closed_by_operator"),
  });
  const away = (await queueOver(down(1000, 9000), down(2000, 8000)))?.away;
  expect(away).toMatchObject({
    since: "1970-01-01T00:00:02.000Z",
    next_attempt_at: "1970-01-01T00:00:08.000Z",
  });
  expect(away?.why).toEqual(phrase("link.closed_by_operator"));
  const up = { state: "BOUND", paused: null, downSinceMs: null, nextAttemptAtMs: null } as const;
  expect((await queueOver(down(1000, 9000), up))?.away).toBeNull();
});
