/** What clients are told of operators and numbers of WhatsApp that are paused, where nothing is sent yet. */
import { expect, test } from "vitest";
import { senderApprove, senderRegister, senderRequest } from "../../src/admin/operations/senders.ts";
import type { SessionStatus } from "../../src/channels/sms/operator-session.ts";
import type { NumberStatus } from "../../src/channels/whatsapp/number-worker.ts";
import { accountFigures } from "../../src/console/server/live/account-figures.ts";
import { SEND_ROUTES } from "../../src/console/server/routes/send.ts";
import { createUploads } from "../../src/console/server/send/uploads.ts";
import { accountByUlid } from "../../src/domain/accounts/accounts.ts";
import { adminFixture, granted } from "../admin/operations/fixture.ts";
import { configOf, document } from "../config/sample.ts";
import { inEnglish } from "./english-words.ts";

const SINCE = "2026-03-02T00:36:00.000Z";
const pause = {
  connection: null,
  reason: "incident",
  actor: "oumar@example.bf",
  atMs: Date.parse(SINCE),
};
const PAUSED = {
  ...({ state: "BOUND", downSinceMs: null, nextAttemptAtMs: null } as const),
  paused: { operator: "orange", ...pause },
};
const NUMBER = { phone_number_id: "1", waba_id: "2", token: "t0ken", price: { OTP: 6 } };
const WHATSAPP = { app_secret: "S", verify_token: "V", numbers: { main: NUMBER } };

type Paused = { readonly link?: Partial<SessionStatus>; readonly number?: Partial<NumberStatus> };

/** What an account's people see first, and what they see where they write; `senders` by where they are registered. */
async function toldOver(
  { link = { ...PAUSED, paused: null }, number = { paused: null } }: Paused,
  senders: Readonly<Record<string, string>> = {},
) {
  const connections = [{ lastSecond: 0, lastError: null, ...link } as SessionStatus];
  const numbers = [{ operator: "whatsapp:main", ...number } as NumberStatus];
  const fixture = adminFixture(() => [{ operator: "orange", connections }]);
  const { server } = fixture.context;
  const context = {
    ...fixture.context,
    config: configOf(document({ whatsapp: WHATSAPP })),
    server: server && { ...server, numberStatus: () => numbers },
  };
  const id = await fixture.account();
  for (const [sender, operator] of Object.entries(senders)) {
    granted(await senderRequest(context, id, sender));
    granted(await senderApprove(context, id, sender));
    granted(await senderRegister(context, id, sender, operator));
  }
  const account = accountByUlid(context.store.read, id)!;
  const day = { accepted: 0, charged: 0, deliveredShare: null };
  const { notices } = await accountFigures(context, account, { day, seesMoney: false, managesKeys: false });
  const asked = {
    context,
    user: 1,
    session: 1,
    files: createUploads(fixture.clock),
    account: id,
    seesMoney: true,
    may: () => false,
    language: "fr" as const,
    translate: inEnglish,
  };
  const unread = { params: { account: id }, query: undefined, body: undefined };
  const { pauses } = granted(await SEND_ROUTES["GET /send/:account/pauses"].run(asked, unread));
  await fixture.close();
  return { notices: notices.filter(({ kind }) => kind.endsWith("PAUSED")), pauses };
}

test("a pause is told with since when, and without who it was and why", async () => {
  const { notices, pauses } = await toldOver({ link: PAUSED });
  expect(notices).toMatchObject([{ kind: "PAUSED", since: SINCE }]);
  expect(pauses).toMatchObject([{ operator: "orange", since: SINCE, senders: null }]);
  expect(JSON.stringify([notices, pauses])).not.toMatch(/incident|oumar/);
});

test("nothing is told while no operator is paused", async () => {
  expect(await toldOver({})).toEqual({ notices: [], pauses: [] });
});

test("a pause of one route is none of its operator, and no client reads of it", async () => {
  const link = { ...PAUSED, paused: { operator: "orange/direct", ...pause } };
  expect(await toldOver({ link })).toEqual({ notices: [], pauses: [] });
});

test("a pause of a number of WhatsApp is told to those whose senders write by it, and names those", async () => {
  const number = { paused: { operator: "whatsapp:main", ...pause } };
  const { notices, pauses } = await toldOver({ number }, { SHOP: "whatsapp:main", KIOSK: "orange" });
  expect(notices).toEqual([{ kind: "NUMBER_PAUSED", senders: ["SHOP"], since: SINCE }]);
  expect(pauses).toEqual([{ operator: "whatsapp:main", name: "WhatsApp", senders: ["SHOP"], since: SINCE }]);
  expect(await toldOver({ number }, { KIOSK: "orange" })).toEqual({ notices: [], pauses: [] });
});
