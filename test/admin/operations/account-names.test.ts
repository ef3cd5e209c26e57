import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS, runCommand } from "../../../src/admin/commands.ts";
import { accountCreate, accountSet, accountShow } from "../../../src/admin/operations/accounts.ts";
import { accountByUlid, createAccount } from "../../../src/domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../../src/domain/accounts/message-class.ts";
import { openWallet } from "../../../src/domain/ledger/wallet.ts";
import { english } from "../../../src/i18n/text.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

const create = async (name: string, shortName: string | null = null) =>
  accountCreate(fixture.context, { name, shortName, billing: "PREPAID", creditLimit: 0, timezone: null });
const created = async (name: string, shortName: string | null = null) =>
  granted(await create(name, shortName)).account_id;
const found = (text: string) => granted(accountShow(fixture.context, text)).account_id;
const refused = (text: string) => {
  const outcome = accountShow(fixture.context, text);
  if (outcome.ok) throw new Error("found");
  return outcome.refusal;
};

/** An account as a database of before names were unique may hold it. */
const planted = (ulid: string, name: string) =>
  fixture.context.store.write((tx) => {
    const account = {
      ulid,
      name,
      timezone: "UTC",
      billingMode: "PREPAID" as const,
      creditLimit: 0,
      chargeOn: null,
      classes: MESSAGE_CLASSES,
    };
    openWallet(tx, createAccount(tx, account, 1));
  });

describe("ACCOUNT", () => {
  test("is the id, the short name, the name without case and accents, or an ending of the id", async () => {
    const id = await created("Pharmacie du Marché", "pharma");
    await created("Autre");
    for (const text of [id, id.toLowerCase(), "pharma", "PHARMA", "pharmacie  du marche", id.slice(-4)]) {
      expect(found(text)).toBe(id);
    }
    expect(found(id.slice(-9).toLowerCase())).toBe(id);
    expect(refused(id.slice(-3)).code).toBe("ACCOUNT_NOT_FOUND");
    expect(english(refused("pharmasie du marché").detail)).toContain(
      `did you mean "Pharmacie du Marché" (${id})?`,
    );
  });

  test("is told with the candidates where more than one fits, and nothing is changed", async () => {
    await planted("01ARZ3NDEKTSV4RRFFQ69GAAAA", "Faso");
    await planted("01ARZ3NDEKTSV4RRFFQ69HAAAA", "FASÓ");
    expect(refused("faso").code).toBe("ACCOUNT_AMBIGUOUS");
    expect(english(refused("faso").detail)).toContain("01ARZ3NDEKTSV4RRFFQ69GAAAA");
    expect(english(refused("faso").detail)).toContain("01ARZ3NDEKTSV4RRFFQ69HAAAA");
    expect(refused("aaaa").code).toBe("ACCOUNT_AMBIGUOUS");
    expect(found("gaaaa")).toBe("01ARZ3NDEKTSV4RRFFQ69GAAAA");
  });

  test("tries the ways in order: a name goes before an ending of another's id", async () => {
    await planted("01ARZ3NDEKTSV4RRFFQ69GFAS0", "Other");
    await planted("01ARZ3NDEKTSV4RRFFQ69HAAAA", "fas0");
    expect(found("FAS0")).toBe("01ARZ3NDEKTSV4RRFFQ69HAAAA");
  });

  test("is read so by every command that takes one", async () => {
    const id = await created("Faso Shop", "faso");
    const [wrong] = ["nobody-there"];
    const taking = ADMIN_COMMANDS.filter(({ positionals }) =>
      positionals.some(({ name }) => name === "ACCOUNT"),
    );
    const ending = taking.filter(({ name }) => name === "account close");
    const commands = [...taking.filter((command) => !ending.includes(command)), ...ending];
    expect(commands.length).toBeGreaterThan(15);
    const args = {
      NAME: "ACME",
      AMOUNT: "5",
      reference: "r",
      reason: "r",
      operator: "orange",
      amount: "5",
      name: "n",
      user: "u",
      "system-id": "shop",
      scopes: "all",
      MSISDN: "70000000",
      class: "OTP",
      FILE: "msisdn\n70000001\n",
      "credit-limit": "0",
      timezone: "UTC",
      force: "",
      url: "https://9.9.9.9/",
    };
    await runCommand(fixture.context, "sender request", { ...args, ACCOUNT: id });
    const body = { sender: "NOBODY", body: "x", message_class: "OTP", recipients: [{ msisdn: "70000000" }] };
    const brought = new TextEncoder().encode(JSON.stringify(body));
    for (const { name, attach } of commands) {
      const unknown = await runCommand(fixture.context, name, { ...args, ACCOUNT: wrong ?? "" });
      expect([name, codeOf(unknown)]).toEqual([name, "ACCOUNT_NOT_FOUND"]);
      const known = await runCommand(fixture.context, name, { ...args, ACCOUNT: "faso" }, brought);
      // What brings a file is as far then as its sender, whom the account does not have.
      expect([name, known.ok ? "" : known.refusal.code]).toEqual([name, attach ? "SENDER_NOT_APPROVED" : ""]);
    }
  });
});

describe("a name", () => {
  test("is one account's only, whatever its case and accents, and so is a short name", async () => {
    const id = await created("Pharmacie", "ph");
    expect(codeOf(await create("PHARMACÌE"))).toBe("NAME_TAKEN");
    expect(codeOf(await create("Ph"))).toBe("NAME_TAKEN");
    expect(codeOf(await create("B", "ph"))).toBe("NAME_TAKEN");
    expect(codeOf(await create("B", "pharmacie"))).toBe("NAME_TAKEN");
    await created("Banque", "banque");
    expect(codeOf(await accountSet(fixture.context, "ph", { shortName: "banque" }))).toBe("NAME_TAKEN");
    expect(granted(await accountSet(fixture.context, "ph", { shortName: "pharmacie" }))).toMatchObject({
      account_id: id,
      short_name: "pharmacie",
    });
    expect(found("pharmacie")).toBe(id);
    expect(codeOf(accountShow(fixture.context, "ph"))).toBe("ACCOUNT_NOT_FOUND");
  });

  test.each(["a", "x".repeat(21), "Faso", "fa so", "fasó", ""])("%j is no short name", async (shortName) => {
    expect(codeOf(await create("A", shortName))).toBe("INVALID_SHORT_NAME");
    expect(accountByUlid(fixture.context.store.read, "A")).toBe(null);
  });

  test("that is short never looks like the ending of an id", async () => {
    const id = await created("A");
    expect(codeOf(await create("B", id.slice(-4).toLowerCase()))).toBe("INVALID_SHORT_NAME");
  });
});
