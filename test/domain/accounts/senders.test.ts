import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "../../../src/db/writer.ts";
import {
  ALL_ROUTES,
  accountsRegisteredWith,
  approveSender,
  isRegistered,
  listSenders,
  publicSender,
  readSenderRoutes,
  registerSender,
  rejectSender,
  requestSender,
  senderByName,
  unregisterSender,
  wasRegistered,
} from "../../../src/domain/accounts/senders.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let fixture: AccountsFixture;
let accountId: number;
beforeEach(async () => {
  fixture = accountsFixture();
  accountId = await fixture.account();
});
afterEach(() => fixture.close());

const write = <T>(job: (tx: Tx) => T) => fixture.store.write(job);
const shop = () => senderByName(fixture.store.read, accountId, "SHOP");
const request = (name = "SHOP") => write((tx) => requestSender(tx, accountId, name, fixture.clock.nowMs()));

describe("senders", () => {
  // Keeps: behaviour 6.38, 6.39
  test("a requested sender is not sendable until it is approved and registered", async () => {
    await request();
    const id = shop()!.id;
    expect(publicSender(shop()!)).toEqual({
      sender: "SHOP",
      status: "REQUESTED",
      is_sendable: false,
      operators: [],
      channels: [],
      rejection_reason: null,
      created_at: "2026-03-02T09:00:00.000Z",
    });
    await write((tx) => registerSender(tx, id, "orange", 1));
    expect(publicSender(shop()!).is_sendable).toBe(false);
    expect(isRegistered(fixture.store.read, accountId, "SHOP", "orange")).toBe(false);
    await write((tx) => approveSender(tx, id));
    expect(publicSender(shop()!)).toMatchObject({ status: "APPROVED", is_sendable: true });
    expect(isRegistered(fixture.store.read, accountId, "SHOP", "orange")).toBe(true);
    expect(isRegistered(fixture.store.read, accountId, "SHOP", "moov")).toBe(false);
  });

  test("registrations are listed by operator and can be taken back", async () => {
    await request();
    const id = shop()!.id;
    expect(await write((tx) => registerSender(tx, id, "orange", 1))).toBe(true);
    expect(await write((tx) => registerSender(tx, id, "orange", 2))).toBe(false);
    await write((tx) => registerSender(tx, id, "moov", 3));
    expect(shop()!.operators).toEqual(["moov", "orange"]);
    expect(await write((tx) => unregisterSender(tx, id, "moov"))).toBe(true);
    expect(await write((tx) => unregisterSender(tx, id, "moov"))).toBe(false);
    expect(shop()!.operators).toEqual(["orange"]);
  });

  test("one that is registered for a route is registered with the operator, which is all that clients see", async () => {
    await request();
    const id = shop()!.id;
    await write((tx) => approveSender(tx, id));
    await write((tx) => registerSender(tx, id, "orange/agg", 1));
    await write((tx) => registerSender(tx, id, "orange/main", 2));
    await write((tx) => registerSender(tx, id, "orange-2", 3));
    const { read } = fixture.store;
    expect(publicSender(shop()!)).toMatchObject({ is_sendable: true, operators: ["orange", "orange-2"] });
    expect(isRegistered(read, accountId, "SHOP", "orange")).toBe(true);
    expect(isRegistered(read, accountId, "SHOP", "oran")).toBe(false);
    expect(readSenderRoutes(read, accountId, "SHOP", "orange")).toEqual(["agg", "main"]);
    expect(readSenderRoutes(read, accountId, "SHOP", "orange-2")).toBe(ALL_ROUTES);
    expect(wasRegistered(read, accountId, "SHOP", "orange", 0)).toBe(false);
    expect(wasRegistered(read, accountId, "SHOP", "orange", 1)).toBe(true);
    expect(accountsRegisteredWith(read, "orange")).toEqual([accountId]);
    expect(accountsRegisteredWith(read, "orange/none")).toEqual([]);
    await write((tx) => registerSender(tx, id, "orange", 4));
    expect(readSenderRoutes(read, accountId, "SHOP", "orange")).toBe(ALL_ROUTES);
    expect(await write((tx) => unregisterSender(tx, id, "orange"))).toBe(true);
    expect(shop()!.registrations).toEqual(["orange-2"]);
    expect(readSenderRoutes(read, accountId, "SHOP", "orange")).toEqual([]);
  });

  test("a rejected sender says why, and can be asked for again", async () => {
    await request();
    await write((tx) => rejectSender(tx, shop()!.id, "no proof of the name"));
    expect(shop()).toMatchObject({ status: "REJECTED", rejectionReason: "no proof of the name" });
    await request();
    expect(shop()).toMatchObject({ status: "REQUESTED", rejectionReason: null });
  });

  test("asking again for an approved sender changes nothing", async () => {
    await request();
    await write((tx) => approveSender(tx, shop()!.id));
    await request();
    expect(shop()!.status).toBe("APPROVED");
    expect(listSenders(fixture.store.read, accountId)).toHaveLength(1);
  });

  test("an account never sees another one's senders", async () => {
    const other = await fixture.account();
    await request();
    expect(senderByName(fixture.store.read, other, "SHOP")).toBeNull();
    expect(listSenders(fixture.store.read, other)).toEqual([]);
  });
});
