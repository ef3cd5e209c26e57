import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import guide from "../../src/docs/guide/en/webhooks.md" with { type: "text" };
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { DEFAULT_EVENTS, EVENT_TYPES, eventsAfter } from "../../src/domain/events/outbox.ts";
import { watchLevel } from "../../src/domain/ledger/wallet.ts";
import { toSignedHeaders } from "../../src/webhooks/payload.ts";
import { secretText } from "../../src/webhooks/signing.ts";
import { type HttpFixture, httpFixture } from "../ingress/api/fixture.ts";

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await httpFixture();
});
afterAll(() => fixture.close());

const node = /^```js\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? "";

describe("the page about webhooks", () => {
  test("says what an endpoint gets that names no events, or an empty list", () => {
    const [, usual = ""] = /Left out, null or an empty list, you get([^.]*)\./.exec(guide) ?? [];
    const named = EVENT_TYPES.filter((type) => usual.includes(`\`${type}\``));
    expect(named).toEqual([...DEFAULT_EVENTS]);
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

  test.each(LANGUAGES)(
    "gives a signature to try one's own code with, which is right (%s)",
    async (language) => {
      const page = readFileSync(
        join(import.meta.dirname, `../../src/docs/guide/${language}/webhooks.md`),
        "utf8",
      );
      const [, secret = "", id = "", seconds = "", body = "", signature = ""] =
        /`(whsec_[^`]+)`[^`]*`webhook-id`\s+`([^`]+)`[^`]*`webhook-timestamp` `(\d+)`[^`]*`([^`]+)`[^`]*`(v1,[^`]+)`/.exec(
          page,
        ) ?? [];
      const key = new Uint8Array(Buffer.from(secret.replace("whsec_", ""), "base64"));
      const signing = [{ key, expiresAtMs: Number.POSITIVE_INFINITY }];
      expect(toSignedHeaders(signing, id, body, Number(seconds) * 1000)).toMatchObject({
        "webhook-signature": signature,
      });
      expect(signature.length).toBe(47);
    },
  );

  test("shows code that verifies what is sent, and refuses what was altered or is old", async () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-verify-"));
    writeFileSync(join(directory, "verify.mjs"), node);
    const { verify } = (await import(join(directory, "verify.mjs"))) as {
      verify: (secret: string, headers: Record<string, string>, body: string) => unknown;
    };
    const keys = [3, 9].map((octet) => new Uint8Array(32).fill(octet));
    const signing = keys.map((key) => ({ key, expiresAtMs: Number.POSITIVE_INFINITY }));
    const body = '{"data":"Ségou"}';
    const headers = toSignedHeaders(signing, "01K", body, Date.now());
    for (const key of keys) expect(verify(secretText(key), headers, body)).toEqual({ data: "Ségou" });
    const [first] = keys as [Uint8Array];
    expect(() => verify(secretText(first), headers, `${body} `)).toThrow("wrong signature");
    expect(() => verify(secretText(new Uint8Array(32)), headers, body)).toThrow("wrong signature");
    const old = toSignedHeaders(signing, "01K", body, Date.now() - 301_000);
    expect(() => verify(secretText(first), old, body)).toThrow("too old");
    rmSync(directory, { recursive: true });
  });
});
