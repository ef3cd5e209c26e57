import { describe, expect, test } from "vitest";
import { idOf, opening, type Scene } from "../scene.ts";
import { changesKept } from "./changes-kept.ts";
import { found } from "./found.ts";
import { invoice } from "./invoice.ts";
import { suppressionsKept } from "./suppressions-kept.ts";

const OF = { ACCOUNT: "alpha" };

/** Commands that were done, a death, and what is shown at rest. */
function shown(done: (run: Scene) => void, command: string, data: unknown): string {
  const run = opening();
  done(run);
  run.see({ kind: "life", life: 1, what: "power lost" });
  run.wait();
  run.see({ kind: "life", life: 2, what: "starting" });
  run.see({ kind: "rest" });
  run.wait();
  run.command(command, OF, { data });
  return found(run, changesKept, suppressionsKept, invoice);
}

const says = (name: string, args: Readonly<Record<string, string>>) => (run: Scene) => {
  run.command(name, { ...OF, ...args }, { data: {} });
  run.wait();
};

describe("what was said is done stands at rest", () => {
  test("for the settings of an account", () => {
    const set = says("account set", { "marketing-per-day": "3", "charge-on": "delivered" });
    const show = (changes: object) => ({
      account_id: idOf(900),
      charge_on: "delivered",
      marketing_per_day: 3,
      ...changes,
    });
    expect(shown(set, "account show", show({}))).toBe("");
    expect(shown(set, "account show", show({ marketing_per_day: null }))).toContain("was set to 3");
    expect(shown(set, "account show", show({ charge_on: null }))).toContain("was set to delivered");
  });

  test("for keys", () => {
    const keys = (status: string) => ({ keys: [{ key_id: "alpha", status }] });
    expect(shown(() => {}, "key list", keys("ACTIVE"))).toBe("");
    expect(shown(() => {}, "key list", { keys: [] })).toContain("lacks key");
    expect(shown(() => {}, "key list", keys("REVOKED"))).toContain("nobody revoked");
    expect(shown(says("key revoke", { KEY_ID: "alpha" }), "key list", keys("ACTIVE"))).toContain(
      "revoked key",
    );
  });

  test("for senders and where they are registered", () => {
    const approve = (run: Scene) => {
      says("sender request", { NAME: "KORO" })(run);
      says("sender approve", { NAME: "KORO" })(run);
      says("sender register", { NAME: "KORO", operator: "moov" })(run);
    };
    const senders = (status: string, operators: readonly string[]) => ({
      senders: [{ sender: "KORO", status, operators }],
    });
    expect(shown(approve, "sender list", senders("APPROVED", ["moov"]))).toBe("");
    expect(shown(approve, "sender list", senders("REQUESTED", ["moov"]))).toContain("which was APPROVED");
    expect(shown(approve, "sender list", senders("APPROVED", []))).toContain("not registered with moov");
    expect(shown(approve, "sender list", { senders: [] })).toContain("lacks sender");
  });

  test("for prices and their past", () => {
    const price = says("price set", { operator: "moov", amount: "12", class: "OTP" });
    const prices = (amount: number) => ({
      prices: [{ operator: "moov", message_class: "OTP", amount, source: "account" }],
    });
    expect(shown(price, "price list", prices(12))).toBe("");
    expect(shown(price, "price list", prices(11))).toContain("which was 12");
    expect(shown(price, "price list", { prices: [] })).toContain("has no price");
    const past = { changes: [{ operator: "moov", message_class: "OTP", amount: 12 }] };
    expect(shown(price, "price history", past)).toBe("");
    expect(shown(price, "price history", { changes: [] })).toContain("lacks the price 12");
  });

  test("for endpoints", () => {
    const register = (run: Scene) => {
      const answer = { status: 201, json: { data: { webhook_id: idOf(700) } } };
      run.ask({ client: "alpha", method: "POST", path: "/webhooks" }, answer);
      run.wait();
    };
    expect(shown(register, "webhook list", { webhooks: [{ webhook_id: idOf(700) }] })).toBe("");
    expect(shown(register, "webhook list", { webhooks: [] })).toContain("lacks endpoint");
    const both = (run: Scene) => {
      register(run);
      says("webhook delete", { WEBHOOK: idOf(700) })(run);
    };
    expect(shown(both, "webhook list", { webhooks: [] })).toBe("");
  });

  test("for those who are suppressed, and for those who no longer are", () => {
    const add = says("suppression add", { MSISDN: "+22670000001", class: "all" });
    const rows = (...classes: readonly string[]) => ({
      suppressions: classes.map((message_class) => ({ msisdn: "+22670000001", message_class })),
      next_after: null,
    });
    expect(shown(add, "suppression list", rows("OTP", "TRANSACTIONAL", "MARKETING"))).toBe("");
    expect(shown(add, "suppression list", rows("OTP", "TRANSACTIONAL"))).toContain(
      "not +22670000001 for MARKETING",
    );
    const removed = (run: Scene) => {
      add(run);
      says("suppression remove", { MSISDN: "+22670000001", class: "OTP" })(run);
    };
    expect(shown(removed, "suppression list", rows("TRANSACTIONAL", "MARKETING"))).toBe("");
    expect(shown(removed, "suppression list", rows("OTP", "TRANSACTIONAL", "MARKETING"))).toContain(
      "for OTP",
    );
  });
});

test("an invoice adds up line by line, and a line that does not is a finding", () => {
  const line = (changes: object) => ({
    lines: [
      {
        operator: "moov",
        message_class: "OTP",
        price: 10,
        messages: 2,
        segments: 3,
        reserved: 30,
        charged: 20,
        released: 10,
        still_reserved: 0,
        ...changes,
      },
    ],
  });
  expect(shown(() => {}, "wallet invoice", line({}))).toBe("");
  expect(shown(() => {}, "wallet invoice", line({ price: 11 }))).toContain("3 segments reserve 30");
  expect(shown(() => {}, "wallet invoice", line({ released: 0 }))).toContain("0 released");
});

test("an invoice comes to what the statement by batches says", () => {
  const batches = {
    batches: [{ messages: 1, segments: 1, reserved: 10, charged: 10, released: 0, still_reserved: 0 }],
  };
  const run = opening();
  run.see({ kind: "rest" });
  run.command("wallet statement", { ...OF, batches: "" }, { data: batches });
  run.command("wallet invoice", OF, { data: { lines: [] } });
  expect(found(run, invoice)).toContain("charged 0, and by batches 10");
});
