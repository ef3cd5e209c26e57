import { afterEach, beforeEach, expect, test } from "vitest";
import { dayFigures } from "../../src/console/server/live/day-figures.ts";
import { plantBatch } from "../admin/operations/batch-fixture.ts";
import { type ConsoleFixture, consoleFixture } from "./fixture.ts";

let place: ConsoleFixture;
beforeEach(async () => {
  place = await consoleFixture();
});
afterEach(() => place.close());

test("what a client is told of the day is delivered of those accepted, as in the report of a batch: what never left counts too", async () => {
  const account = await place.admin.account();
  const messages = ["SENT", "SENT", "QUEUED", "QUEUED"] as const;
  await plantBatch(place.admin, { account, status: "SENDING", messages });
  await place.context.store.write((tx) => {
    const end = "is_final = 1, is_money_closed = 1";
    tx.run(
      `UPDATE messages SET status = 'DELIVERED', sent_at = 1000, delivered_at = 2000, ${end} WHERE position = 0`,
    );
    tx.run(
      `UPDATE messages SET status = 'FAILED', error_code = 'SENDER_NOT_REGISTERED', ${end} WHERE position = 2`,
    );
  });
  expect(await dayFigures()(place.context, account)).toMatchObject({ accepted: 4, deliveredShare: 0.25 });
});

test("where nothing was accepted there is no share", async () => {
  const account = await place.admin.account();
  expect(await dayFigures()(place.context, account)).toMatchObject({ accepted: 0, deliveredShare: null });
});

test("is of the day of the account's own clocks", async () => {
  const account = await place.admin.account();
  const { clock, context } = place.admin;
  await context.store.write((tx) => void tx.run("UPDATE accounts SET timezone = 'Pacific/Auckland'"));
  await clock.advance(Date.UTC(2026, 2, 3, 10) - clock.nowMs());
  await plantBatch(place.admin, { account, status: "QUEUED", messages: ["QUEUED", "QUEUED"] });
  // In Auckland another day has begun; in Ouagadougou it has not.
  await clock.advance(2 * 3_600_000);
  await plantBatch(place.admin, { account, status: "QUEUED", messages: ["QUEUED"] });
  expect(await dayFigures()(place.context, account)).toMatchObject({ accepted: 1 });
  expect(await dayFigures()(place.context, null)).toMatchObject({ accepted: 3 });
});
