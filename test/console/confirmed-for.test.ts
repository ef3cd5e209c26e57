import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { expect, test } from "vitest";
import { ROUTES } from "../../src/console/server/routes/table.ts";
import { type ConfirmedFor, deriveConfirmedFor } from "../../src/console/ui/state/confirmed-for.ts";
import { isLoopbackLink } from "../../src/console/ui/state/loopback-link.ts";
import { findRule } from "../../src/domain/accounts/roles.ts";

test("the code is asked for again with what is done: who comes in, keys, money, or a look at money before it moves", () => {
  const asking = Object.entries(ROUTES).filter(([, { operation }]) => findRule(operation)?.asksAgain);
  const told = Map.groupBy(asking, ([name]) => deriveConfirmedFor(name));
  const operations = (what: ConfirmedFor) =>
    [...new Set((told.get(what) ?? []).map(([, { operation }]) => operation))].sort();
  expect(operations("users")).toEqual(["smpp.manage", "smpp.own", "smpp.password", "users.change"]);
  expect(operations("keys")).toEqual(["keys.change"]);
  expect(operations("settings")).toEqual(["settings.change"]);
  expect(operations("money")).toEqual(["money.change", "prices.change"]);
  expect((told.get("check") ?? []).map(([name]) => name)).toEqual(["POST /accounts/:account/wallet/preview"]);
});

test("a link of the loopback opens on this machine alone", () => {
  const links = [
    "http://127.0.0.1:8080/console/link#x",
    "http://[::1]:8080/console/link#x",
    "/console/link#x",
  ];
  expect(links.map(isLoopbackLink)).toEqual([true, true, true]);
  expect(isLoopbackLink("https://sms.example.bf/console/link#x")).toBe(false);
});

test("no letter of the keyboard leads to two pages", () => {
  const pages = join(import.meta.dir, "../../src/console/ui/pages");
  const letters = [...new Glob("**/*pages.ts").scanSync(pages)].flatMap((file) =>
    [...readFileSync(join(pages, file), "utf8").matchAll(/"([a-z])"/g)].map(([, letter = ""]) => letter),
  );
  expect(letters.length).toBeGreaterThan(15);
  expect(letters.filter((letter, place) => letters.indexOf(letter) !== place)).toEqual([]);
});
