/** Deaths and restores drawn at random: what waits in a copy, what leaves after it, what comes meanwhile, and what is decided. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClaimRecovery } from "../../src/app/channels.ts";
import { systemPlatform } from "../../src/app/platform.ts";
import type { Chance } from "../../src/core/chance.ts";
import type { RestoreDecision } from "../../src/domain/messages/restore-holds.ts";
import { backupRestore } from "../../src/ops/backup/restore.ts";
import { seeded, seeds } from "../kit/seeds.ts";
import { type Batch, type Client, type Stage, stage } from "./stage.ts";

const HOUR_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;
const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;
type Class = (typeof CLASSES)[number];
const DECISIONS = ["policy", "send", "give-up"] as const satisfies readonly RestoreDecision[];
type Decision = (typeof DECISIONS)[number];

type Drawn = {
  readonly batchId: string;
  readonly messageClass: Class;
  readonly numbers: readonly string[];
  /** It was due before the death, or only long after the decision. */
  readonly isLater: boolean;
};

const below = (chance: Chance, most: number) => Math.floor(chance.fraction() * most);
const pick = <T>(chance: Chance, from: readonly T[]): T => from[below(chance, from.length)] as T;

let number = 70_650_000;

async function submit(whole: Stage, client: Client, chance: Chance, isLater: boolean): Promise<Drawn> {
  const messageClass = pick(chance, CLASSES);
  const numbers = Array.from({ length: 1 + below(chance, 4) }, () => String(number++));
  const afterMs = isLater ? 2 * HOUR_MS : 5000;
  const { batch_id } = await client.submit({
    message_class: messageClass,
    recipients: numbers.map((msisdn) => ({ msisdn })),
    scheduled_at: new Date(whole.clock.nowMs() + afterMs).toISOString(),
  });
  return { batchId: batch_id, messageClass, numbers, isLater };
}

/** The most texts that a handset may have in the end. */
function mostTexts(decision: Decision, { messageClass, isLater }: Drawn): number {
  if (isLater || decision === "give-up") return 1;
  return decision === "send" || messageClass !== "MARKETING" ? 2 : 1;
}

async function deathAndRestore(chance: Chance): Promise<void> {
  const elsewhere = mkdtempSync(join(tmpdir(), "bendre-backups-"));
  let mayClaim = true;
  const spaceOf = (directory: string) => ({
    freeBytes: (mayClaim || directory.startsWith(elsewhere) ? 10_000 : 100) * MEGABYTE,
    totalBytes: 20_000 * MEGABYTE,
  });
  const whole = await stage({ ...systemPlatform, spaceOf });
  const { directory } = whole.settings.now().storage;
  try {
    const config = whole.settings.now();
    const delivery = { ...config.delivery, receipt_timeout_hours: 1 };
    whole.settings.replace({
      ...config,
      delivery: { ...delivery, unanswered: { ...delivery.unanswered, wait_hours: 1 } },
    });
    whole.smsc.change({
      receiptDelayMs: pick(chance, [0, 0.1 * HOUR_MS]),
      responseDelayMs: pick(chance, [0, 3000]),
    });
    const client = await whole.client();
    const known: Drawn[] = [];
    for (let n = 0; n < 4; n++) known.push(await submit(whole, client, chance, n === 0));
    mayClaim = chance.fraction() < 0.5;
    await whole.clock.advance(5000 + below(chance, 6000));
    const { file } = await whole.admin("backup create", { FILE: join(elsewhere, "copy.db") });
    mayClaim = true;
    await whole.clock.advance(1000 + below(chance, 30_000));
    const lost = await submit(whole, client, chance, false);
    await whole.clock.advance(below(chance, 10_000));
    await whole.stop();
    const restored = await backupRestore(
      {
        config: whole.settings.now(),
        clock: whole.clock,
        actor: "awa",
        machine: systemPlatform,
        recoverClaim: createClaimRecovery(whole.settings),
      },
      { file: String(file), replace: true, keys: null },
    );
    expect(restored.ok).toBe(true);
    await whole.start();

    const submits = () => whole.smsc.events.filter(({ kind }) => kind === "submit").length;
    const before = submits();
    await whole.clock.advance(below(chance, 0.5 * HOUR_MS));
    expect(submits()).toBe(before);

    const decisions = new Map<Class, Decision>(CLASSES.map((each) => [each, pick(chance, DECISIONS)]));
    const restart = chance.fraction() < 0.5;
    for (const [messageClass, waiting] of decisions) {
      await whole.admin("backup resume", { waiting, class: messageClass });
      if (!restart) continue;
      await whole.stop();
      await whole.start();
    }
    expect((await whole.admin("backup resume")).counts).toEqual([]);
    await whole.clock.advance(4 * HOUR_MS);

    const textsTo = (msisdn: string) => whole.smsc.texts.filter(({ to }) => to.endsWith(msisdn)).length;
    for (const drawn of known) {
      const decision = decisions.get(drawn.messageClass) ?? "policy";
      const batch: Batch = await client.batch(drawn.batchId);
      expect([drawn, decision, batch.status]).toEqual([drawn, decision, "SETTLED"]);
      expect(batch.charged_amount + batch.released_amount).toBe(batch.reserved_amount);
      for (const msisdn of drawn.numbers) {
        expect(textsTo(msisdn)).toBeLessThanOrEqual(mostTexts(decision, drawn));
        if (drawn.isLater) expect(textsTo(msisdn)).toBe(1);
      }
      const messages = await client.messages(drawn.batchId);
      for (const { status, amount, msisdn } of messages) {
        expect([msisdn, status, amount]).toEqual([msisdn, status, status === "FAILED" ? 0 : 15]);
      }
    }
    for (const msisdn of lost.numbers) expect(textsTo(msisdn)).toBeLessThanOrEqual(1);
    await whole.admin("ledger check");
  } finally {
    await whole.close();
    const beside = readdirSync(dirname(directory)).filter((name) =>
      name.startsWith(`${basename(directory)}.replaced`),
    );
    for (const name of [...beside.map((each) => join(dirname(directory), each)), elsewhere]) {
      rmSync(name, { recursive: true });
    }
  }
}

describe("a death and a restore", () => {
  test.each(seeds(4))(
    "send nothing of their own accord, no text more often than was decided, and keep the books (seed %d)",
    seeded(deathAndRestore),
  );
});
