import { openConsole } from "../../src/console/server/open-console.ts";
import { systemServe } from "../../src/core/http-server.ts";
import { createShutdownPlan } from "../../src/core/shutdown-plan.ts";
import type { ConsoleFixture } from "./fixture.ts";

/** The link that a start would print for a console at the fixture's address. */
export function firstLinkOf({
  context,
  clock,
  log,
  settings,
  origin,
}: ConsoleFixture): Promise<string | null> {
  const { chance, newId, store } = context;
  const plan = createShutdownPlan({ clock, log, togetherMs: 1000, lastMs: 1000 });
  const machine = { serve: systemServe };
  const deps = { settings, clock, log, chance, newId, store, plan, machine };
  return openConsole(deps, origin, () => context).firstLink();
}
