import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import node from "../../src/api/verify/node.txt" with { type: "text" };
import { EVENT_TYPES } from "../../src/events/catalogue.ts";
import { eventsAfter } from "../../src/events/outbox.ts";
import { watchLevel } from "../../src/wallet/wallet.ts";
import { secretText } from "../../src/webhooks/secrets.ts";
import { messageHeaders } from "../../src/webhooks/signature.ts";
import { type HttpFixture, httpFixture } from "./fixture.ts";

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await httpFixture();
});
afterAll(() => fixture.close());

describe("the page about webhooks", () => {
  test("is served to anybody, loads nothing from elsewhere, and names every event", async () => {
    const response = await fetch(`${fixture.http.url}/docs/webhooks`);
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const page = await response.text();
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
    for (const type of [...EVENT_TYPES, "WEBHOOK_TEST"]) expect(page).toContain(`<code>${type}</code>`);
    for (const name of ["Python", "Node.js", "PHP", "Ruby", "Java"])
      expect(page).toContain(`<h3>${name}</h3>`);
  });

  test("says what an endpoint gets that names no events, and how to try one locally", async () => {
    const page = await (await fetch(`${fixture.http.url}/docs/webhooks`)).text();
    for (const type of EVENT_TYPES) {
      const isUsual = ["MESSAGE_TERMINAL", "BATCH_SETTLED", "BATCH_REJECTED", "BATCH_FAILED"].includes(type);
      expect(page.includes(`<code>${type}</code> *`)).toBe(isUsual);
    }
    for (const word of ['<h2 id="local">', "bendre webhook test", "allow_private_targets", "ca_file"]) {
      expect(page).toContain(word);
    }
  });

  test("names every figure that WALLET_LOW carries", async () => {
    const { accountId } = await fixture.tenant();
    await fixture.store.write((tx) => {
      tx.run("UPDATE accounts SET low_balance = 100 WHERE id = ?", accountId);
      watchLevel(tx, accountId, { funds: 5, reserved: 0, isLow: 0 }, 1);
    });
    const figures = eventsAfter(fixture.store.read, accountId, 0, 10).flatMap((event) =>
      event.type === "WALLET_LOW" ? Object.keys(event.figures) : [],
    );
    expect(figures.length).toBe(7);
    const page = await (await fetch(`${fixture.http.url}/docs/webhooks`)).text();
    for (const figure of figures) expect(page).toContain(`<code>${figure}</code>`);
  });

  test("shows code that verifies what is sent, and refuses what was altered or is old", async () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-verify-"));
    writeFileSync(join(directory, "verify.mjs"), node);
    const { verify } = (await import(join(directory, "verify.mjs"))) as {
      verify: (secret: string, headers: Record<string, string>, body: string) => unknown;
    };
    const keys = [3, 9].map((octet) => new Uint8Array(32).fill(octet));
    const signing = keys.map((key) => ({ key, expiresAtMs: Number.POSITIVE_INFINITY }));
    const body = '{"data":"Ségou"}';
    const headers = messageHeaders(signing, "01K", body, Date.now());
    for (const key of keys) expect(verify(secretText(key), headers, body)).toEqual({ data: "Ségou" });
    const [first] = keys as [Uint8Array];
    expect(() => verify(secretText(first), headers, `${body} `)).toThrow("wrong signature");
    expect(() => verify(secretText(new Uint8Array(32)), headers, body)).toThrow("wrong signature");
    const old = messageHeaders(signing, "01K", body, Date.now() - 301_000);
    expect(() => verify(secretText(first), old, body)).toThrow("too old");
    rmSync(directory, { recursive: true });
  });
});
