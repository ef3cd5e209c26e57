import { expect, test } from "vitest";
import type { ServeOptions } from "../../src/core/http-server.ts";
import { createConsoleLink } from "../../src/demo/console-link.ts";
import { isConfirmed, sessionsOfUser } from "../../src/domain/accounts/sessions.ts";
import { userByLogin } from "../../src/domain/accounts/users.ts";
import { adminFixture } from "../admin/operations/fixture.ts";
import { seededChance } from "../kit/test-chance.ts";
import { testLog } from "../kit/test-log.ts";

const MINUTE_MS = 60_000;

test("the demonstration's owner, who has no second factor, counts as confirmed as long as it runs", async () => {
  const { context, clock, close } = adminFixture();
  let fetch: ServeOptions["fetch"] | null = null;
  const link = createConsoleLink({
    chance: seededChance(2),
    log: testLog(),
    machine: {
      serve: (options) => {
        fetch = options.fetch;
        return { url: new URL("http://127.0.0.1:1/"), port: 1, pendingRequests: 0, stop: async () => {} };
      },
    },
  });
  link.serve({
    at: { hostname: "127.0.0.1", port: 0 },
    maxRequestBodySize: 0,
    fetch: () => new Response("of the appliance"),
  });
  const ask = async (url: string) => {
    const request = new Request(url, { headers: { host: "127.0.0.1" } });
    return fetch?.(request, { requestIP: () => null });
  };
  const { url, stop } = await link.open(context, "en", "http://127.0.0.1:1");
  expect(await (await ask("http://127.0.0.1:1/console"))?.text()).toBe("of the appliance");
  const signedIn = ask(url);
  await clock.advance(1);
  expect((await signedIn)?.status).toBe(303);
  const userId = userByLogin(context.store.read, "demo@bendre.example")?.id ?? 0;
  const confirmed = () =>
    sessionsOfUser(context.store.read, userId, clock.nowMs()).map((session) =>
      isConfirmed(session, clock.nowMs()),
    );
  expect(confirmed()).toEqual([true]);
  for (let minute = 0; minute < 12; minute += 1) {
    await clock.advance(MINUTE_MS);
    expect(confirmed()).toEqual([true]);
  }
  await stop();
  expect(await (await ask(url))?.text()).toBe("of the appliance");
  await clock.advance(6 * MINUTE_MS);
  expect(confirmed()).toEqual([false]);
  await close();
});
