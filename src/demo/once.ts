import { type Clock, isoUtc, wait } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import { phrase } from "../i18n/phrase.ts";
import type { HandsetText } from "../simulator/handset.ts";
import { type Api, api, type DemoBatch, type DemoMessage } from "./api.ts";
import { type DemoWords, francs, messageTable, type Print, walletFigures } from "./report.ts";
import { BY_SMS, BY_WHATSAPP, type SampleBatch } from "./samples.ts";
import type { DemoStage } from "./stage.ts";
import { faultsOf, type ShownText } from "./verdict.ts";

const POLL_MS = 100;

export type OnceOptions = {
  readonly stage: DemoStage;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Fills as the handsets receive. */
  readonly texts: readonly HandsetText[];
  /** The same in WhatsApp. */
  readonly chats: readonly ShownText[];
  readonly say: DemoWords;
  readonly print: Print;
  /** After that the batch is judged as it stands. */
  readonly patienceMs: number;
};

/** Sends both sample batches through HTTP, one after the other, and prints what became of each. The exit code: 0 if all is well. */
export async function sendOnce({ texts, chats, ...options }: OnceOptions): Promise<number> {
  const isWell = await sent(options, BY_SMS, () => texts);
  options.print("");
  const before = texts.length;
  const isWellByWhatsapp = await sent(options, BY_WHATSAPP, () => [...chats, ...texts.slice(before)]);
  return isWell && isWellByWhatsapp ? 0 : 1;
}

/** Sends a batch, follows it to its end, prints what became of it; whether all is well. */
async function sent(
  { stage, clock, newId, say, print, patienceMs }: Omit<OnceOptions, "texts" | "chats">,
  sample: SampleBatch,
  textsSeen: () => readonly ShownText[],
): Promise<boolean> {
  const client = api(stage.url, stage.apiKey);
  const before = await client.balance();
  const since = isoUtc(clock.nowMs());
  const batch = { ...sample, sender: stage.sender, message_class: "TRANSACTIONAL" } as const;
  const submission = await client.submit(batch, newId());
  const { accepted, total_segments, reserved_amount } = submission;
  print(
    phrase("simulator.demo.accepted", {
      batch: submission.batch_id,
      messages: accepted,
      segments: total_segments,
      amount: francs(reserved_amount),
    }),
  );

  const end = await followed(client, clock, submission.batch_id, since, patienceMs);
  const after = await client.balance();
  print("");
  for (const line of messageTable(end.messages, say)) print(line);
  print("");
  print(phrase("simulator.demo.batch", { status: end.batch.status }));
  print(phrase("simulator.demo.before", { figures: walletFigures(before) }));
  print(phrase("simulator.demo.after", { figures: walletFigures(after) }));
  const faults = faultsOf({ sent: sample, submission, ...end, texts: textsSeen(), before, after });
  for (const fault of faults) print(phrase("simulator.demo.fault", { fault }));
  print(
    faults.length === 0
      ? phrase("simulator.demo.well", { messages: accepted })
      : phrase("simulator.demo.not_well"),
  );
  return faults.length === 0;
}

/** Follows the feed until every message is final and the batch is over, or patience is. */
async function followed(
  client: Api,
  clock: Clock,
  batchId: string,
  since: string,
  patienceMs: number,
): Promise<{ readonly batch: DemoBatch; readonly messages: readonly DemoMessage[] }> {
  const latest = new Map<string, DemoMessage>();
  const giveUpMs = clock.steadyMs() + patienceMs;
  let cursor = since;
  for (;;) {
    const page = await client.feed(cursor, batchId);
    cursor = page.next_status_changed_since;
    for (const message of page.messages) latest.set(message.message_id, message);
    if (page.has_more) continue;
    const batch = await client.batch(batchId);
    const messages = [...latest.values()];
    const isOver = batch.status === "SETTLED" && messages.every(({ is_final }) => is_final);
    if (isOver || clock.steadyMs() > giveUpMs) return { batch, messages };
    await wait(clock, POLL_MS);
  }
}
