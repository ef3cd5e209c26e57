/** Roles × operations, over HTTP: what the table says is what the door does. */
import { expect, test } from "vitest";
import {
  findRule,
  isAccountRole,
  listPermissions,
  may,
  PERMISSIONS,
  ROLES,
} from "../../src/domain/accounts/roles.ts";
import { jsonAnswer } from "../../src/ingress/http/problem.ts";
import { consoleFixture } from "./fixture.ts";

test("every role is let through to what it may, asked again for money and keys, and to nothing else", async () => {
  const seen: string[] = [];
  const console_ = await consoleFixture(
    {},
    {
      fill: (routes, permit) => {
        for (const operation of PERMISSIONS) {
          routes.post(
            `/do/${operation}`,
            ({ exchange }) => {
              const permitted = permit(exchange, operation);
              if (permitted instanceof Response) return permitted;
              const { visitor, accountId, context } = permitted;
              seen.push(`${visitor.principal.role} ${operation}`);
              const from = context.from?.address;
              return jsonAnswer(200, JSON.stringify({ accountId, actor: context.actor, from }));
            },
            { parse: "none" },
          );
        }
      },
    },
  );
  const account = await console_.admin.account();
  const walked = new Map<string, string>();
  for (const role of ROLES) {
    const login = `${role.toLowerCase()}@example.bf`;
    const person = await console_.person(login, role, isAccountRole(role) ? account : null);
    const browser = await console_.signedIn(person);
    const ask = async (operation: string) => {
      const { status, json } = await browser.post(`/do/${operation}`);
      if (status === 200) {
        expect(json).toEqual({ accountId: isAccountRole(role) ? 1 : null, actor: login, from: "127.0.0.1" });
      }
      return status === 200 ? "done" : String(json.code);
    };
    const first = [];
    for (const operation of PERMISSIONS) first.push([operation, await ask(operation)] as const);
    expect((await browser.post("/confirm", { code: await console_.nextCode(person) })).status).toBe(200);
    for (const [operation, before] of first) {
      const again = findRule(operation)?.asksAgain === true;
      const isAllowed = may(role, operation);
      const expected = isAllowed ? (again ? "SECOND_FACTOR_NEEDED" : "done") : "FORBIDDEN";
      walked.set(`${role} ${operation}`, `${before}, ${await ask(operation)}`);
      expect([role, operation, walked.get(`${role} ${operation}`)]).toEqual([
        ...[role, operation],
        `${expected}, ${isAllowed ? "done" : "FORBIDDEN"}`,
      ]);
    }
    const me = (await browser.get("/api/me")).json;
    // The door for SMPP is closed here, and its pages are not shown.
    expect(me.capabilities).toEqual(listPermissions(role).filter((one) => !one.startsWith("smpp.")));
    console_.clock.setBy(5 * 60_000);
    const costly = PERMISSIONS.find((operation) => findRule(operation)?.asksAgain && may(role, operation));
    if (costly) expect(await ask(costly)).toBe("SECOND_FACTOR_NEEDED");
  }
  expect(walked.size).toBe(ROLES.length * PERMISSIONS.length);
  expect(new Set(seen).size).toBe(ROLES.reduce((sum, role) => sum + listPermissions(role).length, 0));
  await console_.close();
});

test("what the design forbids a role, the table does not give it", () => {
  for (const operation of ["messages.text", "inbound.text", "money.read", "money.change"]) {
    expect([operation, may("OPERATIONS", operation)]).toEqual([operation, false]);
  }
  for (const operation of ["messages.text", "inbound.text", "operators.change"]) {
    expect([operation, may("FINANCE", operation)]).toEqual([operation, false]);
  }
  const readers = ["SUPPORT", "ACCOUNT_READER"] as const;
  for (const role of readers) {
    expect([role, listPermissions(role).filter((operation) => findRule(operation)?.isChange)]).toEqual([
      role,
      [],
    ]);
  }
  for (const operation of ["keys.read", "keys.change", "webhooks.read", "webhooks.change", "money.change"]) {
    expect([operation, may("ACCOUNT_SENDER", operation)]).toEqual([operation, false]);
  }
  expect(listPermissions("OWNER")).toEqual([...PERMISSIONS]);
  expect(may("OWNER", "constructor")).toBe(false);
});
