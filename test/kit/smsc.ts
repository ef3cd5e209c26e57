import { type Chance, systemChance } from "../../src/core/chance.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import type { SmscEvent } from "../../src/simulator/events.ts";
import type { HandsetText } from "../../src/simulator/handset.ts";
import { type Smsc, type SmscOptions, startSmsc } from "../../src/simulator/server.ts";
import { testLog } from "./test-log.ts";

export type TestSmsc = Smsc & {
  /** Everything seen and done so far, in its order. */
  readonly events: readonly SmscEvent[];
  /** Whole texts on handsets so far. */
  readonly texts: readonly HandsetText[];
  /** Resolves once `isEnough` holds, asked after every event and at once. */
  readonly until: (isEnough: (smsc: TestSmsc) => boolean) => Promise<void>;
};

type Options = Partial<Omit<SmscOptions, "log">> & { readonly clock?: Clock; readonly chance?: Chance };

/** A strict simulated operator on a free loopback port, with the machine's clock and randomness unless told otherwise. */
export async function testSmsc(options: Options = {}): Promise<TestSmsc> {
  const events: SmscEvent[] = [];
  const texts: HandsetText[] = [];
  const waiters = new Set<() => void>();
  const smsc = await startSmsc({
    clock: systemClock,
    chance: systemChance,
    port: 0,
    isStrict: true,
    ...options,
    log: testLog(),
    onEvent: (event) => {
      events.push(event);
      if (event.kind === "text") {
        const { from, to, parts, alphabet, text } = event;
        texts.push({ from, to, parts, alphabet, text });
      }
      options.onEvent?.(event);
      for (const waiter of [...waiters]) waiter();
    },
  });
  const handle: TestSmsc = {
    ...smsc,
    events,
    texts,
    until: (isEnough) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isEnough(handle)) return;
          waiters.delete(look);
          resolve();
        };
        waiters.add(look);
        look();
      }),
  };
  return handle;
}
