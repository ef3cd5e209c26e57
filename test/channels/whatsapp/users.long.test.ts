/** What users say to a number: their texts, their opt-outs, and what they say of marketing in WhatsApp itself. */
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { erasePosts } from "../../../src/channels/whatsapp/posts.ts";
import { createServiceWindows, erasePreferences } from "../../../src/channels/whatsapp/users.ts";
import { registerSender, senderByName } from "../../../src/domain/accounts/senders.ts";
import { eraseSuppressions, removeSuppression } from "../../../src/domain/accounts/suppressions.ts";
import { isStored } from "../../../src/domain/inbound/inbound-texts.ts";
import { recordOperatorRename } from "../../../src/domain/messages/operator-codes.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { fated } from "../../simulator/whatsapp/rig.ts";
import { type WhatsappRig, whatsappRig } from "./rig.ts";

const AWA = "22670000001";
let rig: WhatsappRig;
let shop: number;
let bank: number;
beforeEach(async () => {
  rig = await whatsappRig({ fate: () => fated([{ status: "sent" }]), sim: { pairMs: 0 } });
  shop = await rig.account();
  bank = await rig.base.account();
  for (const account of [shop, bank]) {
    await rig.store.write((tx) => {
      const sender = senderByName(tx, account, "ACME")!;
      registerSender(tx, sender.id, "whatsapp:main", rig.clock.nowMs());
    });
  }
});
afterEach(() => rig.stop());

const change = (field: string, value: object, metadata: object = METADATA) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "7", changes: [{ field, value: { metadata, ...value } }] }],
  });
const OTHER = { phone_number_id: "44" };
const METADATA = { display_phone_number: "+226 25 30 00 00", phone_number_id: "42" };
const call = async (body: string): Promise<number> => {
  const signature = `sha256=${createHmac("sha256", "S").update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature };
  return (await fetch(rig.webhookAt, { method: "POST", headers, body })).status;
};
let ids = 0;
const said = (what: object, from: object = { from: AWA }) => {
  ids += 1;
  return { id: `wamid.in${ids}`, timestamp: "1772442000", ...from, ...what };
};
const text = (body: string) => ({ type: "text", text: { body } });
const says = (...messages: object[]) => call(change("messages", { messages }));
let seconds = 0;
const prefers = (value: string, at?: unknown, of?: object) => {
  seconds += 1;
  const timestamp = at ?? seconds;
  const preference = { wa_id: AWA, category: "marketing_messages", value, timestamp };
  return call(change("user_preferences", { user_preferences: [preference] }, of));
};
const prefersAs = (userId: string, value: string) => {
  seconds += 1;
  const preference = { user_id: userId, category: "marketing_messages", value, timestamp: seconds };
  return call(change("user_preferences", { user_preferences: [preference] }));
};
/** A message reaches Awa, and its status says what Meta calls her. */
const reached = async (userId: string): Promise<void> => {
  const batchId = await rig.send(["70000001"]);
  await rig.until(() => rig.statuses(batchId)[0] === "SENT");
  const { wamid: id } = rig.posts.at(-1)!;
  const status = { id, status: "delivered", timestamp: "1772442000", recipient_user_id: userId };
  await call(change("messages", { statuses: [status] }));
};
const texts = () =>
  rig.rows("inbound_texts").map(({ operator, source, destination, msisdn, text: kept, times, keyword }) => ({
    operator,
    source,
    destination,
    msisdn,
    text: kept,
    times,
    keyword,
  }));
const lists = () =>
  rig
    .rows("suppressions")
    .map(({ account_id, msisdn, message_class, source }) => [account_id, msisdn, message_class, source]);
/** An account sends MARKETING by the number. */
const sendMarketing = async (account: number): Promise<void> => {
  const batchId = await rig.base.send(account, "MARKETING", ["70000001"], { body: "Soldes" });
  await rig.store.write((tx) => {
    tx.run("UPDATE batches SET channel = 'WHATSAPP', charge_on = 'delivered' WHERE id = ?", batchId);
    tx.run("UPDATE messages SET operator = 'whatsapp:main' WHERE batch_id = ?", batchId);
  });
  rig.line().delivery.offer(batchId);
  await rig.until(() => rig.statuses(batchId)[0] === "SENT");
};
const missed = () =>
  rig.store.tally
    .counters("bendre_whatsapp_not_understood_total")
    .all()
    .map(({ labels: [field], value }) => [field, value]);

describe("a text of a user", () => {
  test("is kept once, however often it is told, and a picture is counted", async () => {
    const first = said(text("Où est mon colis ?"));
    const picture = said({ type: "image", image: { id: "1" } });
    expect(await says(first, picture)).toBe(200);
    await rig.clock.advance(2 * 86_400_000);
    expect(await says(first)).toBe(200);
    expect(await says(said(text("Où est mon colis ?")))).toBe(200);
    const kept = {
      operator: "whatsapp:main",
      source: `+${AWA}`,
      destination: "+22625300000",
      msisdn: `+${AWA}`,
      text: "Où est mon colis ?",
      keyword: null,
    };
    expect(texts()).toEqual([
      { ...kept, times: 2 },
      { ...kept, times: 1 },
    ]);
    expect(missed()).toEqual([["inbound", 1]]);
  });

  test("counts in the number's pace once, however often it is told", async () => {
    const lastSecond = () => rig.line().whatsapp.numbers()[0]?.lastSecond;
    const [one, other] = [said(text("Bonjour")), said(text("Ça va ?"))];
    await says(one, other, said({ type: "image", image: { id: "1" } }));
    expect(lastSecond()).toBe(3);
    await rig.clock.advance(2000);
    await says(one, other);
    expect(lastSecond()).toBe(0);
  });

  test("of a user without a number is the recipient's of the post that it answers", async () => {
    const batchId = await rig.send(["70000001"]);
    await rig.until(() => rig.statuses(batchId)[0] === "SENT");
    const context = { id: rig.posts[0]?.wamid };
    await says(said({ ...text("STOP"), context }, { from_user_id: "BF.77" }));
    await says(said(text("STOP"), { from_user_id: "BF.78" }));
    expect(texts()).toMatchObject([
      { source: "BF.77", msisdn: `+${AWA}`, keyword: "STOP" },
      { source: "BF.78", msisdn: null, keyword: "STOP" },
    ]);
  });

  test("of a user without a number is that user's whom a status of an earlier post named", async () => {
    await reached("BF.77");
    await says(said(text("STOP"), { from_user_id: "BF.77" }));
    expect(texts()).toMatchObject([{ source: "BF.77", msisdn: `+${AWA}`, keyword: "STOP" }]);
    expect(lists()).toEqual([
      [shop, `+${AWA}`, "MARKETING", "KEYWORD"],
      [bank, `+${AWA}`, "MARKETING", "KEYWORD"],
    ]);
  });

  test("of a number that is not ours is counted and not kept", async () => {
    const metadata = { phone_number_id: "43" };
    expect(await call(change("messages", { metadata, messages: [said(text("STOP"))] }))).toBe(200);
    expect(texts()).toEqual([]);
    expect(missed()).toEqual([["inbound", 1]]);
  });

  test("opens a window of a day in which the user is not counted", async () => {
    rig.settings.replace(rig.config({}, { recipients_per_day: 1 }));
    const bonjour = said({ ...text("Bonjour"), timestamp: String(Math.floor(rig.clock.nowMs() / 1000)) });
    await says(bonjour);
    const others = await rig.send(["70000002"]);
    await rig.until(() => rig.statuses(others)[0] === "SENT");
    const answered = await rig.send(["70000001"]);
    await rig.until(() => rig.statuses(answered)[0] === "SENT");
    const third = await rig.send(["70000003"]);
    await rig.pass(5000, 500);
    expect(rig.statuses(third)).toEqual(["QUEUED"]);
    expect(rig.line().whatsapp.numbers()).toMatchObject([{ usersOfDay: 1 }]);
    // What is told again was not said again.
    await rig.pass(86_400_000, 3_600_000);
    await says(bonjour);
    const later = await rig.send(["70000003", "70000001"]);
    await rig.pass(8000, 500);
    expect(rig.statuses(later)).toEqual(["SENT", "QUEUED"]);
  });
});

describe("an opt-out", () => {
  test.each([
    ["a text", text("Stop !")],
    ["a button", { type: "button", button: { text: "STOP", payload: "x" } }],
    [
      "a reply",
      { type: "interactive", interactive: { type: "button_reply", button_reply: { title: "Arrêt" } } },
    ],
    ["a choice", { type: "interactive", interactive: { type: "list_reply", list_reply: { title: "stop" } } }],
    ["a button's payload", { type: "button", button: { text: "Plus d'offres, merci", payload: "STOP" } }],
    [
      "a reply's id",
      { type: "interactive", interactive: { button_reply: { id: "opt_out", title: "Plus d'offres" } } },
    ],
    [
      "a choice's id",
      { type: "interactive", interactive: { list_reply: { id: "stop-promo", title: "Non merci" } } },
    ],
    [
      "an id without a title",
      { type: "interactive", interactive: { button_reply: { id: "DESABONNEMENT" } } },
    ],
  ])("by %s stops MARKETING of every account with a sender on the number", async (_, what) => {
    await says(said(what));
    expect(lists()).toEqual([
      [shop, `+${AWA}`, "MARKETING", "KEYWORD"],
      [bank, `+${AWA}`, "MARKETING", "KEYWORD"],
    ]);
  });

  test("is none where the id of a button names what it cancels", async () => {
    await says(said({ type: "button", button: { text: "Annuler ma commande", payload: "CANCEL_ORDER" } }));
    expect(lists()).toEqual([]);
    expect(texts()).toMatchObject([{ text: "Annuler ma commande", keyword: null }]);
  });

  test("is meant for those that sent MARKETING by the number in 30 days, where any did", async () => {
    await sendMarketing(bank);
    await says(said(text("STOP")));
    expect(lists()).toEqual([[bank, `+${AWA}`, "MARKETING", "KEYWORD"]]);
  });

  test("is meant for those too whose message went on as an SMS after it", async () => {
    for (const account of [bank, shop]) await sendMarketing(account);
    await rig.store.write((tx) => {
      tx.run(
        `INSERT INTO fallbacks (message_id, batch_id, stage, operator, encoding, segments, price, excess_amount, status, submitted_at)
         SELECT id, batch_id, 'SECOND', operator, 'GSM7', 1, 0, 0, 'SENT', submitted_at FROM messages WHERE account_id = ?`,
        shop,
      );
      tx.run("UPDATE messages SET operator = 'orange' WHERE account_id = ?", shop);
    });
    await says(said(text("STOP")));
    expect(lists().map(([account]) => account)).toEqual([shop, bank]);
  });

  test("that is told again does not undo what an administrator lifted since", async () => {
    const stop = said(text("STOP"));
    await says(stop);
    await rig.store.write((tx) => {
      for (const account of [shop, bank]) removeSuppression(tx, account, `+${AWA}`, "MARKETING", null);
    });
    await says(stop);
    expect(lists()).toEqual([]);
  });

  test("said in WhatsApp itself is lifted there, and what the user wrote is not", async () => {
    await sendMarketing(shop);
    await prefers("stop");
    expect(lists()).toEqual([[shop, `+${AWA}`, "MARKETING", "META"]]);
    await prefers("resume");
    expect(lists()).toEqual([]);
    await prefers("stop");
    await says(said(text("STOP")));
    await prefers("stop");
    await prefers("resume");
    expect(lists()).toEqual([[shop, `+${AWA}`, "MARKETING", "KEYWORD"]]);
    const actions = rig.rows("audit_entries").map(({ action }) => action);
    const [add, remove] = ["suppression add", "suppression remove"];
    expect(actions).toEqual([add, remove, add, add, remove]);
  });

  test("of a user whose number nobody knows is kept, counted and told, and obeyed once a status says whose it is", async () => {
    const stop = said(text("STOP"), { from_user_id: "BF.77" });
    await says(stop);
    await says(stop);
    await prefersAs("BF.77", "stop");
    expect(lists()).toEqual([]);
    expect(texts()).toMatchObject([{ msisdn: null, keyword: "STOP", times: 2 }]);
    expect(missed()).toEqual([
      ["inbound", 1],
      ["user_preferences", 1],
    ]);
    const words = "somebody stopped marketing whose number nobody knows yet";
    expect(rig.log.lines.filter(({ message }) => message === words)).toHaveLength(2);
    await reached("BF.77");
    expect(texts()).toMatchObject([{ msisdn: `+${AWA}`, keyword: "STOP" }]);
    const both = [shop, bank].flatMap((account) =>
      ["KEYWORD", "META"].map((source) => [account, `+${AWA}`, "MARKETING", source]),
    );
    expect(lists().sort()).toEqual(both.sort());
    await prefersAs("BF.77", "resume");
    expect(lists().map(([, , , source]) => source)).toEqual(["KEYWORD", "KEYWORD"]);
    expect(rig.rows("whatsapp_preferences")).toMatchObject([{ recipient: `+${AWA}`, is_stop: 0 }]);
  });

  test("said in WhatsApp counts by when it was said, however late or often Meta tells it", async () => {
    await sendMarketing(shop);
    const stopped = [[shop, `+${AWA}`, "MARKETING", "META"]];
    for (const [value, at] of [
      ["stop", 100],
      ["resume", "200"],
      ["stop", 300],
      ["resume", 200],
      ["resume", 300],
    ] as const) {
      await prefers(value, at);
    }
    expect(lists()).toEqual(stopped);
    await prefers("resume", 400);
    await prefers("stop", "300");
    expect(lists()).toEqual([]);
    await prefers("stop", 400);
    expect(lists()).toEqual(stopped);
  });

  test("said to one number is not lifted by what is said to another, which lifts its own", async () => {
    const now = rig.settings.now();
    const { numbers } = now.whatsapp;
    const both = { ...numbers, other: { ...numbers.main!, ...OTHER } };
    rig.settings.replace({ ...now, whatsapp: { ...now.whatsapp, numbers: both } });
    await rig.store.write((tx) => {
      for (const account of [shop, bank])
        registerSender(tx, senderByName(tx, account, "ACME")!.id, "whatsapp:other", rig.clock.nowMs());
    });
    await sendMarketing(shop);
    await prefers("stop", 100);
    await prefers("stop", 150, OTHER);
    const of = (account: number) => [account, `+${AWA}`, "MARKETING", "META"];
    expect(lists()).toEqual([of(shop), of(bank)]);
    await prefers("resume", 200, OTHER);
    expect(lists()).toEqual([of(shop)]);
    await prefers("stop", 250, OTHER);
    await prefers("resume", 300);
    expect(lists()).toEqual([of(shop), of(bank)]);
    await prefers("resume", 350, OTHER);
    expect(lists()).toEqual([]);
  });

  test("said in WhatsApp stays newest when its number has another code and its user is erased", async () => {
    await sendMarketing(shop);
    await prefers("stop", 300);
    await rig.store.write((tx) => {
      const name = rig.store.names.give(`+${AWA}`, seededChance(7));
      expect(eraseSuppressions(tx, { msisdn: `+${AWA}`, name }, [shop])).toBe(1);
      expect(erasePreferences(tx, { msisdn: `+${AWA}`, name })).toBe(1);
    });
    await prefers("resume", 200);
    expect(rig.rows("erased_suppressions")).toHaveLength(1);
    await prefers("resume", 301);
    expect(rig.rows("erased_suppressions")).toEqual([]);
  });

  test("is lifted apart from what the user wrote and what Meta told", async () => {
    await sendMarketing(shop);
    await prefers("stop");
    await says(said(text("STOP")));
    await rig.store.write((tx) => removeSuppression(tx, shop, `+${AWA}`, "MARKETING", "KEYWORD"));
    expect(lists()).toEqual([[shop, `+${AWA}`, "MARKETING", "META"]]);
  });

  test("that Meta answers a post with stops MARKETING too", async () => {
    const refused = { status: "failed", code: 131050 } as const;
    const other = await whatsappRig({ fate: () => fated([refused]), sim: { pairMs: 0 } });
    try {
      const account = await other.account();
      await other.store.write((tx) => {
        registerSender(tx, senderByName(tx, account, "ACME")!.id, "whatsapp:main", 1);
      });
      const batchId = await other.send(["70000001"]);
      await other.until(() => other.statuses(batchId)[0] === "FAILED");
      expect(other.messages(batchId)).toMatchObject([{ error_code: "RECIPIENT_OPTED_OUT" }]);
      expect(other.rows("suppressions")).toMatchObject([
        { account_id: account, message_class: "MARKETING", source: "META" },
      ]);
    } finally {
      await other.stop();
    }
  });

  test("is kept once, also where it is told again under another code of the number", async () => {
    const bonjour = said(text("Bonjour"));
    await says(bonjour);
    const [kept] = texts();
    if (!kept) throw new Error("no text");
    const { source, destination } = kept as unknown as { source: string; destination: string };
    const told = { operator: "whatsapp:second", source, destination, id: bonjour.id };
    const known = (): Promise<boolean> => rig.store.write((tx) => isStored(tx, told, rig.clock.nowMs()));
    expect(await known()).toBe(false);
    await rig.store.write((tx) =>
      recordOperatorRename(tx, "whatsapp:main", "whatsapp:second", rig.clock.nowMs()),
    );
    expect(await known()).toBe(true);
  });

  test("opens it after a restart under the code that the number has then", async () => {
    await says(said({ ...text("Bonjour"), timestamp: String(Math.floor(rig.clock.nowMs() / 1000)) }));
    const nowMs = rig.clock.nowMs();
    await rig.store.write((tx) => recordOperatorRename(tx, "whatsapp:main", "whatsapp:second", nowMs));
    const windows = createServiceWindows(rig.store.read, ["whatsapp:second"], nowMs);
    const isOpen = (msisdn: string) => windows.isOpen("whatsapp:second", msisdn, nowMs);
    expect(["+22670000001", "+22670000002"].map(isOpen)).toEqual([true, false]);
  });
});

describe("a user whom Meta calls by another number than the one that is written to", () => {
  /** As in Côte d'Ivoire: what Meta calls Awa, whom everybody writes to by her number. */
  const HER_ID = "2260000001";
  beforeEach(() => rig.sim.change({ waIds: [{ from: "22670", to: "2260" }] }));

  const both = (source: string) => [shop, bank].map((account) => [account, `+${AWA}`, "MARKETING", source]);
  const idled = async (): Promise<void> => {
    await rig.until(() => rig.sim.counts().statusesWaiting === 0);
  };
  let sent = 0;
  const reachedBy = async (msisdn = "70000001"): Promise<void> => {
    sent += 1;
    const batchId = await rig.send([msisdn], "whatsapp:main", `Awa ${sent}`);
    await rig.until(() => rig.statuses(batchId)[0] === "SENT");
  };

  test.each([["text"], ["reply"], ["button"], ["list"]] as const)(
    "opts her number out by a %s, and nobody else's",
    async (by) => {
      await reachedBy();
      rig.sim.text(AWA, "STOP", by);
      await rig.until(() => texts().length === 1);
      expect(texts()).toMatchObject([{ source: `+${HER_ID}`, msisdn: `+${AWA}`, keyword: "STOP" }]);
      expect(lists()).toEqual(both("KEYWORD"));
    },
  );

  test("opts her number out by what she says in WhatsApp itself, and takes that back by the same", async () => {
    await reachedBy();
    rig.sim.preference(AWA, "stop");
    await rig.until(() => lists().length > 0);
    expect(lists()).toEqual(both("META"));
    await rig.pass(2000);
    rig.sim.preference(AWA, "resume");
    await rig.until(() => lists().length === 0);
  });

  test("is known by the post that she answers, though the answer to it was lost", async () => {
    await rig.stop();
    rig = await whatsappRig({
      fate: () => ({ ...fated([]), isAnswered: false }),
      sim: { pairMs: 0, waIds: [{ from: "22670", to: "2260" }] },
      whatsapp: { response_timeout_seconds: 1 },
    });
    shop = await rig.account();
    await rig.send(["70000001"]);
    await rig.until(() => rig.posts.length === 1);
    const { opaque, wamid } = rig.posts[0]!;
    const status = { id: wamid, status: "sent", biz_opaque_callback_data: opaque, recipient_id: HER_ID };
    await call(change("messages", { statuses: [status] }));
    await says(said(text("STOP"), { from: HER_ID }));
    expect(texts()).toMatchObject([{ msisdn: `+${AWA}`, keyword: "STOP" }]);
    expect(lists()).toEqual([[shop, `+${AWA}`, "MARKETING", "KEYWORD"]]);
  });

  test("has what she said before anybody wrote to her obeyed for her number as soon as Meta names it, once", async () => {
    await says(said(text("STOP"), { from: HER_ID }));
    const stop = { wa_id: HER_ID, category: "marketing_messages", value: "stop", timestamp: 7 };
    await call(change("user_preferences", { user_preferences: [stop] }));
    expect(lists().filter(([, msisdn]) => msisdn === `+${AWA}`)).toEqual([]);
    await reachedBy();
    const hers = () => lists().filter(([, msisdn]) => msisdn === `+${AWA}`);
    expect(hers().sort()).toEqual([...both("KEYWORD"), ...both("META")].sort());
    await rig.store.write((tx) => {
      for (const account of [shop, bank]) removeSuppression(tx, account, `+${AWA}`, "MARKETING", null);
    });
    await reachedBy();
    await idled();
    expect(hers()).toEqual([]);
  });

  test("has both numbers opted out where both are written to", async () => {
    await reachedBy();
    rig.sim.change({ waIds: [{ from: "22670000002", to: HER_ID }] });
    await reachedBy("70000002");
    await says(said(text("STOP"), { from: HER_ID }));
    expect(new Set(lists().map(([, msisdn]) => msisdn))).toEqual(new Set([`+${AWA}`, "+22670000002"]));
  });

  test("has her window of a day by her number, whether she wrote before or after Meta named it, and over a restart", async () => {
    const isOpen = (windows: Pick<ReturnType<typeof createServiceWindows>, "isOpen">) =>
      windows.isOpen("whatsapp:main", `+${AWA}`, rig.clock.nowMs());
    const again = () => createServiceWindows(rig.store.read, ["whatsapp:main"], rig.clock.nowMs());
    const bonjour = { ...text("Bonjour"), timestamp: String(Math.floor(rig.clock.nowMs() / 1000)) };
    await says(said(bonjour, { from: HER_ID }));
    expect(isOpen(again())).toBe(false);
    await reachedBy();
    expect(isOpen(again())).toBe(true);
    await rig.pass(7000, 500);
    await reachedBy();
    // The first was counted before Meta named her number, the second was not: after a restart neither is.
    expect(rig.line().whatsapp.numbers()).toMatchObject([{ usersOfDay: 1 }]);
    await Promise.all([(await rig.crash()).stop(0), rig.pass(500)]);
    expect(rig.line().whatsapp.numbers()).toMatchObject([{ usersOfDay: 0 }]);
    await reachedBy();
    expect(rig.line().whatsapp.numbers()).toMatchObject([{ usersOfDay: 0 }]);
  });

  test("has her window of a day by each number that she is written to by, over a restart too", async () => {
    await reachedBy();
    rig.sim.change({ waIds: [{ from: "22670000002", to: HER_ID }] });
    await reachedBy("70000002");
    const open = () => {
      const windows = createServiceWindows(rig.store.read, ["whatsapp:main"], rig.clock.nowMs());
      return [`+${AWA}`, "+22670000002", `+${HER_ID}`, "+22670000003"].map((msisdn) =>
        windows.isOpen("whatsapp:main", msisdn, rig.clock.nowMs()),
      );
    };
    expect(open()).toEqual([false, false, false, false]);
    const now = () => String(Math.floor(rig.clock.nowMs() / 1000));
    await says(said({ ...text("Bonjour"), timestamp: now() }, { from: HER_ID }));
    expect(open()).toEqual([true, true, true, false]);
    // The latest text counts for all of them.
    await rig.pass(23 * 3_600_000, 3_600_000);
    await says(said({ ...text("Et alors ?"), timestamp: now() }, { from: HER_ID }));
    await rig.pass(2 * 3_600_000, 3_600_000);
    expect(open()).toEqual([true, true, true, false]);
  });

  test("has her window by a number that Meta names only after she wrote by another", async () => {
    await reachedBy();
    await says(
      said({ ...text("Bonjour"), timestamp: String(Math.floor(rig.clock.nowMs() / 1000)) }, { from: HER_ID }),
    );
    rig.sim.change({ waIds: [{ from: "22670000002", to: HER_ID }] });
    await reachedBy("70000002");
    await idled();
    // The first was before she wrote.
    expect(rig.line().whatsapp.numbers()).toMatchObject([{ usersOfDay: 2 }]);
    await Promise.all([(await rig.crash()).stop(0), rig.pass(500)]);
    expect(rig.line().whatsapp.numbers()).toMatchObject([{ usersOfDay: 1 }]);
  });

  test("leaves nothing of what Meta calls her when she is erased", async () => {
    await reachedBy();
    expect(rig.rows("whatsapp_posts")).toMatchObject([{ wa_id: HER_ID }]);
    await rig.store.write((tx) => erasePosts(tx, JSON.stringify(rig.rows("messages").map(({ id }) => id))));
    expect(rig.rows("whatsapp_posts")).toMatchObject([{ wa_id: null, wamid: null }]);
  });
});

describe("who has written to a number", () => {
  test("takes no more memory the more is written", () => {
    const windows = createServiceWindows(rig.store.read, [], 0, 3);
    for (let at = 0; at < 10_000; at++) windows.wrote("whatsapp:main", "+22670000001", at * 1000);
    expect(windows.size()).toEqual({ users: 1, spans: 1 });
    const lastMs = 9_999_000;
    const isOpen = (atMs: number) => windows.isOpen("whatsapp:main", "+22670000001", atMs);
    expect([-1, 0, lastMs, lastMs + 86_399_999, lastMs + 86_400_000].map(isOpen)).toEqual([
      ...[false, true, true, true, false],
    ]);
    for (let at = 2; at < 10; at++) windows.wrote("whatsapp:main", `+2267000000${at}`, lastMs + at);
    expect(windows.size()).toEqual({ users: 3, spans: 3 });
    expect(windows.isOpen("whatsapp:main", "+22670000009", lastMs + 10)).toBe(true);
  });

  test("keeps two windows of a user apart, and forgets what nobody looks back to", () => {
    const windows = createServiceWindows(rig.store.read, [], 0);
    const day = 86_400_000;
    for (const atMs of [0, 1.5 * day, 3.2 * day]) windows.wrote("w", "u", atMs);
    expect(windows.size()).toEqual({ users: 1, spans: 2 });
    expect([0.5, 1.2, 1.6, 2.6, 3.3].map((days) => windows.isOpen("w", "u", days * day))).toEqual([
      ...[false, false, true, false, true],
    ]);
  });
});
