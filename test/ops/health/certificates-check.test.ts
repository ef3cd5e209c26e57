import { beforeEach, describe, expect, test } from "vitest";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { type Phrase, phrase } from "../../../src/i18n/phrase.ts";
import { certificatesCheck } from "../../../src/ops/health/checks.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { HOOK_CERTIFICATE, TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type TestClock, testClock } from "../../kit/test-clock.ts";

/** When the certificates of the tests end. */
const AUTHORITY_ENDS = Date.parse("2126-10-28T07:18:24Z");
const HOOK_ENDS = Date.parse("2126-10-28T07:18:31Z");
const DAY_MS = 24 * 3_600_000;

let clock: TestClock;
let files: Record<string, string | Error>;
beforeEach(() => {
  clock = testClock();
  files = { "own.pem": HOOK_CERTIFICATE, "ca.pem": TEST_AUTHORITY };
});

const readPem = (path: string): string => {
  const content = files[path] ?? new Error("ENOENT");
  if (content instanceof Error) throw content;
  return content;
};
const check = (changes: Record<string, unknown> = {}) => {
  const settings = settingsHolder(
    configOf(document({ server: { tls_certificate: "own.pem", tls_key: "key.pem" }, ...changes })),
  );
  return { ...certificatesCheck(settings, clock, readPem), settings };
};
const late = (...parts: Phrase[]) => phrase("health.certificates.late", { parts });
const to = (atMs: number) => clock.advance(atMs - clock.nowMs());

describe("certificates", () => {
  test("are well where none is configured, and until two weeks before the first of them ends", async () => {
    expect(check({ server: {} }).run()).toMatchObject({
      status: "ok",
      detail: phrase("health.certificates.none"),
    });
    const { run: look } = check({ webhooks: { ca_file: "ca.pem" } });
    await to(AUTHORITY_ENDS - 14 * DAY_MS);
    expect(look()).toMatchObject({
      status: "ok",
      detail: phrase("health.certificates", { count: 2, first: AUTHORITY_ENDS }),
    });
    await to(AUTHORITY_ENDS - 14 * DAY_MS + 1000);
    expect(look()).toMatchObject({
      status: "degraded",
      detail: late(phrase("health.certificates.ends", { key: "webhooks.ca_file", end: AUTHORITY_ENDS })),
      action: phrase("health.certificates.action"),
    });
    await to(HOOK_ENDS + 1000);
    expect(look().detail).toEqual(
      late(
        phrase("health.certificates.ended", { key: "server.tls_certificate", end: HOOK_ENDS }),
        phrase("health.certificates.ended", { key: "webhooks.ca_file", end: AUTHORITY_ENDS }),
      ),
    );
  });

  test("of our own end with the first of their chain, authorities with the last of their list", async () => {
    files = {
      "own.pem": `${HOOK_CERTIFICATE}${TEST_AUTHORITY}`,
      "ca.pem": `${TEST_AUTHORITY}${HOOK_CERTIFICATE}`,
    };
    const { run: look } = check({ webhooks: { ca_file: "ca.pem" } });
    await to(AUTHORITY_ENDS + 1000);
    expect(look().detail).toEqual(
      late(
        phrase("health.certificates.ended", { key: "server.tls_certificate", end: AUTHORITY_ENDS }),
        phrase("health.certificates.ends", { key: "webhooks.ca_file", end: HOOK_ENDS }),
      ),
    );
  });

  test("that connections to operators use are looked at under the key that names them", () => {
    const tls = { tls: true, tls_certificate: "gone.pem", tls_key: "key.pem" };
    const { run: look } = check({
      server: {},
      operators: { orange: operator({ connections: [connection(tls)] }) },
    });
    expect(look()).toMatchObject({ status: "degraded" });
    expect(look().detail).toEqual(
      late(
        phrase("health.certificates.unreadable", {
          key: "operators.orange.connections[0].tls_certificate",
        }),
      ),
    );
  });

  test("that were renewed are seen within a minute, and another configuration at once", async () => {
    files["own.pem"] = "no certificate";
    const { run: look, settings } = check();
    expect(look().status).toBe("degraded");
    files["own.pem"] = HOOK_CERTIFICATE;
    expect(look().status).toBe("degraded");
    await clock.advance(60_000);
    expect(look().status).toBe("ok");
    files["ca.pem"] = "no certificate";
    const changes = { server: settings.now().server, webhooks: { ca_file: "ca.pem" } };
    expect(settings.replace(configOf(document(changes)))).toEqual([]);
    expect(look().status).toBe("degraded");
  });
});
