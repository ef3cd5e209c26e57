/** Plays a restore: what is answered and told until somebody decides what becomes of what may have left. */
import { join } from "node:path";
import { type Asker, answerTo, typedLine } from "./asking.ts";
import { NOT_NOW } from "./refusals.ts";
import { pretty } from "./shown.ts";

const HOUR_MS = 3_600_000;

/** Typed once the clock is right again, in this order. */
const TYPED = [
  "backup resume --list",
  "backup list",
  "operator status",
  "backup resume --waiting maybe",
  "backup resume --waiting hold",
  "backup resume --list",
];

/** What is answered after a restore: with a clock that is behind, then with nothing decided, then as ever. */
export async function playRestored(asker: Asker): Promise<string[]> {
  const { world } = asker;
  const told: string[] = [];
  const ask = async (): Promise<void> => {
    for (const request of NOT_NOW) told.push(await answerTo(asker, request));
    for (const path of ["/health/ready", "/health"]) {
      told.push(`> GET ${path}\n${pretty(await world.get(8080, path))}\n`);
    }
  };
  await world.stop();
  await world.restore(join(world.directory, "copy.backup"));
  world.clock.setBy(-HOUR_MS);
  await world.start();
  await ask();
  world.clock.setBy(HOUR_MS);
  await world.pass(1000);
  await ask();
  for (const line of TYPED) told.push(await typedLine(asker, line));
  await ask();
  return told;
}
