import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeAccount, createSandbox, suspendAccount } from "../../../src/domain/accounts/accounts.ts";
import {
  changeSmppUser,
  createSmppUser,
  drawSmppPassword,
  hashSmppPassword,
  isSystemId,
  listSmppUsers,
  type NewSmppUser,
  revokeAccountSmppUsers,
  revokeSmppUser,
  type SmppUserSettings,
  setSmppPassword,
  smppLogin,
  smppUserById,
  smppUserBySystemId,
  smppUsersOfAccount,
  verifySmppPassword,
} from "../../../src/domain/accounts/smpp-users.ts";
import { smppUserOf } from "../../kit/smpp-users.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let here: AccountsFixture;
beforeAll(() => {
  here = accountsFixture();
});
afterAll(() => here.close());

function create(user: Partial<NewSmppUser> & Pick<NewSmppUser, "systemId" | "accountId">, hash = "$hash") {
  return here.store.write((tx) => createSmppUser(tx, smppUserOf(user), hash, here.clock.nowMs()));
}

const HOUR = 3_600_000;

describe("a user", () => {
  test("is found by its system_id, whose case counts, with all that was said of it", async () => {
    const accountId = await here.account();
    const wanted: NewSmppUser = {
      systemId: "Pharma_1",
      accountId,
      messageClass: "OTP",
      classesBy: "service_type",
      sender: "PHARMACIE",
      maxBinds: 50,
      throughput: 5000,
      window: 1000,
      networks: ["192.0.2.0/24", "2001:db8::/32"],
      tls: "optional",
      alphabet: "latin1",
      ids: "hex",
      reasons: true,
      receiptText: 20,
      inbound: true,
    };
    const id = await create(wanted);
    const { read } = here.store;
    expect(smppUserBySystemId(read, "Pharma_1")).toEqual({
      ...wanted,
      id,
      createdAtMs: here.clock.nowMs(),
      revokedAtMs: null,
    });
    expect(smppUserById(read, id)).toEqual(smppUserBySystemId(read, "Pharma_1"));
    expect(smppUserBySystemId(read, "pharma_1")).toBeNull();
  });

  test("has a system_id of 3 to 15 letters, digits, dashes and underscores", () => {
    expect(["abc", "A-b_9", "x".repeat(15)].every(isSystemId)).toBe(true);
    expect(["ab", "x".repeat(16), "a.b", "a b", "é-è", "abc\n", ""].some(isSystemId)).toBe(false);
  });

  test("keeps its system_id for ever, also after its end", async () => {
    const accountId = await here.account();
    const id = await create({ systemId: "once", accountId });
    expect(await here.store.write((tx) => revokeSmppUser(tx, id, 5))).toBe(true);
    expect(await here.store.write((tx) => revokeSmppUser(tx, id, 6))).toBe(false);
    expect(smppUserById(here.store.read, id)?.revokedAtMs).toBe(5);
    await expect(create({ systemId: "once", accountId })).rejects.toThrow("UNIQUE");
  });

  test("changes in what is said, and in nothing else", async () => {
    const accountId = await here.account();
    const id = await create({ systemId: "changing", accountId, sender: "ACME", networks: ["192.0.2.1"] });
    const before = smppUserById(here.store.read, id);
    await here.store.write((tx) => changeSmppUser(tx, id, {}));
    expect(smppUserById(here.store.read, id)).toEqual(before);
    const changes: SmppUserSettings = {
      messageClass: "MARKETING",
      classesBy: "service_type",
      sender: null,
      maxBinds: 3,
      throughput: 51,
      window: 11,
      networks: [],
      tls: "optional",
      alphabet: "ascii",
      ids: "decimal",
      reasons: true,
      receiptText: 20,
      inbound: true,
    };
    await here.store.write((tx) => changeSmppUser(tx, id, changes));
    expect(smppUserById(here.store.read, id)).toEqual({ ...before!, ...changes });
  });

  test("is listed with those of its account and of its sandbox", async () => {
    const [one, other] = [await here.account(), await here.account()];
    await here.store.write((tx) => createSandbox(tx, one, "0".repeat(26), 0));
    await create({ systemId: "of-one", accountId: one });
    await create({ systemId: "of-other", accountId: other });
    await create({ systemId: "of-sandbox", accountId: -one });
    const names = (of: readonly { readonly systemId: string }[]) => of.map(({ systemId }) => systemId);
    expect(names(smppUsersOfAccount(here.store.read, one))).toEqual(["of-one", "of-sandbox"]);
    expect(names(listSmppUsers(here.store.read))).toEqual(
      expect.arrayContaining(["of-one", "of-other", "of-sandbox"]),
    );
    expect(await here.store.write((tx) => revokeAccountSmppUsers(tx, one, 7))).toBe(2);
    expect(smppUsersOfAccount(here.store.read, one).map(({ revokedAtMs }) => revokedAtMs)).toEqual([7, 7]);
    expect(smppUserBySystemId(here.store.read, "of-other")?.revokedAtMs).toBeNull();
  });
});

describe("a login", () => {
  test("tells of whom the bind is judged, suspended, closed and revoked ones too", async () => {
    const accountId = await here.account();
    const id = await create({ systemId: "standing", accountId });
    const login = () => smppLogin(here.store.read, "standing", 0);
    expect(login()).toMatchObject({ user: { id }, accountStatus: "ACTIVE", hashes: ["$hash"] });
    await here.store.write((tx) => suspendAccount(tx, accountId, "unpaid"));
    expect(login()?.accountStatus).toBe("SUSPENDED");
    await here.store.write((tx) => closeAccount(tx, accountId, 9));
    expect(login()?.accountStatus).toBe("CLOSED");
    await here.store.write((tx) => revokeSmppUser(tx, id, 9));
    expect(login()?.user.revokedAtMs).toBe(9);
    expect(smppLogin(here.store.read, "nobody", 0)).toBeNull();
  });

  test("takes the old password for 24 hours after a new one, unless the new one counts now", async () => {
    const id = await create({ systemId: "changes-pw", accountId: await here.account() }, "first");
    const hashesAt = (nowMs: number) => smppLogin(here.store.read, "changes-pw", nowMs)?.hashes;
    const set = (passwordHash: string, now: boolean, nowMs: number) =>
      here.store.write((tx) => setSmppPassword(tx, id, { passwordHash, now, nowMs }));
    await set("second", false, 0);
    expect(hashesAt(24 * HOUR - 1)).toEqual(["second", "first"]);
    expect(hashesAt(24 * HOUR)).toEqual(["second"]);
    await set("third", false, HOUR);
    expect(hashesAt(HOUR)).toEqual(["third", "second"]);
    await set("fourth", true, HOUR);
    expect(hashesAt(HOUR)).toEqual(["fourth"]);
  });
});

describe("a password", () => {
  test("is eight letters and digits", () => {
    const chance = seededChance(1);
    const drawn = Array.from({ length: 200 }, () => drawSmppPassword(chance));
    expect(drawn.every((password) => /^[A-Za-z0-9]{8}$/.test(password))).toBe(true);
    expect(new Set(drawn).size).toBe(200);
  });

  test("is kept as argon2id of 19 MiB and two passes, and fits the hashes that count", async () => {
    const [first, second] = [await hashSmppPassword("abcd1234"), await hashSmppPassword("efgh5678")];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifySmppPassword("abcd1234", [first])).toBe(true);
    expect(await verifySmppPassword("abcd1234", [second, first])).toBe(true);
    expect(await verifySmppPassword("abcd1234", [second])).toBe(false);
    expect(await verifySmppPassword("ABCD1234", [first])).toBe(false);
    expect(await verifySmppPassword("", [first])).toBe(false);
  });
});
