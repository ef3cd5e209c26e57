/** The picture of the traffic over HTTP: everything for staff, an account's own for its people, and no word of others. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

let place: ConsoleFixture;
let own: string;
let others: string;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  own = await place.admin.account();
  others = await place.admin.account();
  await plantBatch(place.admin, { account: own, status: "SENDING", messages: ["SENT", "QUEUED"] });
  await plantBatch(place.admin, { account: others, status: "SENDING", messages: ["SENT", "SENT", "QUEUED"] });
});
afterEach(() => place.close());

type Point = {
  readonly at: string;
  readonly delivered: number;
  readonly failed: number;
  readonly without_receipt: number;
  readonly under_way: number;
};
type Asked = { readonly status: number; readonly code?: string; readonly points?: readonly Point[] };

async function ask(cookie: string, query = ""): Promise<Asked> {
  const answer = await fetch(`${place.origin}/console/api/reports/volume${query}`, {
    headers: { cookie, origin: place.origin },
  });
  return { status: answer.status, ...((await answer.json()) as Omit<Asked, "status">) };
}

/** Those that operators have, and those that wait, over the whole span. */
function countsOf({ points = [] }: Asked) {
  const sum = (of: (point: Point) => number) => points.reduce((all, point) => all + of(point), 0);
  return [sum((point) => point.without_receipt), sum((point) => point.under_way)];
}

describe("the picture of the traffic", () => {
  test("shows staff what all accounts sent, or one", async () => {
    const { cookie } = await place.entered("finance@example.bf", "FINANCE", null);
    for (const span of ["24h", "30d"]) {
      expect(countsOf(await ask(cookie, `?span=${span}`))).toEqual([3, 2]);
      expect(countsOf(await ask(cookie, `?span=${span}&account=${others}`))).toEqual([2, 1]);
    }
    expect((await ask(cookie)).points?.length).toBe(24);
    expect((await ask(cookie, "?span=30d")).points?.length).toBe(30);
  });

  test("shows an account's people their own, and another account is as unknown as none", async () => {
    const { cookie } = await place.entered("reader@example.bf", "ACCOUNT_READER", own);
    const staff = await place.entered("owner@example.bf", "OWNER", null);
    // What staff was shown a moment ago is not kept for others.
    await ask(staff.cookie);
    for (const query of ["", "?span=30d", `?account=${own}`]) {
      expect(countsOf(await ask(cookie, query))).toEqual([1, 1]);
    }
    const foreign = await ask(cookie, `?account=${others}`);
    const nobody = await ask(cookie, "?account=01K00000000000000000000000");
    expect([foreign.status, foreign.code]).toEqual([nobody.status, nobody.code]);
    expect(foreign.points).toBeUndefined();
  });

  test("is closed without a session, and refuses a span that there is not", async () => {
    expect((await ask("")).status).toBe(401);
    const { cookie } = await place.entered("owner@example.bf", "OWNER", null);
    expect((await ask(cookie, "?span=1y")).status).toBe(422);
  });
});
