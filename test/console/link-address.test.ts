/** A link that is printed can be opened where it is read: by its public name, else on this machine. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { USER_OPERATIONS, userCreate } from "../../src/admin/operations/users.ts";
import { granted } from "../admin/operations/fixture.ts";
import { run } from "../admin/operations/run-operation.ts";
import { configOf, document } from "../config/sample.ts";
import { testLog } from "../kit/test-log.ts";
import { firstLinkOf } from "./first-link.ts";
import { type ConsoleFixture, consoleFixture } from "./fixture.ts";

let console_: ConsoleFixture;
beforeEach(async () => {
  console_ = await consoleFixture();
});
afterEach(() => console_.close());

const placeOf = (link: string | null) => link?.split("#")[0];

test("of user link", async () => {
  const { context } = console_;
  const user = { login: "awa@example.bf", role: "OWNER", account: null, language: null };
  granted(await userCreate(context, user));
  const linkWith = async (changes: Parameters<typeof document>[0], url?: string) => {
    const server = context.server && { ...context.server, ...(url === undefined ? {} : { url }) };
    const told = await run(
      USER_OPERATIONS["user link"],
      { ...context, server, config: configOf(document(changes)) },
      { login: user.login },
    );
    return placeOf(granted(told).link);
  };
  const listening = (listen: string) => ({ server: { listen } });
  expect(await linkWith(listening("0.0.0.0:8080"))).toBe("http://127.0.0.1:8080/console/link");
  expect(await linkWith(listening("[::]:8080"))).toBe("http://[::1]:8080/console/link");
  expect(await linkWith(listening("10.1.2.3:8080"))).toBe("http://10.1.2.3:8080/console/link");
  expect(await linkWith({ ...listening("127.0.0.1:8080"), console: { listen: "0.0.0.0:9443" } })).toBe(
    "http://127.0.0.1:9443/console/link",
  );
  const named = { listen: "0.0.0.0:8080", public_url: "https://sms.example.bf" };
  expect(await linkWith({ server: named })).toBe("https://sms.example.bf/console/link");
  expect(await linkWith(listening("0.0.0.0:0"), "http://0.0.0.0:41234")).toBe(
    "http://127.0.0.1:41234/console/link",
  );
  // Nobody knows the port of a server that does not run.
  expect(await linkWith(listening("0.0.0.0:0"))).toBe("/console/link");
});

test("of the first start", async () => {
  const at = async (origin: string) => placeOf(await firstLinkOf({ ...console_, origin }));
  expect(await at("http://0.0.0.0:8080")).toBe("http://127.0.0.1:8080/console/link");
  expect(await at("https://[::]:8443")).toBe("https://[::1]:8443/console/link");
  expect(await at("http://10.1.2.3:8080")).toBe("http://10.1.2.3:8080/console/link");
});

test("a first link that cannot be written down ends nothing: the log says so", async () => {
  const { context } = console_;
  const write = () => Promise.reject(new Error("database or disk is full"));
  const store = { ...context.store, write } as typeof context.store;
  const log = testLog();
  expect(await firstLinkOf({ ...console_, log, context: { ...context, store } })).toBeNull();
  expect(log.lines.map(({ message }) => message)).toContain(
    "no first link could be made: user create makes one",
  );
});
