/**
 * `bendre demo`: the whole appliance in one process with a simulated operator, a temporary database and a client of its own.
 *
 * `setup` starts operators and appliance, `api` is a client over HTTP, `scenario` has the sample batches, this file sends them once
 * and `live` keeps watching, `verify` checks what became of them, `report` prints.
 */
import { systemPlatform } from "../app/platform.ts";
import { type Clock, isoUtc, wait } from "../core/clock.ts";
import { idFactory, type NewId } from "../core/ids.ts";
import { errorText } from "../core/log.ts";
import { ignoreProxies } from "../core/proxies.ts";
import { phrase } from "../i18n/phrase.ts";
import { type SimulatorIo, warningLog } from "../simulator/command.ts";
import type { HandsetText } from "../simulator/handset.ts";
import type { Quirks } from "../simulator/quirks.ts";
import { type Api, api, type DemoBatch, type DemoMessage } from "./api.ts";
import { showLive } from "./live.ts";
import type { DemoLanguage } from "./past-clients.ts";
import {
  chatLine,
  type DemoWords,
  ENGLISH_WORDS,
  francs,
  handsetLine,
  messageTable,
  operatorName,
  type Print,
  walletFigures,
} from "./report.ts";
import { BY_SMS, BY_WHATSAPP, type SampleBatch } from "./scenario.ts";
import { type DemoStage, PortTaken, startStage } from "./setup.ts";
import { findFaults, type ShownText } from "./verify.ts";

export type DemoOptions = {
  /** Send one batch, print what became of it, and end. */
  readonly once: boolean;
  /** Of the texts that are sent, and of the console; what is printed follows `DemoIo.say`. */
  readonly language?: DemoLanguage;
  /** The port of the API and the console; a free one where it is absent. */
  readonly port?: number;
  /** Shows each PDU between the appliance and the operators. */
  readonly showsWire?: boolean;
  /** Quirks of all operators, to see a bad day. */
  readonly quirks?: Partial<Quirks>;
  /** With `once`: how long the batch may take. */
  readonly patienceMs?: number;
};

/** What the demonstration sees of its process. */
export type DemoIo = Omit<SimulatorIo, "input" | "endInput" | "say"> & {
  /** The reader's words; English where they are absent. */
  readonly say?: DemoWords;
};

/** Quirks for watching: answers and receipts take their time. */
const LEISURELY: Partial<Quirks> = {
  responseDelayMs: 150,
  responseJitterMs: 200,
  receiptDelayMs: 1200,
  receiptJitterMs: 2500,
};
const BRISK: Partial<Quirks> = { receiptDelayMs: 100, receiptJitterMs: 200 };
const LEISURELY_CHAT_MS = 2000;
const BRISK_CHAT_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * `bendre demo` (docs/administration.md#1-the-executable): simulated operators, a temporary database, an account with
 * money, a key and a sendable sender. Resolves with the exit code; with `once`, 0 only if all was delivered and the
 * money adds up.
 */
export async function runDemo(options: DemoOptions, io: DemoIo): Promise<number> {
  ignoreProxies();
  const { clock, chance } = io;
  const log = warningLog(io);
  const newId = idFactory(clock, chance);
  const { language = "fr" } = options;
  const say = io.say ?? ENGLISH_WORDS;
  const print: Print = (line) => io.out(`${typeof line === "string" ? line : say.line(line)}\n`);
  const texts: HandsetText[] = [];
  const chats: ShownText[] = [];
  const untilStop = io.untilStop();
  try {
    const stage = await startStage({
      edges: { clock, chance, log, machine: systemPlatform },
      ...(options.showsWire ? { onWire: print } : {}),
      language,
      port: options.port ?? 0,
      isForWatching: !options.once,
      quirks: { ...(options.once ? BRISK : LEISURELY), ...options.quirks },
      onEvent: (operator, event) => {
        if (event.kind === "violation") {
          print(phrase("simulator.demo.breach", { operator: operatorName(operator), what: event.what }));
        }
        if (event.kind !== "text") return;
        texts.push(event);
        print(handsetLine(event));
      },
      chatDelayMs: options.once ? BRISK_CHAT_MS : LEISURELY_CHAT_MS,
      onChat: (chat) => {
        chats.push({ ...chat, parts: 1 });
        print(chatLine(chat));
      },
    });
    try {
      if (!options.once) return await showLive({ stage, language, clock, log, newId, print, untilStop });
      const patienceMs = options.patienceMs ?? PATIENCE_MS;
      const rehearsal = sendOnce({ stage, language, clock, newId, texts, chats, say, print, patienceMs });
      return await Promise.race([rehearsal, untilStop.then(() => 1)]);
    } finally {
      await stage.stop();
    }
  } catch (error) {
    const why =
      error instanceof PortTaken
        ? say.line(phrase("simulator.demo.port_taken", { port: error.port }))
        : errorText(error);
    io.err(`bendre demo: ${why}\n`);
    return 1;
  }
}

const POLL_MS = 100;

type OnceOptions = {
  readonly stage: DemoStage;
  readonly language: DemoLanguage;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Grows as the handsets receive. */
  readonly texts: readonly HandsetText[];
  /** The same in WhatsApp. */
  readonly chats: readonly ShownText[];
  readonly say: DemoWords;
  readonly print: Print;
  /** How long to wait before the batch is judged as it stands. */
  readonly patienceMs: number;
};

/** Sends both sample batches through HTTP, one after the other, and prints what became of each. The exit code: 0 if all is well. */
async function sendOnce({ texts, chats, ...options }: OnceOptions): Promise<number> {
  const isWell = await sent(options, BY_SMS[options.language], () => texts);
  options.print("");
  const before = texts.length;
  const isWellByWhatsapp = await sent(options, BY_WHATSAPP[options.language], () => [
    ...chats,
    ...texts.slice(before),
  ]);
  return isWell && isWellByWhatsapp ? 0 : 1;
}

/** Sends a batch, follows it to its end, prints what became of it; whether all is well. */
async function sent(
  { stage, clock, newId, say, print, patienceMs }: Omit<OnceOptions, "texts" | "chats" | "language">,
  sample: SampleBatch,
  textsSeen: () => readonly ShownText[],
): Promise<boolean> {
  const client = api(stage);
  const before = await client.balance();
  const since = isoUtc(clock.nowMs());
  const submission = await client.submit(sample, newId());
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
  const faults = findFaults({ sent: sample, submission, ...end, texts: textsSeen(), before, after });
  for (const fault of faults) print(phrase("simulator.demo.fault", { fault }));
  print(
    faults.length === 0
      ? phrase("simulator.demo.well", { messages: accepted })
      : phrase("simulator.demo.not_well"),
  );
  return faults.length === 0;
}

/** Follows the feed until every message is final and the batch is over, or the time to wait is. */
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
