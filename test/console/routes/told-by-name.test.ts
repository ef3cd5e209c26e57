/** Operators of senders and prices are told by the names that people know them by. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { senderApprove, senderRegister, senderRequest } from "../../../src/admin/operations/senders.ts";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { registerSender } from "../../../src/domain/accounts/senders.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

let place: ConsoleFixture;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
});
afterEach(() => place.close());

test("a sender says by name which operators know it and which do not", async () => {
  const account = await place.admin.account();
  const { context } = place;
  await senderRequest(context, account, "PHARMA");
  await senderApprove(context, account, "PHARMA");
  await senderRegister(context, account, "PHARMA", "orange");
  const { orange, ...others } = context.config.operators;
  const owner = await place.entered("owner@example.bf", "OWNER", null);
  const told = (await owner.get(`/api/accounts/${account}/senders`)).json;
  expect(told.senders).toContainEqual(
    expect.objectContaining({
      sender: "PHARMA",
      known_by: [orange!.name],
      unknown_to: Object.values(others).map((one) => one!.name),
    }),
  );
});

test("a sender says to staff by which routes an operator knows it, and to its account's people the operator alone", async () => {
  const account = await place.admin.account();
  const { context } = place;
  await senderRequest(context, account, "PHARMA");
  await senderApprove(context, account, "PHARMA");
  await context.store.write((tx) => {
    const id = tx.get<{ id: number }>("SELECT id FROM senders WHERE name = 'PHARMA'")?.id ?? 0;
    registerSender(tx, id, "orange/agg", 1);
  });
  const { name } = context.config.operators.orange!;
  const read = async (login: string, role: "OWNER" | "ACCOUNT_ADMIN", of: string | null) => {
    const reader = await place.entered(login, role, of);
    const { senders } = (await reader.get(`/api/accounts/${account}/senders`)).json;
    return (senders as readonly { readonly sender: string }[]).find(({ sender }) => sender === "PHARMA");
  };
  expect(await read("owner@example.bf", "OWNER", null)).toMatchObject({
    registrations: ["orange/agg"],
    known_by: [`${name} (agg)`],
  });
  const seen = await read("awa@shop.bf", "ACCOUNT_ADMIN", account);
  expect(seen).toMatchObject({ operators: ["orange"], known_by: [name] });
  expect(JSON.stringify(seen)).not.toContain("agg");
});

test("a price says by name whose it is", async () => {
  const account = await place.admin.account();
  const owner = await place.entered("owner@example.bf", "OWNER", null);
  const told = (await owner.get(`/api/accounts/${account}/prices`)).json;
  const { orange } = place.context.config.operators;
  expect(told.prices).toContainEqual(
    expect.objectContaining({ operator: "orange", operator_name: orange!.name }),
  );
});
