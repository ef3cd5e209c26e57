import { afterEach, describe, expect, test } from "vitest";
import { deleteNumberStop, saveNumberStop } from "../../../src/channels/whatsapp/number-stops.ts";
import { countDailyUsers } from "../../../src/channels/whatsapp/pacing.ts";
import { portfolioOf } from "../../../src/channels/whatsapp/post-messages.ts";
import { endPauses, insertPause } from "../../../src/dispatch/pauses.ts";
import { recordOperatorRename } from "../../../src/domain/messages/operator-codes.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import type { PostFate } from "../../../src/simulator/whatsapp/fate.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { READY, type RigOptions, type WhatsappRig, whatsappRig } from "./rig.ts";

const rigs: WhatsappRig[] = [];

async function rigWith(options: RigOptions = {}) {
  const rig = await whatsappRig(options);
  rigs.push(rig);
  return rig;
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

const SENT: PostFate = fated([{ status: "sent" }]);
const DELIVERED: PostFate = fated([{ status: "sent" }, { status: "delivered" }]);
const failing = (code: number): PostFate => fated([{ status: "failed", code }]);
const refusing = (code: number): PostFate => ({ ...fated([]), answer: code, isTaken: false });
/** One fate a post, whoever it is to, and the last for all that follow. */
const inOrder = (...fates: PostFate[]) => {
  let posts = 0;
  return () => fates[Math.min(++posts, fates.length) - 1] ?? null;
};
/** One fate a post to a user, and the last for all that follow. */
const inTurn =
  (...fates: PostFate[]) =>
  (_: unknown, nth: number) =>
    fates[Math.min(nth, fates.length) - 1] ?? null;

const AWA = "70000001";

describe("a message of WhatsApp", () => {
  test("is claimed, posted under its id, sent and delivered, and charged then", async () => {
    const rig = await rigWith({
      fate: inTurn(fated([{ status: "sent" }, { status: "delivered", toldAfterMs: 500 }])),
    });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "SENT");
    const [message] = rig.messages(batchId);
    expect(message).toMatchObject({ amount: 0, is_money_closed: 0 });
    const ulid = rig.store.read.get<{ ulid: string }>("SELECT ulid FROM messages")?.ulid;
    expect(rig.posts).toMatchObject([{ to: `226${AWA}`, opaque: `${ulid}.1`, phone: "42" }]);
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.messages(batchId)).toMatchObject([{ amount: 15, is_final: 1, is_money_closed: 1 }]);
    expect(rig.base.batch(batchId)).toMatchObject({
      status: "SETTLED",
      charged_amount: 15,
      released_amount: 0,
    });
  });

  test("is delivered when it is read, whether that was told or not, and once", async () => {
    const fate = inTurn(
      fated([
        { status: "read", times: 2 },
        { status: "delivered", toldAfterMs: 200, times: 2 },
        { status: "sent", toldAfterMs: 400 },
      ]),
    );
    const rig = await rigWith({ fate });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_posts")[0]?.told === 7);
    expect(rig.statuses(batchId)).toEqual(["DELIVERED"]);
    expect(rig.rows("whatsapp_posts")[0]).toMatchObject({ close_at: null });
    expect(rig.rows("whatsapp_posts")[0]?.read_at).not.toBeNull();
    expect(rig.base.batch(batchId)).toMatchObject({ sent: 1, delivered: 1, charged_amount: 15 });
  });

  test("costs nothing when Meta bills nobody, unless the configuration says otherwise", async () => {
    const rig = await rigWith({ fate: inTurn({ ...DELIVERED, isBillable: false }) });
    const free = await rig.send([AWA]);
    await rig.until(() => rig.statuses(free)[0] === "DELIVERED");
    expect(rig.base.batch(free)).toMatchObject({ charged_amount: 0, released_amount: 15 });
    rig.settings.replace(rig.config({ free_is_free: false }));
    const paid = await rig.send(["70000002"]);
    await rig.until(() => rig.statuses(paid)[0] === "DELIVERED");
    expect(rig.base.batch(paid)).toMatchObject({ charged_amount: 15, released_amount: 0 });
  });

  test("that is held for its template's quality is SUBMITTED until a status comes, and never posted again", async () => {
    const held = fated([
      { status: "sent", toldAfterMs: 60_000 },
      { status: "delivered", toldAfterMs: 61_000 },
    ]);
    const rig = await rigWith({ fate: inTurn({ ...held, messageStatus: "held_for_quality_assessment" }) });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_posts")[0]?.state === "HELD");
    await rig.pass(30_000, 1000);
    expect(rig.statuses(batchId)).toEqual(["SUBMITTED"]);
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED", 500);
    expect(rig.posts).toHaveLength(1);
  });

  test.each([
    [131026, "UNKNOWN_SUBSCRIBER"],
    [131049, "CHANNEL_LIMIT"],
    [131050, "RECIPIENT_OPTED_OUT"],
    [132018, "PARAMETER_REFUSED"],
    [132015, "TEMPLATE_UNAVAILABLE"],
    [131000, "OPERATOR_REJECTED"],
    [555555, "OPERATOR_REJECTED"],
  ])("fails with %d as a status: %s, and is released", async (code, error) => {
    const rig = await rigWith({ fate: inTurn(failing(code)) });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED");
    expect(rig.messages(batchId)).toMatchObject([
      { error_code: error, operator_code: String(code), amount: 0 },
    ]);
    expect(rig.base.batch(batchId)).toMatchObject({ charged_amount: 0, released_amount: 15, failed: 1 });
    expect(rig.posts).toHaveLength(1);
  });

  test("fails with a code as the answer, and is not posted again", async () => {
    const rig = await rigWith({ fate: inTurn(refusing(132001)) });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED");
    expect(rig.messages(batchId)).toMatchObject([
      { error_code: "TEMPLATE_UNAVAILABLE", operator_code: "132001" },
    ]);
    await rig.pass(5000);
    expect(rig.posts).toHaveLength(1);
  });
});

describe("a code that says again", () => {
  test.each([
    ["as the answer", refusing(130429)],
    ["as a status", failing(130429)],
  ])("%s has the message posted anew under the next number, and counted SENT once", async (_, first) => {
    const rig = await rigWith({ fate: inTurn(first, DELIVERED), sim: { pairMs: 0 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.posts.map(({ opaque }) => opaque?.split(".")[1])).toEqual(["1", "2"]);
    expect(rig.base.batch(batchId)).toMatchObject({
      submitted: 1,
      sent: 1,
      delivered: 1,
      charged_amount: 15,
    });
  });

  test("has no message posted more than five times", async () => {
    const rig = await rigWith({ fate: inTurn(refusing(130429)), sim: { pairMs: 0 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED", 50);
    expect(rig.messages(batchId)).toMatchObject([
      { error_code: "OPERATOR_THROTTLED", operator_code: "130429" },
    ]);
    expect(rig.posts).toHaveLength(5);
    expect(rig.base.batch(batchId)).toMatchObject({ charged_amount: 0, released_amount: 15 });
  });

  test("of the user waits six seconds, and holds up nobody else", async () => {
    const rig = await rigWith({
      sim: { pairMs: 0 },
      fate: (post, nth) => (post.to.endsWith(AWA) && nth === 1 ? refusing(131056) : DELIVERED),
    });
    const [awa, other] = [await rig.send([AWA]), await rig.send(["70000002"])];
    await rig.until(() => rig.statuses(other)[0] === "DELIVERED");
    await rig.until(() => rig.statuses(awa)[0] === "DELIVERED");
    const [refused, taken] = rig.posts.filter(({ to }) => to.endsWith(AWA)).map(({ atMs }) => atMs);
    expect((taken ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(6000);
  });

  test("of the account slows its numbers and no other's", async () => {
    const other = { phone_number_id: "43", waba_id: "8", token: "t", price: { TRANSACTIONAL: 5 } };
    const rig = await rigWith({
      more: { other },
      fate: (post, nth) => (post.to.endsWith(AWA) && nth === 1 ? refusing(80007) : DELIVERED),
    });
    await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_posts")[0]?.state === "REFUSED", 5);
    const [slowed, free] = [await rig.send(["70000003"]), await rig.send(["70000002"], "whatsapp:other")];
    await rig.until(() => rig.statuses(free)[0] === "DELIVERED", 5);
    expect(rig.statuses(slowed)).toEqual(["QUEUED"]);
    await rig.until(() => rig.statuses(slowed)[0] === "DELIVERED");
  });
});

describe("a post without an answer", () => {
  test("is never made again, and settled by its statuses", async () => {
    const rig = await rigWith({
      whatsapp: { response_timeout_seconds: 1 },
      fate: inTurn({ ...fated([{ status: "delivered", toldAfterMs: 60_000 }]), isAnswered: false }),
    });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_posts")[0]?.state === "UNANSWERED", 100);
    expect(rig.statuses(batchId)).toEqual(["SUBMITTED"]);
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED", 100);
    expect(rig.posts).toHaveLength(1);
    expect(rig.base.batch(batchId)).toMatchObject({ sent: 1, delivered: 1, charged_amount: 15 });
  });

  test.each([[503], [131000], [131016], [1]])(
    "%d: waits for its validity, ten minutes at least",
    async (code) => {
      const rig = await rigWith({ fate: inTurn(refusing(code)) });
      const batchId = await rig.send([AWA]);
      await rig.until(() => rig.rows("whatsapp_posts")[0]?.state === "UNANSWERED");
      const [message] = rig.messages(batchId);
      const expiresAt = rig.store.read.get<{ at: number }>("SELECT expires_at AS at FROM batches")?.at ?? 0;
      expect(message?.unanswered_until).toBe(Math.max(expiresAt, rig.clock.nowMs() + 600_000));
      await rig.pass(20_000, 1000);
      expect(rig.posts).toHaveLength(1);
    },
  );

  test("that found nobody listening is queued, and made once somebody does", async () => {
    const rig = await rigWith({ fate: inTurn(DELIVERED) });
    rig.settings.replace(rig.config({ api: "http://127.0.0.1:1" }));
    const batchId = await rig.send([AWA]);
    await rig.until(
      () =>
        JSON.stringify(rig.line().delivery.status()[0]?.connections[0]?.lastError) ===
        JSON.stringify(phrase("network.refused")),
    );
    await rig.until(() => rig.statuses(batchId)[0] === "QUEUED", 1);
    expect(rig.rows("whatsapp_posts")).toEqual([]);
    rig.settings.replace(rig.config());
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.posts.map(({ opaque }) => opaque?.split(".")[1])).toEqual(["1"]);
  });

  test("of a process that died is in doubt: the next posts nothing, and its statuses settle it", async () => {
    const rig = await rigWith({
      fate: inTurn({
        ...fated([
          { status: "sent", toldAfterMs: 3000 },
          { status: "delivered", toldAfterMs: 3500 },
        ]),
        isAnswered: false,
      }),
    });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.posts.length === 1);
    const old = await rig.crash();
    expect(rig.statuses(batchId)).toEqual(["SUBMITTED"]);
    expect(rig.messages(batchId)[0]?.unanswered_until).not.toBeNull();
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.posts).toHaveLength(1);
    await Promise.all([old.stop(0), rig.pass(100)]);
  });
});

describe("statuses", () => {
  test("in any order, twice and after the end leave one message delivered and charged once", async () => {
    const rig = await rigWith({
      sim: { disorderMs: 4000, double: 0.5, read: 0.5, seed: 3, throughput: 0, pairMs: 0 },
    });
    const recipients = Array.from({ length: 60 }, (_, at) => String(70_000_001 + at));
    const batchId = await rig.send(recipients);
    await rig.until(() => rig.statuses(batchId).every((status) => status === "DELIVERED"), 100);
    await rig.pass(6000, 500);
    expect(rig.base.batch(batchId)).toMatchObject({
      status: "SETTLED",
      sent: 60,
      delivered: 60,
      charged_amount: 900,
    });
    expect(rig.posts).toHaveLength(60);
  });

  test("that come after the first final one move nothing", async () => {
    const fate = inTurn(
      fated([
        { status: "failed", code: 131026 },
        { status: "delivered", toldAfterMs: 300 },
      ]),
    );
    const rig = await rigWith({ fate });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_posts")[0]?.told === 10);
    expect(rig.statuses(batchId)).toEqual(["FAILED"]);
    expect(rig.base.batch(batchId)).toMatchObject({ charged_amount: 0, released_amount: 15 });
  });

  test("that say a post arrived that Meta had taken back leave nothing to post again", async () => {
    const contradiction: PostFate = fated([
      { status: "sent" },
      { status: "failed", code: 130429, toldAfterMs: 200 },
      { status: "delivered", toldAfterMs: 500 },
    ]);
    const rig = await rigWith({ fate: inTurn(contradiction, DELIVERED), sim: { pairMs: 0 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "QUEUED");
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    await rig.pass(60_000, 500);
    expect(rig.posts).toHaveLength(1);
    expect(rig.base.batch(batchId)).toMatchObject({ sent: 1, delivered: 1, charged_amount: 15 });
  });

  test("of an older post are noted and move nothing", async () => {
    const late: PostFate = fated([
      { status: "failed", code: 130429 },
      { status: "delivered", toldAfterMs: 8000 },
    ]);
    const rig = await rigWith({
      fate: inTurn(
        late,
        fated([{ status: "sent" }, { status: "failed", code: 131049, toldAfterMs: 20_000 }]),
      ),
      sim: { pairMs: 0 },
    });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_posts")[0]?.told === 10, 200);
    expect(rig.statuses(batchId)).toEqual(["SENT"]);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED", 200);
    expect(rig.messages(batchId)).toMatchObject([{ error_code: "CHANNEL_LIMIT", operator_code: "131049" }]);
  });

  test("that never come close the message after its time, and it costs nothing", async () => {
    const rig = await rigWith({ fate: inTurn(SENT), whatsapp: { receipt_timeout_hours: 2 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "SENT");
    await rig.closeSilent();
    expect(rig.messages(batchId)).toMatchObject([{ is_final: 0 }]);
    await rig.clock.advance(2 * 3_600_000 + 1000);
    await rig.closeSilent();
    expect(rig.messages(batchId)).toMatchObject([
      { status: "SENT", is_final: 1, error_code: "RECEIPT_NOT_RECEIVED", amount: 0 },
    ]);
    expect(rig.base.batch(batchId)).toMatchObject({ charged_amount: 0, released_amount: 15 });
  });
});

test("a message that a status made SENT ends in silence too, though the answer to its post was lost after that", async () => {
  const sent = fated([{ status: "sent", toldAfterMs: 500 }]);
  const rig = await rigWith({
    whatsapp: { response_timeout_seconds: 3, receipt_timeout_hours: 2 },
    fate: inTurn({ ...sent, isAnswered: false }),
  });
  const batchId = await rig.send([AWA]);
  await rig.until(() => rig.statuses(batchId)[0] === "SENT");
  await rig.until(() => rig.rows("whatsapp_posts")[0]?.state === "UNANSWERED", 100);
  await rig.clock.advance(2 * 3_600_000 + 1000);
  await rig.closeSilent();
  expect(rig.messages(batchId)).toMatchObject([
    { status: "SENT", is_final: 1, error_code: "RECEIPT_NOT_RECEIVED", amount: 0 },
  ]);
});

test("a doubt that a status settles is waited for no longer than Meta tries, and a little more", async () => {
  const rig = await rigWith({
    whatsapp: { response_timeout_seconds: 3, receipt_timeout_hours: 2 },
    fate: inTurn({ ...fated([{ status: "sent", toldAfterMs: 5000 }]), isAnswered: false }),
    wording: { lifeMs: () => 600_000 },
  });
  const batchId = await rig.send([AWA]);
  await rig.until(() => rig.statuses(batchId)[0] === "SENT");
  await rig.clock.advance(890_000);
  await rig.closeSilent();
  expect(rig.messages(batchId)).toMatchObject([{ status: "SENT", is_final: 0 }]);
  await rig.clock.advance(20_000);
  await rig.closeSilent();
  expect(rig.messages(batchId)).toMatchObject([
    { status: "SENT", is_final: 1, error_code: "RECEIPT_NOT_RECEIVED", amount: 0 },
  ]);
});

describe("a number", () => {
  test.each([
    ["as the answer", refusing(190)],
    ["as a status", failing(131042)],
  ])("stops when Meta says so %s, keeps its messages, and goes on when it is resumed", async (_, first) => {
    const rig = await rigWith({ fate: inOrder(first, DELIVERED), sim: { pairMs: 0 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_stops").length === 1);
    await rig.until(() => rig.statuses(batchId)[0] === "QUEUED");
    const others = await rig.send(["70000002"]);
    await rig.pass(20_000, 500);
    expect(rig.posts).toHaveLength(1);
    expect(rig.line().delivery.status()[0]?.connections[0]).toMatchObject({ state: "STOPPED" });
    expect(
      rig.log.lines.some(({ level, message }) => level === "error" && message.includes("has stopped")),
    ).toBe(true);
    await rig.store.write((tx) => deleteNumberStop(tx, "main"));
    rig.line().whatsapp.pausesChanged();
    await rig.until(() =>
      [...rig.statuses(batchId), ...rig.statuses(others)].every((status) => status === "DELIVERED"),
    );
    expect(rig.rows("whatsapp_stops")).toEqual([]);
  });

  test("that is gone, or that its token may not see, stops and keeps its messages, whatever parameter Meta finds fault with", async () => {
    const rig = await rigWith({ fate: inTurn(DELIVERED), sim: { pairMs: 0, gone: ["42"] } });
    const recipients = Array.from({ length: 20 }, (_, at) => String(70_000_001 + at));
    const batchId = await rig.send(recipients);
    await rig.until(() => rig.rows("whatsapp_stops").length === 1);
    await rig.pass(5000, 500);
    expect(new Set(rig.statuses(batchId))).toEqual(new Set(["QUEUED"]));
    expect(rig.line().delivery.status()[0]?.connections[0]).toMatchObject({
      state: "STOPPED",
      lastError: phrase("link.stopped_by_meta", { code: 33 }),
    });
    expect(rig.log.lines).toContainEqual(
      expect.objectContaining({ level: "error", operator: "whatsapp:main", code: 33 }),
    );
    rig.sim.change({ gone: [] });
    await rig.store.write((tx) => deleteNumberStop(tx, "main"));
    rig.line().whatsapp.pausesChanged();
    await rig.until(() => rig.statuses(batchId).every((status) => status === "DELIVERED"));
    expect(rig.base.batch(batchId)).toMatchObject({ delivered: 20, charged_amount: 300 });
  });

  test("goes on when the templates of its account can be read", async () => {
    const rig = await rigWith({ fate: inTurn(refusing(190), DELIVERED), sim: { pairMs: 0 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_stops").length === 1);
    const others = rig.line().whatsapp.accountWasRead("another account");
    await Promise.all([others, rig.pass(2_000, 500)]);
    expect(rig.posts).toHaveLength(1);
    await rig.sync();
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.rows("whatsapp_stops")).toEqual([]);
  });

  test("keeps its messages while an administrator has paused it, says why, and takes statuses", async () => {
    const rig = await rigWith({ fate: inTurn(DELIVERED), sim: { pairMs: 0 } });
    const { whatsapp } = rig.line();
    const pause = {
      operator: "whatsapp:main",
      connection: null,
      reason: "a bill is unpaid",
      actor: "awa",
      atMs: 5,
    };
    await rig.store.write((tx) => insertPause(tx, pause));
    whatsapp.pausesChanged();
    const batchId = await rig.send([AWA]);
    await rig.pass(5_000, 500);
    expect(rig.posts).toHaveLength(0);
    expect(whatsapp.numbers()).toMatchObject([
      { operator: "whatsapp:main", paused: { reason: "a bill is unpaid", atMs: 5 }, usersOfDay: 0, open: 0 },
    ]);
    await rig.store.write((tx) => endPauses(tx, "whatsapp:main", null));
    whatsapp.pausesChanged();
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(whatsapp.numbers()).toMatchObject([{ state: "BOUND", lastError: null, usersOfDay: 1, open: 0 }]);
  });

  test("stays stopped over a restart, and goes on with another token", async () => {
    const rig = await rigWith({ fate: inTurn(refusing(190), DELIVERED), sim: { pairMs: 0 } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.rows("whatsapp_stops").length === 1);
    const old = await rig.crash();
    await Promise.all([old.stop(0), rig.pass(10_000, 500)]);
    expect(rig.posts).toHaveLength(1);
    rig.settings.replace(rig.config({}, { token: "an0ther" }));
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(JSON.stringify(rig.log.lines)).not.toContain("an0ther");
  });

  test("that stands under a code with another token goes on, as after any change of the token", async () => {
    const rig = await rigWith({ fate: () => DELIVERED });
    await rig.store.write(
      (tx) => void saveNumberStop(tx, { number: "main", code: 190, tokenDigest: "d", atMs: 5 }),
    );
    rig.line().whatsapp.pausesChanged();
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "DELIVERED");
    expect(rig.rows("whatsapp_stops")).toEqual([]);
  });

  test("keeps its pace, and the same user's turn", async () => {
    const rig = await rigWith({ sim: { throughput: 10 }, number: { throughput: 10 }, fate: undefined });
    const one = await rig.send(Array.from({ length: 30 }, (_, at) => String(70_000_001 + at)));
    const two = await rig.send(["70000001", "70000002"], "whatsapp:main", "Bila");
    await rig.until(
      () => [...rig.statuses(one), ...rig.statuses(two)].every((status) => status === "DELIVERED"),
      10,
    );
    // The stand-in counts as Meta does, and found nothing to refuse.
    expect(rig.sim.counts()).toMatchObject({ posts: 32, refused: 0 });
  });

  test("writes to a user for whom several wait one after the other, each in a turn of its own", async () => {
    const rig = await rigWith({ fate: undefined });
    const batches: number[] = [];
    for (const body of ["Awa", "Bila", "Chantal", "Dramane"]) {
      batches.push(await rig.send([AWA], "whatsapp:main", body));
    }
    await rig.until(() => batches.every((batch) => rig.statuses(batch)[0] === "DELIVERED"), 50);
    expect(rig.sim.counts()).toMatchObject({ posts: 4, refused: 0 });
  });

  test("writes to no more users in a day than it may, also after a restart", async () => {
    const rig = await rigWith({ number: { recipients_per_day: 3 }, fate: () => DELIVERED });
    const batchId = await rig.send(["70000001", "70000002", "70000003", "70000004", "70000005"]);
    const count = () => rig.statuses(batchId).filter((status) => status === "DELIVERED").length;
    await rig.until(() => count() === 3);
    const old = await rig.crash();
    await Promise.all([old.stop(0), rig.pass(20_000, 500)]);
    expect(count()).toBe(3);
    rig.settings.replace(rig.config({}, { recipients_per_day: 4 }));
    await rig.until(() => count() === 4);
    await rig.pass(5000, 500);
    expect(count()).toBe(4);
  });

  test("counts its users on under another code, where it shares them with nobody", () => {
    const number = { portfolio: "", phone_number_id: "42" };
    expect(portfolioOf(number)).not.toBe(portfolioOf({ ...number, phone_number_id: "43" }));
    expect(portfolioOf({ ...number, portfolio: "ours" })).toBe("ours");
  });

  test("counts after a restart whom it wrote to under the code that it had before", async () => {
    const rig = await rigWith({ fate: () => DELIVERED });
    const batchId = await rig.send(["70000001", "70000002"]);
    await rig.until(() => rig.statuses(batchId).every((status) => status === "DELIVERED"));
    const nowMs = rig.clock.nowMs();
    await rig.store.write((tx) => recordOperatorRename(tx, "whatsapp:main", "whatsapp:second", nowMs));
    const portfolioOf = (number: string) => (number === "second" ? "ours" : null);
    const counts = countDailyUsers(rig.store.read, { portfolioOf, isOpen: () => false }, nowMs);
    expect(counts.usersOf("second", nowMs)).toBe(2);
  });

  test("gives up what no template can say any more, and posts nothing for it", async () => {
    const error = { code: "TEMPLATE_UNAVAILABLE", operatorCode: null } as const;
    const rig = await rigWith({ wording: { checkGate: () => ({ kind: "given_up", error }) } });
    const batchId = await rig.send([AWA]);
    await rig.until(() => rig.statuses(batchId)[0] === "FAILED");
    expect(rig.messages(batchId)).toMatchObject([{ error_code: "TEMPLATE_UNAVAILABLE" }]);
    expect(rig.posts).toEqual([]);
  });

  test("holds what its template holds, and gives up a message whose values are gone", async () => {
    let isHeld = true;
    const rig = await rigWith({
      fate: () => DELIVERED,
      wording: {
        checkGate: (read, batch) =>
          isHeld ? { kind: "held", untilMs: rig.clock.nowMs() + 1000 } : READY.checkGate(read, batch),
        postOf: (read, batch, message) =>
          message.msisdn.endsWith("2") ? null : READY.postOf(read, batch, message),
      },
    });
    const batchId = await rig.send(["70000001", "70000002"]);
    await rig.pass(5000, 500);
    expect(rig.statuses(batchId)).toEqual(["QUEUED", "QUEUED"]);
    isHeld = false;
    await rig.until(() => rig.statuses(batchId).join() === "DELIVERED,FAILED");
    expect(rig.posts).toHaveLength(1);
  });
});
