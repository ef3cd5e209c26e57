/** Every timed job: its name, how often it runs, what it does. */

import { sweepPortedNumbers } from "../admin/operations/ported-numbers.ts";
import { purge } from "../admin/operations/purge.ts";
import { creditSandboxes } from "../admin/operations/sandboxes.ts";
import { expireUnmatchedTexts, unmatchedSweep } from "../channels/sms/delivery-receipts.ts";
import { inboundRules } from "../channels/sms/read-deliver-sm.ts";
import { expireUnknownOutcomes } from "../channels/sms/submit-results.ts";
import { closeSilent } from "../channels/whatsapp/post-messages.ts";
import type { TemplateSync } from "../channels/whatsapp/template-updates.ts";
import type { Settings } from "../config/live-config.ts";
import type { Clock } from "../core/clock.ts";
import { createYielder } from "../core/concurrency.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { type Loop, type LoopOptions, startLoop } from "../core/loop.ts";
import { recordSize } from "../db/sizes.ts";
import type { Store } from "../db/store.ts";
import type { Delivery } from "../dispatch/delivery.ts";
import type { RecoverClaim } from "../dispatch/leases.ts";
import { expireMissingReceipts, fallbackTimeouts } from "../dispatch/timeouts.ts";
import { accountById } from "../domain/accounts/accounts.ts";
import type { KeyUses } from "../domain/accounts/api-keys.ts";
import { expireIncompleteTexts, type InboundRules } from "../domain/inbound/inbound.ts";
import { CHECKPOINT_AGE_MS, checkpointWatch, makeCheckpoint } from "../domain/ledger/checkpoints.ts";
import { findUnpostedBatches, postBatchMovements } from "../domain/messages/batch-totals.ts";
import { writeOutImports } from "../domain/messages/import-rows.ts";
import { purgeOldSends } from "../domain/messages/recent-messages.ts";
import {
  deleteFinishedHeld,
  FIRST_HELD,
  type HeldPlace,
  isRestoring,
} from "../domain/messages/restore-holds.ts";
import { dueStarter } from "../domain/messages/scheduled-batches.ts";
import { purgeOldCounts } from "../domain/submission/recipient-counts.ts";
import { dropAbandonedStaging, validator } from "../domain/submission/staging.ts";
import type { SubmissionDeps } from "../domain/submission/submission-context.ts";
import { decideDue } from "../ops/backup/held-decisions.ts";
import type { NightlyBackup } from "../ops/backup/nightly-backup.ts";
import type { DiskMonitor } from "../ops/disk-monitor.ts";
import { nightlyCheck } from "../ops/nightly-check.ts";
import { startSearchUpkeep } from "../ops/search-upkeep.ts";
import type { Platform } from "./platform.ts";

type ScheduleDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly log: Log;
  readonly delivery: Delivery;
  readonly intake: SubmissionDeps;
  readonly machine: Platform;
  /** Converts a number as an operator spells it to E.164 with "+", or null. */
  readonly readNumber: (text: string) => string | null;
  readonly onInboundKept: InboundRules["onKept"];
  /** Stores the time that the clock of the next start is compared with. */
  readonly saveClockMark: () => Promise<void>;
  readonly templates: TemplateSync;
  readonly room: DiskMonitor;
  readonly backup: NightlyBackup;
  readonly keyUses: Pick<KeyUses, "store">;
  /** The channel's rule for a claimed message whose outcome is unknown. */
  readonly recoverClaim: RecoverClaim;
};

/** Batches or messages handled in one transaction. */
const STEP = 250;
const HOUR_MS = 3_600_000;

export type Schedule = {
  /** Looks for batches to validate at once. */
  readonly validate: () => void;
  /** Every job by name. Stopping one waits for its current run, which aborts. */
  readonly jobs: readonly { readonly name: string; readonly stop: () => Promise<void> }[];
  /** Called when an account may have resumed: scheduled and held batches are checked at once. */
  readonly accountChanged: () => void;
};

/** Starts one job. */
type StartJob = (name: string, everyMs: number, runOnce: LoopOptions["runOnce"]) => NamedLoop;
type NamedLoop = Loop & { readonly name: string };

/**
 * `always` runs whatever the clock says. `timed` expires or purges by time: not while the clock is untrusted. `decided` gives up what got
 * no answer: also not while a restore is undecided, since answers still count then (docs/administration.md#while-nothing-is-decided).
 */
type JobStarters = { readonly always: StartJob; readonly timed: StartJob; readonly decided: StartJob };

/** Starts every job. */
export function startSchedule(deps: ScheduleDeps): Schedule {
  const { clock, log } = deps;
  const always: StartJob = (name, everyMs, runOnce) => ({
    name,
    ...startLoop({ name, everyMs, clock, log, runOnce }),
  });
  const timed: StartJob = (name, everyMs, runOnce) =>
    always(name, everyMs, (...asked) => (clock.doubt() === null ? runOnce(...asked) : false));
  const decided: StartJob = (name, everyMs, runOnce) =>
    timed(name, everyMs, (...asked) => (isRestoring(deps.store.read) ? false : runOnce(...asked)));
  const starters: JobStarters = { always, timed, decided };
  const large = validator(deps.intake);
  // A large batch writes the most, and has only been answered so far.
  const validation = always("validate large batches", 5000, (isStopping) =>
    deps.room.mayClaim() ? large.next(isStopping) : false,
  );
  const scheduled = scheduledBatches(deps, always);
  return {
    validate: validation.wake,
    accountChanged: scheduled.lookAgain,
    jobs: [
      validation,
      decided("fail what was not validated in time", 5000, large.failOverdue),
      always("drop what was staged in vain", 5000, (isStopping) =>
        dropAbandonedStaging(deps.intake, isStopping),
      ),
      scheduled.job,
      // A process that ended while writing them out left some.
      always("write out rows that files left out", HOUR_MS, async () => {
        await writeOutImports(deps.store);
        return false;
      }),
      // A process that ended while it imported left some.
      always("sweep ported numbers", HOUR_MS, async (isStopping) => {
        await sweepPortedNumbers(deps.store, isStopping);
        return false;
      }),
      timed("fill sandboxes", 5000, async () => {
        await creditSandboxes({ ...deps, config: deps.settings.now() });
        return false;
      }),
      createTemplateJobs(deps, always),
      ...createOperatorJobs(deps, starters),
      ...createLedgerJobs(deps, starters),
      ...jobsThatForget(deps, timed),
    ],
  };
}

/** Reads templates once there is a number to send them by, and looks again when the configuration changes. */
function createTemplateJobs({ settings, templates }: ScheduleDeps, always: StartJob) {
  const name = "read templates of WhatsApp";
  let loop: Loop | null = null;
  const look = (): void => {
    if (Object.keys(settings.now().whatsapp.numbers).length === 0) return;
    loop?.wake();
    loop ??= always(name, 10_000, (_, stop) => templates.due(stop) ?? false);
  };
  look();
  const unfollow = settings.onChange(look);
  const stop = async (): Promise<void> => {
    unfollow();
    await loop?.stop();
  };
  return { name, stop };
}

/** Starts batches whose time has come. */
function scheduledBatches({ store, clock, delivery }: ScheduleDeps, always: StartJob) {
  const due = dueStarter();
  const job = always("start scheduled batches", 1000, async () => {
    // Nothing starts on an untrusted clock; `missed`: lateness is then measured by wall time alone.
    if (clock.doubt() !== null) {
      due.missed();
      return false;
    }
    const now = { wallMs: clock.nowMs(), steadyMs: clock.steadyMs() };
    const { started, calledOff, hasMore } = await store.write((tx) =>
      due.step(tx, now, (accountId) => accountById(tx, accountId)?.status !== "ACTIVE"),
    );
    for (const batchId of [...started, ...calledOff]) delivery.offer(batchId);
    return hasMore;
  });
  return {
    job,
    lookAgain: (): void => {
      due.again();
      job.wake();
    },
  };
}

/** Jobs for what operators and subscribers still owe, and when it is given up. */
function createOperatorJobs(deps: ScheduleDeps, { always, timed, decided }: JobStarters): NamedLoop[] {
  const { settings, store, clock, delivery } = deps;
  const closeSilence = closeSilent({ store, clock, settings });
  const goOn = fallbackTimeouts({ store, clock, settings, offer: delivery.offer });
  const rules = inboundRules({
    config: settings.now,
    readNumber: deps.readNumber,
    onInboundKept: deps.onInboundKept,
  });
  const hours = () => settings.now().delivery;
  return [
    decided("give up waiting", 5000, () => expireUnknownOutcomes(store, settings.now(), clock.nowMs())),
    decided("close what WhatsApp is silent about", 5000, async () => {
      const isMore = await closeSilence();
      return (await goOn()) || isMore;
    }),
    always("carry out what was decided after a restore", 15_000, () =>
      decideDue({ store, clock, recoverClaim: deps.recoverClaim, offer: delivery.offer }),
    ),
    always("try parked receipts again", 5000, unmatchedSweep(store, clock, rules)),
    timed("give up texts that may be receipts", 5000, () => expireUnmatchedTexts(store, clock, rules)),
    decided("give up waiting for receipts", 5000, (isStopping) =>
      expireMissingReceipts({ store, clock, timeoutMs: hours().receipt_timeout_hours * HOUR_MS }, isStopping),
    ),
    timed("tidy inbound texts", 600_000, () => expireIncompleteTexts(store, rules, clock.nowMs())),
    // Also expires messages whose operator is away, and cancels messages of cancelled batches that could not be cancelled earlier.
    always("go through the queue", 60_000, async () => {
      delivery.refresh();
      return false;
    }),
  ];
}

/** How often the last uses of keys are stored. */
const USES_EVERY_MS = 600_000;

/** Stores the time, and now and then, and at the end, the uses of keys. */
function timeAndUses({ store, clock, saveClockMark, keyUses }: ScheduleDeps, always: StartJob): NamedLoop {
  let keptMs = clock.steadyMs();
  const job = always("note the time", 60_000, async () => {
    await saveClockMark();
    if (clock.steadyMs() < keptMs + USES_EVERY_MS) return false;
    keptMs = clock.steadyMs();
    await keyUses.store(store);
    return false;
  });
  const stop = async (): Promise<void> => {
    await job.stop();
    await keyUses.store(store);
  };
  return { ...job, stop };
}

/** Jobs that post movements to the ledger, make its checkpoints and verify it, with the one that notes the time. */
function createLedgerJobs(deps: ScheduleDeps, { always, timed }: JobStarters): NamedLoop[] {
  const { settings, store, clock, log, machine } = deps;
  const checkpointsDue = checkpointWatch(store.read);
  return [
    always("fold movements into the ledger", 60_000, async () => {
      const batches = findUnpostedBatches(store.read, STEP);
      if (batches.length > 0) {
        await store.write((tx) => {
          for (const batchId of batches) postBatchMovements(tx, batchId, clock.nowMs());
        });
      }
      return batches.length === STEP;
    }),
    timeAndUses(deps, always),
    always(
      "keep what searches go by",
      15_000,
      startSearchUpkeep(store, clock, () => settings.now().defaults.timezone),
    ),
    timed("make checkpoints of the ledger", 60_000, async (isStopping) => {
      const pause = createYielder(clock);
      for (const id of await checkpointsDue(pause)) {
        const beforeMs = clock.nowMs() - CHECKPOINT_AGE_MS;
        while (!isStopping() && (await makeCheckpoint(store, id, beforeMs, pause))) {
          // Until the account has none that is due.
        }
        await pause();
      }
      return false;
    }),
    timed(
      "check the books",
      60_000,
      nightlyCheck({ timezone: () => settings.now().defaults.timezone, store, clock, log, machine }),
    ),
    timed("make the nightly backup", 60_000, deps.backup.runOnce),
  ];
}

/** Jobs that purge by retention. */
function jobsThatForget({ settings, store, clock, log, newId }: ScheduleDeps, timed: StartJob): NamedLoop[] {
  return [
    timed("purge what is over", HOUR_MS, async (isStopping) => {
      const counts = await purge({ store, clock, newId, config: settings.now() }, isStopping);
      await store.write((tx) => recordSize(tx, clock.nowMs()), "with the next");
      const isAny = Object.values(counts).some((count) => count > 0);
      if (isAny) log.info("purged what is over", counts);
      return false;
    }),
    timed("forget what guards no longer look at", 600_000, () =>
      store.write((tx) => purgeOldSends(tx, clock.nowMs(), STEP) >= STEP),
    ),
    timed("forget what a restore held and is over", HOUR_MS, async (isStopping) => {
      let after: HeldPlace | null = FIRST_HELD;
      while (after !== null && !isStopping()) {
        const from: HeldPlace = after;
        after = await store.write((tx) => deleteFinishedHeld(tx, from, STEP));
      }
      return false;
    }),
    timed("forget what ceilings no longer look at", 600_000, async (isStopping) => {
      let after: number | null = Number.MIN_SAFE_INTEGER;
      while (after !== null && !isStopping()) {
        const from: number = after;
        after = await store.write((tx) => purgeOldCounts(tx, clock.nowMs(), from));
      }
      return false;
    }),
  ];
}
