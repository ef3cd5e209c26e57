import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCOUNT_OPERATIONS } from "../../../src/admin/operations/accounts.ts";
import { SENDER_OPERATIONS } from "../../../src/admin/operations/senders.ts";
import { SMPP_USER_OPERATIONS as SMPP } from "../../../src/admin/operations/smpp-users.ts";
import { AUDIT_OPERATIONS } from "../../../src/admin/reports/audit.ts";
import { accountByUlid, hasSandbox } from "../../../src/domain/accounts/accounts.ts";
import {
  createSmppUser,
  type NewSmppUser,
  smppLogin,
  smppUserBySystemId,
  verifySmppPassword,
} from "../../../src/domain/accounts/smpp-users.ts";
import { smppUserOf } from "../../kit/smpp-users.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

type Given = Parameters<typeof run<(typeof SMPP)["smpp create"]["params"], unknown>>[2];

const create = (given: Given = {}) =>
  run(SMPP["smpp create"], fixture.context, { account, system_id: "pharma1", ...given });
/** A user as it was created before, without the work of a hash. */
async function add(given: Partial<NewSmppUser> = {}) {
  const { store, clock } = fixture.context;
  const accountId = accountByUlid(store.read, account)?.id ?? 0;
  await store.write((tx) =>
    createSmppUser(tx, smppUserOf({ systemId: "pharma1", accountId, ...given }), "$old", clock.nowMs()),
  );
}
const set = (given: Parameters<typeof run<(typeof SMPP)["smpp set"]["params"], unknown>>[2]) =>
  run(SMPP["smpp set"], fixture.context, { system_id: "pharma1", ...given });
const password = (now = false) => run(SMPP["smpp password"], fixture.context, { system_id: "pharma1", now });
const revoke = () => run(SMPP["smpp revoke"], fixture.context, { system_id: "pharma1" });
const login = () => smppLogin(fixture.context.store.read, "pharma1", fixture.clock.nowMs());
const isRight = (tried: string) => verifySmppPassword(tried, login()?.hashes ?? []);
const requestSender = (sender: string) =>
  run(SENDER_OPERATIONS["sender request"], fixture.context, { account, sender });

describe("smpp create", () => {
  test("answers the defaults by the names of their flags, and a password that is shown nowhere again", async () => {
    const made = granted(await create());
    expect(made).toEqual({
      system_id: "pharma1",
      password: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      account_id: account,
      mode: "live",
      status: "ACTIVE",
      class: "TRANSACTIONAL",
      classes_by: null,
      sender: null,
      max_binds: 2,
      throughput: 50,
      window: 10,
      networks: ["any"],
      tls: "required",
      alphabet: "gsm",
      ids: "ulid",
      reasons: "no",
      receipt_text: 0,
      inbound: "no",
      created_at: expect.any(String),
      revoked_at: null,
    });
    expect(await isRight(made.password)).toBe(true);
    expect(await isRight(made.password.toLowerCase().replace(/^./, "_"))).toBe(false);
    const query = { actor: null, action: null, account: null, from: null, to: null, limit: 10 };
    const shown = JSON.stringify([
      await run(SMPP["smpp list"], fixture.context, {}),
      await run(AUDIT_OPERATIONS["audit list"], fixture.context, query),
    ]);
    expect(shown).toContain("pharma1");
    expect(shown).not.toContain(made.password);
    expect(fixture.audited()).toContain("awa: smpp create");
    expect(fixture.told()).toEqual(["smpp_user"]);
  });

  test("takes every setting", async () => {
    granted(await requestSender("PHARMACIE"));
    const given = {
      class: "OTP",
      classes_by: "service_type",
      sender: "PHARMACIE",
      max_binds: 50,
      throughput: 5000,
      window: 1000,
      networks: ["192.0.2.0/24", "2001:db8::1"],
      tls: "optional",
      alphabet: "latin1",
      ids: "hex",
      reasons: "yes",
      receipt_text: 20,
      inbound: "yes",
    } as const;
    expect(granted(await create(given))).toMatchObject(given);
  });

  test.each([
    ["a short system_id", { system_id: "ab" }, "INVALID_NAME"],
    ["a system_id with a dot", { system_id: "a.b.c" }, "INVALID_NAME"],
    ["no bind", { max_binds: 0 }, "INVALID_NUMBER"],
    ["51 binds", { max_binds: 51 }, "INVALID_NUMBER"],
    ["a throughput that would divide by nothing", { throughput: 0 }, "INVALID_NUMBER"],
    ["5,001 a second", { throughput: 5001 }, "INVALID_NUMBER"],
    ["a window of 0", { window: 0 }, "INVALID_NUMBER"],
    ["a window of 1,001", { window: 1001 }, "INVALID_NUMBER"],
    ["what is no network", { networks: ["192.0.2.0/33"] }, "INVALID_NETWORK"],
    ["any beside a network", { networks: ["any", "192.0.2.1"] }, "INVALID_NETWORK"],
    ["51 networks", { networks: Array.from({ length: 51 }, (_, n) => `192.0.2.${n}`) }, "INVALID_NETWORK"],
    ["no networks without TLS", { tls: "optional" }, "NETWORKS_REQUIRED"],
    ["a sender that the account does not have", { sender: "OTHER" }, "SENDER_NOT_FOUND"],
    ["an account that nobody knows", { account: "nobody" }, "ACCOUNT_NOT_FOUND"],
  ] as const)("refuses %s", async (_, given, code) => {
    expect(codeOf(await create(given as Given))).toBe(code);
    expect(smppUserBySystemId(fixture.context.store.read, "pharma1")).toBeNull();
  });

  test("refuses a class that the account may not send", async () => {
    granted(
      await run(ACCOUNT_OPERATIONS["account set"], fixture.context, { account, classes: ["TRANSACTIONAL"] }),
    );
    expect(codeOf(await create({ class: "MARKETING" }))).toBe("INVALID_CLASS");
    await add();
    expect(codeOf(await set({ class: "MARKETING" }))).toBe("INVALID_CLASS");
  });

  test("gives no system_id twice, also after its end; another case is another", async () => {
    await add();
    expect(codeOf(await create())).toBe("NAME_TAKEN");
    granted(await revoke());
    expect(codeOf(await create())).toBe("NAME_TAKEN");
    expect(granted(await create({ system_id: "Pharma1" })).system_id).toBe("Pharma1");
  });

  test("with --mode test is a user of the account's sandbox", async () => {
    const made = granted(await create({ mode: "test", tls: "optional", networks: ["any"] }));
    expect(made).toMatchObject({ account_id: account, mode: "test", tls: "optional", networks: ["any"] });
    const { read } = fixture.context.store;
    const owner = accountByUlid(read, account)?.id ?? 0;
    expect(smppUserBySystemId(read, "pharma1")?.accountId).toBe(-owner);
    expect(hasSandbox(read, owner)).toBe(true);
  });
});

describe("smpp set", () => {
  test("changes what is given and nothing else, and tells the server", async () => {
    granted(await requestSender("PHARMACIE"));
    await add({ sender: "PHARMACIE", networks: ["192.0.2.1"] });
    const [before] = granted(await run(SMPP["smpp list"], fixture.context, {})).users;
    const changed = granted(await set({ window: 20, reasons: "yes", networks: ["any"] }));
    expect(changed).toEqual({ ...before, window: 20, reasons: "yes", networks: ["any"] });
    expect(granted(await set({ sender: null, classes_by: "service_type" }))).toEqual({
      ...changed,
      sender: null,
      classes_by: "service_type",
    });
    expect(fixture.told()).toEqual(["account", "smpp_user", "smpp_user"]);
    expect(fixture.audited().filter((entry) => entry === "awa: smpp set")).toHaveLength(2);
  });

  test("refuses nothing to change, what create refuses, and who is not there or was revoked", async () => {
    await add();
    expect(codeOf(await set({}))).toBe("NOTHING_TO_CHANGE");
    expect(codeOf(await set({ throughput: 5001 }))).toBe("INVALID_NUMBER");
    expect(codeOf(await set({ sender: "OTHER" }))).toBe("SENDER_NOT_FOUND");
    expect(codeOf(await set({ system_id: "nobody", window: 1 }))).toBe("USER_NOT_FOUND");
    granted(await revoke());
    expect(codeOf(await set({ window: 1 }))).toBe("USER_REVOKED");
    expect(codeOf(await password())).toBe("USER_REVOKED");
  });

  test("asks for networks as soon as TLS is optional, and then no more", async () => {
    await add();
    expect(codeOf(await set({ tls: "optional" }))).toBe("NETWORKS_REQUIRED");
    granted(await set({ tls: "optional", networks: ["192.0.2.1"] }));
    granted(await set({ tls: "required" }));
    expect(granted(await set({ tls: "optional" })).networks).toEqual(["192.0.2.1"]);
  });
});

describe("smpp password", () => {
  test("brings a new one; the old one counts for 24 hours, or not with --now", async () => {
    await add();
    const hashes = () => login()?.hashes ?? [];
    const made = granted(await password());
    const [first = ""] = hashes();
    expect(hashes()).toEqual([first, "$old"]);
    expect(await verifySmppPassword(made.password, [first])).toBe(true);
    await fixture.clock.advance(24 * 3_600_000);
    expect(hashes()).toEqual([first]);
    const again = granted(await password(true));
    expect(hashes()).toHaveLength(1);
    expect(await verifySmppPassword(again.password, hashes())).toBe(true);
    expect(hashes()).not.toContain(first);
    expect(fixture.told()).toEqual(["smpp_user", "smpp_user"]);
  });
});

describe("smpp revoke", () => {
  test("ends a user once", async () => {
    await add();
    expect(granted(await revoke())).toMatchObject({ system_id: "pharma1", status: "REVOKED" });
    const { revoked_at } = granted(await revoke());
    await fixture.clock.advance(1000);
    expect(granted(await revoke()).revoked_at).toBe(revoked_at);
    expect(fixture.audited().filter((entry) => entry.includes("revoke"))).toHaveLength(1);
    expect(login()?.user.revokedAtMs).not.toBeNull();
  });
});

describe("smpp list", () => {
  test("has the users of an account, or all, revoked ones too", async () => {
    const other = await fixture.account();
    const otherId = accountByUlid(fixture.context.store.read, other)?.id ?? 0;
    await add();
    await add({ systemId: "second" });
    await add({ systemId: "others", accountId: otherId });
    granted(await revoke());
    const listed = async (of?: string) =>
      granted(
        await run(SMPP["smpp list"], fixture.context, of === undefined ? {} : { account: of }),
      ).users.map(({ system_id, status }) => `${system_id} ${status}`);
    expect(await listed(account)).toEqual(["pharma1 REVOKED", "second ACTIVE"]);
    expect(await listed(other)).toEqual(["others ACTIVE"]);
    expect(await listed()).toEqual(["pharma1 REVOKED", "second ACTIVE", "others ACTIVE"]);
    expect(codeOf(await run(SMPP["smpp list"], fixture.context, { account: "nobody" }))).toBe(
      "ACCOUNT_NOT_FOUND",
    );
  });
});

describe("an account", () => {
  test("that is suspended keeps its users, which may not bind", async () => {
    await add();
    granted(await run(ACCOUNT_OPERATIONS["account suspend"], fixture.context, { account, reason: "unpaid" }));
    expect(login()).toMatchObject({ accountStatus: "SUSPENDED", user: { revokedAtMs: null } });
    expect(fixture.told()).toEqual(["account"]);
    granted(await set({ window: 11 }));
  });

  test("that is closed has its users revoked, and gets no more", async () => {
    await add();
    await add({ systemId: "second" });
    const closed = granted(
      await run(ACCOUNT_OPERATIONS["account close"], fixture.context, { account, force: false }),
    );
    expect(closed.closing.keys_ended).toBe(2);
    expect(login()).toMatchObject({ accountStatus: "CLOSED", user: { revokedAtMs: fixture.clock.nowMs() } });
    expect(codeOf(await create({ system_id: "more" }))).toBe("ACCOUNT_CLOSED");
    expect(codeOf(await set({ window: 1 }))).toBe("ACCOUNT_CLOSED");
    expect(codeOf(await password())).toBe("ACCOUNT_CLOSED");
  });
});
