/** Callbacks of both doors: their order, and what is left of them. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rig, rig } from "./rig.ts";

let it: Rig;
beforeEach(async () => {
  it = await rig();
  // Connections to operators take a moment.
  await it.stage.clock.advance(2000);
});
afterEach(() => it.close());

const send = (to: string, more: Readonly<Record<string, string>> = {}) =>
  it.get("/cgi-bin/sendsms", {
    username: it.login.user,
    password: it.login.password,
    to,
    text: "Hello",
    "dlr-url": `${it.callbackUrl}/dlr?type=%d&to=%p`,
    "dlr-mask": "31",
    ...more,
  });

const told = () => it.calls.map(({ url }) => url.slice("/dlr?type=".length).replace("&to=", " "));

/** How many rows wait in a table. */
function left(table: string): number {
  const db = new Database(join(it.stage.settings.now().storage.directory, "bendre.db"), { readonly: true });
  const row = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get();
  db.close();
  return row?.n ?? -1;
}

test("of a message are made one after the other, and a later one is not told before one that failed a moment ago", async () => {
  let isFirst = true;
  it.answerBy(() => {
    const status = isFirst ? 500 : 200;
    isFirst = false;
    return { status, text: "" };
  });
  await send("70000001");
  await it.untilCalls(1);
  await it.stage.clock.advance(5000);
  expect(told()).toEqual(["8 70000001"]);
  await it.untilCalls(3);
  expect(told()).toEqual(["8 70000001", "8 70000001", "1 70000001"]);
});

test("wait no longer than 40 seconds for one that is never taken, which then is no news any more", async () => {
  it.answerBy(({ url }) => ({ status: url.includes("type=8") ? 500 : 200, text: "" }));
  await send("70000001");
  await it.untilCalls(4, 1000);
  expect(told()).toEqual(["8 70000001", "8 70000001", "8 70000001", "1 70000001"]);
  await it.stage.clock.advance(3_600_000);
  expect(it.calls.length).toBe(4);
});

test("of others do not wait for them, nor do those of several receivers who were rejected", async () => {
  it.answerBy(({ url }) => ({ status: url.includes("70000001") ? 500 : 200, text: "" }));
  await send("70000001 70000002 99999991 99999992");
  await it.untilCalls(5);
  expect(told().toSorted()).toEqual([
    ...["1 70000002", "16 99999991", "16 99999992", "8 70000001", "8 70000002"],
  ]);
});

test("of one client wait for no server of another that never answers, however many are for it", async () => {
  const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
  const numbers = Array.from({ length: 450 }, (_, index) => String(70_000_000 + index));
  const url = `http://127.0.0.1:${silent.port}/dlr?to=%p`;
  expect((await send(numbers.join(" "), { "dlr-url": url, "dlr-mask": "8" })).status).toBe(202);
  while (left("compat_callbacks") < 450) await it.stage.clock.advance(100);
  await send("70001000", { "dlr-mask": "8" });
  for (let ms = 0; ms < 5000 && told().length === 0; ms += 100) {
    await it.stage.clock.advance(100);
    await fetch(`${it.callbackUrl}/barrier`);
  }
  await silent.stop(true);
  expect(told()).toEqual(["8 70001000"]);
});

test("are told of each of hundreds of receivers, which are written in steps", async () => {
  const numbers = Array.from({ length: 600 }, (_, index) => String(70_000_000 + index));
  const said = await send(numbers.join(" "), { "dlr-mask": "3" });
  expect(said.status).toBe(202);
  await it.untilCalls(600);
  expect(new Set(told())).toEqual(new Set(numbers.map((number) => `1 ${number}`)));
});

test("under way when everything stops are waited for, so that they are not made again", async () => {
  const answer = Promise.withResolvers<void>();
  it.answerBy(async () => {
    await answer.promise;
    return { status: 200, text: "" };
  });
  await send("70000001", { "dlr-mask": "8" });
  await it.untilCalls(1);
  const stopped = it.stage.stop();
  answer.resolve();
  await stopped;
  await it.stage.start();
  await it.stage.clock.advance(15_000);
  await send("70000002", { "dlr-mask": "8" });
  await it.untilCalls(2);
  expect(told()).toEqual(["8 70000001", "8 70000002"]);
});

test("leave nothing behind when all is told, nor when a number is erased before", async () => {
  await send("70000001");
  await it.untilCalls(2);
  await it.stage.clock.advance(2000);
  const tables = ["compat_callbacks", "compat_cursors", "compat_follows"];
  expect(tables.map(left)).toEqual([0, 0, 0]);
  it.answer(500, "");
  await send("70000002");
  await it.untilCalls(3);
  let isOver = false;
  const erased = it.stage.admin("data erase", { MSISDN: "+22670000002" }).finally(() => {
    isOver = true;
  });
  while (!isOver) await it.stage.clock.advance(50);
  expect(await erased).toMatchObject({ left: 0 });
  await it.stage.clock.advance(2000);
  expect(tables.map(left)).toEqual([0, 0, 0]);
});

test("of a text for later are not made where its number is erased, and nothing is looked for any more", async () => {
  it.answer(500, "");
  await send("70000003", { deferred: "60" });
  expect(["compat_cursors", "compat_follows"].map(left)).toEqual([1, 1]);
  const shown = await it.stage.admin("data export", { MSISDN: "70000003" });
  expect(shown.waiting_callbacks).toMatchObject([{ protocol: "kannel", due_at: null }]);
  const erased = it.stage.admin("data erase", { MSISDN: "70000003", cancel: "true" });
  let isOver = false;
  const over = erased.finally(() => {
    isOver = true;
  });
  while (!isOver) await it.stage.clock.advance(50);
  await over;
  expect(await erased).toMatchObject({ cancelled: 1, left: 0 });
  await it.stage.clock.advance(2000);
  expect(["compat_callbacks", "compat_cursors", "compat_follows"].map(left)).toEqual([0, 0, 0]);
});

test("that wait are in what a person is shown of the number", async () => {
  it.answer(500, "");
  await send("70000001");
  await it.untilCalls(1);
  await it.stage.clock.advance(1000);
  const shown = await it.stage.admin("data export", { MSISDN: "70000001" });
  const address = `${it.callbackUrl}/dlr?type=`;
  expect(shown.waiting_callbacks).toMatchObject([
    { protocol: "kannel", method: "GET", url: `${address}8&to=70000001`, attempts: 1 },
    { protocol: "kannel", method: "GET", url: `${address}1&to=70000001`, attempts: 0 },
  ]);
});
