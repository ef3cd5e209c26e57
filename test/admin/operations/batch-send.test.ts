import { afterEach, beforeEach, expect, test } from "vitest";
import { batchSend } from "../../../src/admin/operations/batch-send.ts";
import { senderApprove, senderRegister, senderRequest } from "../../../src/admin/operations/senders.ts";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { writeOutImports } from "../../../src/domain/messages/import-rows.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  const { context } = fixture;
  granted(await walletTopUp(context, account, 1000, "r1"));
  granted(await senderRequest(context, account, "SHOP"));
  granted(await senderApprove(context, account, "SHOP"));
  granted(await senderRegister(context, account, "SHOP", "orange"));
});
afterEach(() => fixture.close());

const BODY = JSON.stringify({
  sender: "SHOP",
  body: "Bonjour",
  message_class: "TRANSACTIONAL",
  recipients: [{ msisdn: "05123456" }],
});

/** A file of which so many rows are no recipients. */
function unreadable(count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({
    line: index + 3,
    status: "UNREADABLE" as const,
    cause: { code: "NO_NUMBER" as const, params: {} },
    position: null,
    written: `x${index}`,
    msisdn: null,
    cells: { nom: "Awa" },
    client_reference: null,
    of: null,
  }));
  return { ulid: null, lines: null, leftOut: count, rows };
}

const kept = () =>
  fixture.context.store.read.get<{ rows: number; lines: number; left: number }>(
    `SELECT count(*) AS rows, count(DISTINCT line) AS lines, (SELECT count(*) FROM import_rows_to_write) AS left
     FROM import_rows WHERE cells = '{"nom":"Awa"}'`,
  );

const send = (context = fixture.context) =>
  batchSend(context, account, new TextEncoder().encode(BODY), "daily", { file: unreadable(613) });

test("all rows of a file that are no recipients are kept with its batch", async () => {
  granted(await send());
  expect(kept()).toEqual({ rows: 613, lines: 613, left: 0 });
});

test("those of a batch after whose acceptance the process died are kept, whoever looks after them first", async () => {
  const { context } = fixture;
  // The submission is written by a store of its own: of what the operation writes, only who asked is there.
  let writes = 0;
  const write: typeof context.store.write = (...asked) => {
    writes += 1;
    return writes === 1 ? context.store.write(...asked) : Promise.reject(new Error("the process died"));
  };
  await expect(send({ ...context, store: { ...context.store, write } })).rejects.toThrow("the process died");
  expect(kept()).toEqual({ rows: 250, lines: 250, left: 1 });
  // Said again, it is the same batch; a start does the same.
  expect(granted(await send()).is_replayed).toBe(true);
  expect(kept()).toEqual({ rows: 613, lines: 613, left: 0 });
  await writeOutImports(context.store);
  expect(kept()).toEqual({ rows: 613, lines: 613, left: 0 });
});
