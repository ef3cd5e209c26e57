import { bulkBodies } from "../kit/client.ts";
import { until, wallMs } from "../kit/clock.ts";
import { readFeed } from "../kit/feed-readers.ts";
import { type Figures, type Goal, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";
import type { Rig } from "../kit/rig.ts";

const A_BATCH = 10_000;

type Bulk = {
  readonly hooks: boolean;
  /** How much later than at once receipts come, at the most. */
  readonly graceMs?: number;
  /** Of the feed, read meanwhile by clients of the same company. */
  readonly pagesPerSecond?: number;
};

async function bulk(
  rig: Rig,
  size: number,
  { hooks, graceMs = 0, pagesPerSecond = 0 }: Bulk,
): Promise<Figures> {
  const company = await rig.company();
  const appliance = await rig.startBoth();
  if (hooks) await rig.hook(company);
  const bodies = bulkBodies(size, A_BATCH, "TRANSACTIONAL");
  await Bun.sleep(500);
  const readers = pagesPerSecond > 0 ? readFeed(rig.port, company.apiKey, pagesPerSecond) : null;
  const measured = await meter(appliance);
  const beganMs = wallMs();
  await company.submit(bodies);
  const acceptedMs = wallMs();
  const seen = () => rig.centre("seen");
  await until("all receipts", async () => (await seen()).acknowledged >= size, { everyMs: 50 });
  const events = size + bodies.length;
  if (hooks) await until("all events", async () => (await rig.told()).different >= events, { everyMs: 50 });
  const used = await measured(size);
  const pages = readers ? { pages_per_second: rounded(await readers.stop(), 1) } : {};
  const { lastSubmitMs, lastAcknowledgedMs } = await seen();
  const lastMs = hooks ? (await rig.told()).lastMs : lastAcknowledgedMs;
  const rate = (untilMs: number) => rounded((size * 1000) / (untilMs - beganMs));
  return {
    messages_per_second: rate(lastMs - graceMs),
    submitted_per_second: rate(lastSubmitMs),
    receipted_per_second: rate(lastAcknowledgedMs - graceMs),
    accepted_per_second: rate(acceptedMs),
    ...pages,
    ...used,
  };
}

export const a: Goal = {
  letter: "A",
  what: "bulk with receipts: from the first octet of a POST of 10,000 to the last event at an HTTPS endpoint",
  size: 50_000,
  quick: 20_000,
  run: (rig, size) => bulk(rig, size, { hooks: true }),
};

export const j: Goal = {
  letter: "J",
  what: "bulk with receipts and without events, while 200 pages of the feed, of 500 messages, are read a second",
  size: 50_000,
  quick: 20_000,
  run: (rig, size) => bulk(rig, size, { hooks: false, pagesPerSecond: 200 }),
};

export const k: Goal = {
  letter: "K",
  what: "bulk whose receipts come out of order, over 2 to 12 seconds",
  size: 100_000,
  quick: 20_000,
  rig: { quirks: { receiptDelayMs: 2000, receiptJitterMs: 10_000 } },
  run: (rig, size) => bulk(rig, size, { hooks: false, graceMs: 12_000 }),
};
