/** Second factors lie sealed in the database, and so in every copy of it. */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { USER_OPERATIONS } from "../../src/admin/operations/users.ts";
import { english } from "../../src/i18n/text.ts";
import { backupCreate, backupVerify } from "../../src/ops/backup/backups.ts";
import { codeOf, granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { type ConsoleFixture, consoleFixture, PASSWORD, type Person } from "./fixture.ts";

let console_: ConsoleFixture;
let awa: Person;
beforeEach(async () => {
  console_ = await consoleFixture();
  awa = await console_.person("awa@example.bf", "OWNER");
});
afterEach(() => console_.close());

const directory = () => console_.context.store.directory;
const keyFile = () => join(directory(), "second-factors.key");
const contextWith = (passphrase: string) => {
  const { config } = console_.context;
  return { ...console_.context, config: { ...config, backup: { ...config.backup, passphrase } } };
};

test("the secret stands in no file of the data directory nor in a backup, and its key is the server's alone", async () => {
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  const { file } = granted(await backupCreate(contextWith(""), null));
  const files = [
    file,
    ...readdirSync(directory())
      .filter((name) => name.startsWith("bendre.db"))
      .map((name) => join(directory(), name)),
  ];
  expect(files.length).toBeGreaterThan(1);
  for (const each of files) expect(readFileSync(each).includes(awa.secret)).toBe(false);
  expect((await (await console_.signedIn(awa)).get("/api/me")).status).toBe(200);
});

test("a sealed secret is its user's alone: copied to another's row it opens nothing", async () => {
  const salif = await console_.person("salif@example.bf", "SUPPORT");
  await console_.context.store.write((tx) => {
    const row = tx.get<{ sealed: string }>(
      "SELECT totp_secret AS sealed FROM users WHERE login = ?",
      awa.login,
    );
    tx.run("UPDATE users SET totp_secret = ? WHERE login = ?", row?.sealed ?? "", salif.login);
  });
  const visitor = console_.browser();
  await visitor.post("/sign-in", { login: salif.login, password: PASSWORD });
  expect((await visitor.post("/second-factor", { code: await console_.nextCode(awa) })).status).toBe(401);
});

test("a backup whose keys are others is told as unsound; a recovery code and a new link need none of before", async () => {
  const context = contextWith("correct horse");
  const sound = granted(await backupCreate(context, null));
  expect(sound.keys).toBe("sealed");
  granted(await backupVerify(context, sound.file));
  writeFileSync(keyFile(), new Uint8Array(32));
  console_.clock.setBy(1000);
  const { file } = granted(await backupCreate(context, null));
  const looked = await backupVerify(context, file);
  expect(codeOf(looked)).toBe("BACKUP_UNSOUND");
  expect(looked.ok ? "" : english(looked.refusal.detail)).toContain("second factors of 1 user(s)");
  await console_.reopen();
  const visitor = console_.browser();
  await visitor.post("/sign-in", { login: awa.login, password: PASSWORD });
  expect((await visitor.post("/second-factor", { code: await console_.nextCode(awa) })).status).toBe(401);
  const [recoveryCode = ""] = awa.recoveryCodes;
  expect((await visitor.post("/second-factor", { recoveryCode })).status).toBe(200);
  const { link } = granted(await run(USER_OPERATIONS["user reset"], console_.context, { login: awa.login }));
  const renewed = await console_.use(link.split("#")[1] ?? "", awa.login);
  expect((await (await console_.signedIn(renewed)).get("/api/me")).status).toBe(200);
});
