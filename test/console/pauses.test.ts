/** What clients are told of operators that are paused, where nothing is sent yet. */
import { expect, test } from "vitest";
import { accountByUlid } from "../../src/accounts/accounts.ts";
import { accountFigures } from "../../src/console/live/account-figures.ts";
import { SEND_ROUTES } from "../../src/console/routes/send.ts";
import { fileDesk } from "../../src/console/send/file-desk.ts";
import type { LinkStatus } from "../../src/sms/link.ts";
import { adminFixture, granted } from "../operations/fixture.ts";

const SINCE = "2026-03-02T00:36:00.000Z";
const PAUSED = {
  ...({ state: "BOUND", downSinceMs: null, nextAttemptAtMs: null } as const),
  paused: {
    ...{ operator: "orange", connection: null, reason: "incident", actor: "oumar@example.bf" },
    atMs: Date.parse(SINCE),
  },
};

/** What an account's people see first, and what they see where they write. */
async function toldOver(link: Partial<LinkStatus>) {
  const connections = [{ lastSecond: 0, lastError: null, ...link } as LinkStatus];
  const fixture = adminFixture(() => [{ operator: "orange", connections }]);
  const { context } = fixture;
  const id = await fixture.account();
  const account = accountByUlid(context.store.read, id)!;
  const day = { accepted: 0, charged: 0, deliveredShare: null };
  const { notices } = await accountFigures(context, account, { day, seesMoney: false });
  const asked = {
    ...{ context, user: 1, session: 1, files: fileDesk(fixture.clock), account: id, seesMoney: true },
    ...{ may: () => false, language: "fr" as const, inTheirWords: (english: string) => english },
  };
  const unread = { params: { account: id }, query: undefined, body: undefined };
  const { pauses } = granted(await SEND_ROUTES["GET /send/:account/pauses"].run(asked, unread));
  await fixture.close();
  return { notices, pauses };
}

test("a pause is told with since when, and without who it was and why", async () => {
  expect(await toldOver(PAUSED)).toEqual({
    notices: [{ kind: "PAUSED", operator: "orange", since: SINCE }],
    pauses: [{ operator: "orange", name: "orange", since: SINCE }],
  });
});

test("nothing is told while no operator is paused", async () => {
  expect(await toldOver({ ...PAUSED, paused: null })).toEqual({ notices: [], pauses: [] });
});
