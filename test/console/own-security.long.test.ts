/** What somebody does about their own second factor and recovery codes, once they have shown the present one again. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { type Browser, type ConsoleFixture, consoleFixture, PASSWORD, type Person } from "./fixture.ts";

let place: ConsoleFixture;
let awa: Person;
let browser: Browser;
beforeEach(async () => {
  place = await consoleFixture();
  awa = await place.person("awa@reseau.example", "OWNER");
  browser = await place.signedIn(awa);
});
afterEach(() => place.close());

const confirm = async () => browser.post("/confirm", { code: await place.nextCode(awa) });
const code = async (path: string, body?: unknown) => (await browser.post(path, body)).json.code ?? "done";

type Proposed = { readonly proposal: string; readonly totp: { readonly secretBase32: string } };

test("another second factor takes the place of the first, which opens nothing any more, and other sessions end", async () => {
  const elsewhere = await place.signedIn(awa);
  expect(await code("/me/factor")).toBe("SECOND_FACTOR_NEEDED");
  await confirm();
  const { proposal, totp } = (await browser.post("/me/factor")).json as unknown as Proposed;
  expect(await code("/me/factor/use", { proposal, code: "000000" })).toBe("CODE_REFUSED");
  expect((await browser.get("/api/me")).status).toBe(200);
  const fresh = deriveCode(totp.secretBase32, place.clock.nowMs());
  expect(await code("/me/factor/use", { proposal, code: fresh })).toBe("done");
  expect((await browser.get("/api/me")).status).toBe(200);
  expect((await elsewhere.get("/api/me")).status).toBe(401);
  const withFactor = async (secret: string) => {
    const visitor = place.browser();
    await visitor.post("/sign-in", { login: awa.login, password: PASSWORD });
    place.clock.setBy(30_000);
    return (await visitor.post("/second-factor", { code: deriveCode(secret, place.clock.nowMs()) })).status;
  };
  expect([await withFactor(awa.secret), await withFactor(totp.secretBase32)]).toEqual([401, 200]);
  expect(place.audits().map(({ action }) => action)).toContain("user second factor");
  expect(JSON.stringify(place.audits())).not.toContain(totp.secretBase32);
});

test("a proposal is its user's alone, and for ten minutes", async () => {
  await confirm();
  const { proposal, totp } = (await browser.post("/me/factor")).json as unknown as Proposed;
  const issa = await place.person("issa@reseau.example", "OWNER");
  const other = await place.signedIn(issa);
  await other.post("/confirm", { code: await place.nextCode(issa) });
  const now = () => deriveCode(totp.secretBase32, place.clock.nowMs());
  expect((await other.post("/me/factor/use", { proposal, code: now() })).json.code).toBe("TOO_LATE");
  place.clock.setBy(10 * 60_000);
  await confirm();
  expect(await code("/me/factor/use", { proposal, code: now() })).toBe("TOO_LATE");
});

test("other recovery codes stand in for the second factor; those before are worth nothing", async () => {
  expect(await code("/me/recovery-codes")).toBe("SECOND_FACTOR_NEEDED");
  await confirm();
  const { recoveryCodes } = (await browser.post("/me/recovery-codes")).json as { recoveryCodes: string[] };
  expect(recoveryCodes).toHaveLength(10);
  const withCode = async (recoveryCode: string | undefined) => {
    const visitor = place.browser();
    await visitor.post("/sign-in", { login: awa.login, password: PASSWORD });
    return (await visitor.post("/second-factor", { recoveryCode })).status;
  };
  expect([await withCode(awa.recoveryCodes[0]), await withCode(recoveryCodes[0])]).toEqual([401, 200]);
  expect(place.audits().map(({ action }) => action)).toContain("user recovery codes");
});
