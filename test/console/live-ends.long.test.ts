/** Streams of figures that are open while their session ends: nothing more is told. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { USER_OPERATIONS } from "../../src/admin/operations/users.ts";
import { createLiveFigures } from "../../src/console/server/live/live-figures.ts";
import { LiveStreams, liveRoutes } from "../../src/console/server/live/live-stream.ts";
import { run } from "../admin/operations/run-operation.ts";
import { type Browser, type ConsoleFixture, consoleFixture, PASSWORD } from "./fixture.ts";

type Live = Parameters<typeof liveRoutes>[2];

let place: ConsoleFixture;
beforeEach(async () => {
  let live: Live | null = null;
  place = await consoleFixture(
    {},
    {
      fill: (routes, permitted) =>
        liveRoutes(routes, permitted, {
          figures: (reader) => live!.figures(reader),
          streams: { follow: (...told) => live!.streams.follow(...told), stop: () => {} },
        }),
    },
  );
  const { context, clock, log } = place;
  live = { figures: createLiveFigures(context.store.read, clock), streams: new LiveStreams(clock, log) };
});
afterEach(() => place.close());

/** An open stream of whoever a browser is signed in as. */
async function streamOf({ cookie }: Browser) {
  const { body } = await fetch(`${place.origin}/console/api/live`, { headers: { cookie } });
  const reader = body!.getReader();
  return async (): Promise<"told" | "ended"> => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return "ended";
      if (new TextDecoder().decode(value).startsWith("data:")) return "told";
    }
  };
}

type End = (session: Browser, login: string) => Promise<unknown>;
const ENDINGS: readonly (readonly [string, End])[] = [
  ["signs out", (session) => session.post("/sign-out")],
  ["is disabled", (_, login) => run(USER_OPERATIONS["user disable"], place.context, { login })],
  [
    "gets another role",
    (_, login) => run(USER_OPERATIONS["user role"], place.context, { login, role: "FINANCE" }),
  ],
  ["is reset", (_, login) => run(USER_OPERATIONS["user reset"], place.context, { login })],
  [
    "changes the password",
    (session) => session.post("/me/password", { password: PASSWORD, newPassword: "encore un mot de passe" }),
  ],
  ["was idle for too long", async () => place.clock.setBy(30 * 60_000)],
];

test.each(ENDINGS)("nothing more is told to somebody who %s", async (_, end) => {
  await place.person("own@reseau.example", "OWNER");
  const session = await place.signedIn(await place.person("sup@reseau.example", "SUPPORT"));
  const next = await streamOf(session);
  expect(await next()).toBe("told");
  await place.clock.advance(1000);
  expect(await next()).toBe("told");
  await end(session, "sup@reseau.example");
  await place.clock.advance(1000);
  expect(await next()).toBe("ended");
});

test("a page of figures that is left open keeps nobody signed in", async () => {
  const { cookie } = await place.signedIn(await place.person("sup@reseau.example", "SUPPORT"));
  const ask = async () => {
    const { status, body } = await fetch(`${place.origin}/console/api/live`, { headers: { cookie } });
    await body?.cancel();
    return status;
  };
  for (let minute = 0; minute < 29; minute++) {
    place.clock.setBy(60_000);
    expect(await ask()).toBe(200);
  }
  place.clock.setBy(60_000);
  expect(await ask()).toBe(401);
});

test("signing out stands in the audit, once, with where it was done", async () => {
  const who = await place.person("sup@reseau.example", "SUPPORT");
  const session = await place.signedIn(who);
  await session.post("/sign-out");
  await session.post("/sign-out");
  const outs = place.audits().filter(({ action }) => action === "sign out");
  expect(outs.map(({ actor }) => actor)).toEqual([who.login]);
  expect(JSON.parse(outs[0]?.detail ?? "{}")).toMatchObject({
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
});
