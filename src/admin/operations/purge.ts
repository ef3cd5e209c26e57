/**
 * Purges expired data everywhere by the periods of `[retention]` (docs/behaviour.md#10-retention). Each step is a short transaction
 * that leaves its fsync to the next, and others have their turn between two steps.
 */

import { forgetPartnerPosts } from "../../channels/sms/partner-posts.ts";
import { forgetSubmits } from "../../channels/sms/sent-segments.ts";
import { deletePayloadClaims, deleteReferences } from "../../channels/sms/submit-sm.ts";
import { forgetPosts } from "../../channels/whatsapp/posts.ts";
import type { Config } from "../../config/config.ts";
import { type Clock, wait } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { NewId } from "../../core/ids.ts";
import type { PassCursor } from "../../db/cursors.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { listAccounts, listSandboxes } from "../../domain/accounts/accounts.ts";
import { purgeAudit, recordAudit } from "../../domain/accounts/audit.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/message-class.ts";
import { purgeSessions } from "../../domain/accounts/sessions.ts";
import { KNOWN_DAYS, purgeNetworks } from "../../domain/accounts/sign-in.ts";
import { purgeLinks } from "../../domain/accounts/user-links.ts";
import { deriveEventRetentionStart, purgeEvents } from "../../domain/events/outbox.ts";
import { forgetOldTexts } from "../../domain/inbound/inbound-texts.ts";
import { compactSandboxEntries } from "../../domain/ledger/checkpoints.ts";
import { idsAtAll } from "../../domain/messages/id-ranges.ts";
import {
  countDue,
  deleteSandboxBatches,
  type PurgeHook,
  type PurgePass,
  type PurgeStep,
  purgeBatches,
  purgeLeftovers,
  purgeMessages,
} from "../../domain/messages/purge.ts";
import { SENDS_KEPT_MS } from "../../domain/messages/recent-messages.ts";
import { deleteRouted } from "../../domain/messages/rerouting.ts";
import {
  deleteIndexBelow,
  endOfRun,
  knownRuns,
  runOfBlock,
} from "../../domain/messages/search/number-index.ts";
import { BLOCK, type FacetNumbers, recordBeforeDelete } from "../../domain/messages/search/search-blocks.ts";
import { purgeOldReplies } from "../../domain/submission/idempotency.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { dropFollows } from "../../ingress/smpp/follows.ts";
import { createDayResolver } from "./account-days.ts";
import { operation } from "./operation.ts";
import { YES } from "./parameters.ts";
import { done } from "./refusal.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a round purged, or would purge. */
type PurgeCounts = {
  /** Messages and batches whose text was purged, and those purged except for their cost. */
  readonly texts: number;
  readonly messages: number;
  readonly rejections: number;
  readonly inbound_texts: number;
  readonly events: number;
  readonly audit_entries: number;
  /** Sessions and links of the console that are over. */
  readonly user_sessions: number;
};

const NOTHING: PurgeCounts = {
  texts: 0,
  messages: 0,
  rejections: 0,
  inbound_texts: 0,
  events: 0,
  audit_entries: 0,
  user_sessions: 0,
};

type PurgeDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly config: Pick<Config, "retention" | "api" | "defaults">;
};

/** The target duration of a step; with the rests between, at most a twentieth of a core is used. */
const STEP_MS = 2;
const REST_MS = 40;
/** The bounds of rows in one step. */
const FEWEST = 20;
const MOST = 500;

/** Adds purged messages to the daily figures, and deletes the channels' traces of them. */
function forgetElsewhere({ store, config }: PurgeDeps): PurgeHook {
  const facets: FacetNumbers = new Map();
  const days = createDayResolver(store.read, () => config.defaults.timezone);
  return (tx, ids) => {
    recordBeforeDelete(tx, ids, facets, days);
    const messageIds = JSON.stringify(ids);
    forgetSubmits(tx, messageIds);
    forgetPartnerPosts(tx, messageIds);
    deletePayloadClaims(tx, messageIds);
    deleteRouted(tx, messageIds);
    deleteReferences(tx, messageIds);
    forgetPosts(tx, messageIds);
    dropFollows(tx, messageIds);
  };
}

/** Purges all that is due. Stopped between two steps, the next round continues there. */
export async function purge(deps: PurgeDeps, isStopping: () => boolean): Promise<PurgeCounts> {
  const { store, clock, config } = deps;
  const done = { ...NOTHING };
  const step = stepper(store, clock);
  const alsoForget = forgetElsewhere(deps);
  const run = async (
    work: (tx: Tx, limit: number) => PurgeStep,
    what: keyof PurgeCounts | null,
  ): Promise<void> => {
    for (let isOver = false; !isOver && !isStopping(); ) {
      const purged = await step(work);
      if (what !== null) done[what] += purged.messages;
      done.texts += purged.batches;
      done.rejections += purged.rejections;
      isOver = purged.isOver;
    }
  };
  // Before the rejections that they list.
  await run((tx, limit) => {
    const isOver = purgeOldReplies(tx, clock.nowMs(), limit) === 0;
    return { messages: 0, batches: 0, rejections: 0, isOver };
  }, null);
  for (const { pass, accountIds } of passes(deps)) {
    for (const id of accountIds) {
      await run((tx, limit) => purgeMessages(tx, id, pass, limit, alsoForget), pass.what);
      await run((tx, limit) => purgeBatches(tx, id, pass, limit), pass.what);
      let afterId = 0;
      const left = (tx: Tx, limit: number): PurgeStep => {
        const step = purgeLeftovers(tx, id, pass, afterId, limit);
        tx.afterCommit(() => {
          afterId = step.throughId;
        });
        return step;
      };
      await run(left, pass.what);
    }
  }
  for (const { what, forget } of [
    ...lists(config, clock.nowMs()),
    ...listsOfSandboxes(deps, clock.nowMs()),
  ]) {
    await run((tx, limit) => {
      const messages = forget(tx, limit);
      return { messages, batches: 0, rejections: 0, isOver: messages < limit };
    }, what);
  }
  for (const run of runsGone(store.read)) {
    if (!isStopping()) await step((tx) => forgotten(tx, run));
  }
  if (Object.values(done).some((count) => count > 0)) {
    store.truncateWal();
    // The write-ahead log is emptied after a commit: this is one.
    await store.write(() => {});
  }
  return done;
}

const OVER: PurgeStep = { messages: 0, batches: 0, rejections: 0, isOver: false };

function forgotten(tx: Tx, run: number): PurgeStep {
  deleteIndexBelow(tx, endOfRun(run));
  return OVER;
}

/** Runs of the search index whose messages are all gone, oldest first. */
function runsGone(read: Reader): readonly number[] {
  const ids = idsAtAll(read);
  if (!ids) return [];
  const first = runOfBlock(Math.floor(ids.first / BLOCK));
  return [...knownRuns(read, 0, first - 1)].sort((a, b) => a - b);
}

/**
 * How long what was sent with test keys is kept (docs/behaviour.md#test-keys): an hour longer than answers, which may be dated after the
 * end of a batch whose rejections they list.
 */
const SANDBOX_KEPT_MS = 7 * DAY_MS + HOUR_MS;

/** The purge passes that are due. */
function passes({ store, clock, config }: PurgeDeps) {
  const nowMs = clock.nowMs();
  const live = listAccounts(store.read).map(({ id }) => id);
  const sandboxes = listSandboxes(store.read);
  const all = passesOf(config, nowMs);
  const texts = all.filter(({ what }) => what === "texts").map((pass) => ({ pass, accountIds: sandboxes }));
  const beforeMs = nowMs - SANDBOX_KEPT_MS;
  const messages = { name: "messages", what: "messages", classes: MESSAGE_CLASSES, beforeMs } as const;
  return [
    ...all.map((pass) => ({ pass, accountIds: live })),
    ...texts,
    { pass: messages, accountIds: sandboxes },
  ];
}

/** What is due in the ledgers of sandboxes, whose batches stay only as long as their messages. */
function listsOfSandboxes({ store, newId }: PurgeDeps, nowMs: number): readonly List[] {
  const beforeMs = nowMs - SANDBOX_KEPT_MS;
  return listSandboxes(store.read).flatMap((accountId): List[] => [
    { what: null, forget: (tx, limit) => deleteSandboxBatches(tx, accountId, beforeMs, limit) },
    {
      what: null,
      forget: (tx, limit) => compactSandboxEntries(tx, { accountId, beforeMs, id: newId() }, limit),
    },
  ]);
}

/** Counts the messages and texts that are due; the rest is little and not counted. */
async function purgeDue(
  { store, clock, config }: Omit<PurgeDeps, "newId">,
  pause: () => Promise<void> | undefined,
): Promise<Pick<PurgeCounts, "texts" | "messages">> {
  const due = { texts: 0, messages: 0 };
  for (const pass of passesOf(config, clock.nowMs())) {
    for (const { id } of listAccounts(store.read)) {
      for (let from: PassCursor | null = null, isFirst = true; from !== null || isFirst; isFirst = false) {
        const counted = countDue(store.read, id, pass, from, COUNTED_AT_ONCE);
        due[pass.what] += counted.messages;
        from = counted.next;
        await pause();
      }
    }
  }
  return due;
}

/** Rows counted at once. */
const COUNTED_AT_ONCE = 1000;

/** What is due of messages. Guards against repetition and opt-outs look at messages: so long they stay, whatever is set. */
function passesOf({ retention }: PurgeDeps["config"], nowMs: number): readonly PurgePass[] {
  const { text_days, otp_text_hours, message_days } = retention;
  const messagesMs = message_days * DAY_MS;
  const passes: readonly (Omit<PurgePass, "beforeMs"> & { readonly keptMs: number })[] = [
    { name: "OTP texts", what: "texts", classes: ["OTP"], keptMs: otp_text_hours * HOUR_MS },
    { name: "texts", what: "texts", classes: ["TRANSACTIONAL", "MARKETING"], keptMs: text_days * DAY_MS },
    {
      name: "messages",
      what: "messages",
      classes: ["OTP", "TRANSACTIONAL"],
      keptMs: messagesMs && Math.max(messagesMs, SENDS_KEPT_MS.others),
    },
    {
      name: "marketing messages",
      what: "messages",
      classes: ["MARKETING"],
      keptMs: messagesMs && Math.max(messagesMs, SENDS_KEPT_MS.marketing),
    },
  ];
  return passes.flatMap(({ keptMs, ...pass }) => (keptMs > 0 ? [{ ...pass, beforeMs: nowMs - keptMs }] : []));
}

export type RetentionWarning = { readonly code: "KEPT_LONGER"; readonly detail: Phrase };

/** Periods of `[retention]` below the least that the appliance itself needs, which is what holds then (docs/behaviour.md#10-retention). */
export function findRetentionWarnings({ retention, api }: PurgeDeps["config"]): RetentionWarning[] {
  const { message_days: days, event_days: eventDays } = retention;
  const others = SENDS_KEPT_MS.others / DAY_MS;
  const marketing = SENDS_KEPT_MS.marketing / DAY_MS;
  const eventsLeast = Math.ceil(-deriveEventRetentionStart(0, api.max_lookback_hours) / DAY_MS);
  const warnings: RetentionWarning[] = [];
  if (days > 0 && days < marketing) {
    const detail =
      days < others
        ? phrase("config.warning.messages_kept.all", { days, marketing, others })
        : phrase("config.warning.messages_kept", { days, marketing });
    warnings.push({ code: "KEPT_LONGER", detail });
  }
  if (eventDays > 0 && eventDays < eventsLeast) {
    const detail = phrase("config.warning.events_kept", { days: eventDays, least: eventsLeast });
    warnings.push({ code: "KEPT_LONGER", detail });
  }
  return warnings;
}

/** `what` null: the amount is not reported. */
type List = { readonly what: keyof PurgeCounts | null; readonly forget: (tx: Tx, limit: number) => number };

/** What is due elsewhere: the oldest rows of tables in time order. */
function lists({ retention, api }: PurgeDeps["config"], nowMs: number): readonly List[] {
  const { inbound_days, event_days, audit_days } = retention;
  const before = (days: number): number => nowMs - days * DAY_MS;
  const eventsMs = Math.min(before(event_days), deriveEventRetentionStart(nowMs, api.max_lookback_hours));
  const all: readonly (List & { readonly days: number })[] = [
    {
      what: "inbound_texts",
      days: inbound_days,
      forget: (tx, limit) => forgetOldTexts(tx, before(inbound_days), limit),
    },
    { what: "events", days: event_days, forget: (tx, limit) => purgeEvents(tx, eventsMs, limit) },
    {
      what: "audit_entries",
      days: audit_days,
      forget: (tx, limit) => purgeAudit(tx, before(audit_days), limit),
    },
    // Sessions expire by themselves; after a day they are of no use.
    { what: "user_sessions", days: 1, forget: (tx, limit) => purgeSessions(tx, before(1), limit) },
    { what: "user_sessions", days: 1, forget: (tx, limit) => purgeLinks(tx, before(1), limit) },
    {
      what: null,
      days: KNOWN_DAYS,
      forget: (tx, limit) => purgeNetworks(tx, before(KNOWN_DAYS), limit),
    },
  ];
  return all.filter(({ days }) => days > 0);
}

/** Runs steps sized to the target duration, with a rest after each. */
function stepper(store: Store, clock: Clock) {
  let limit = FEWEST;
  return async (work: (tx: Tx, limit: number) => PurgeStep): Promise<PurgeStep> => {
    let tookMs = 0;
    const purged = await store.write((tx) => {
      const beganMs = clock.steadyMs();
      const done = work(tx, limit);
      tookMs = clock.steadyMs() - beganMs;
      return done;
    }, "with the next");
    if (tookMs > STEP_MS) limit = Math.max(FEWEST, Math.floor(limit / 2));
    else if (tookMs < STEP_MS / 2) limit = Math.min(MOST, limit * 2);
    if (!purged.isOver) await wait(clock, REST_MS);
    return purged;
  };
}

export const PURGE_OPERATIONS = {
  /**
   * Purges at once what a running server would within the hour, or counts the messages. After an interruption, what was purged stays
   * purged, and the rest follows later.
   */
  "storage purge": operation({
    does: (isGiven) => (isGiven("dry_run") ? "reads" : "changes"),
    params: { dry_run: YES },
    run: async (context, { dry_run: isDryRun }) => {
      const { store, clock, actor } = context;
      if (isDryRun) return done({ dry_run: true, ...(await purgeDue(context, createYielder(clock))) });
      const counts = await purge(context, () => context.breakOff?.aborted === true);
      await store.write((tx) =>
        recordAudit(tx, { atMs: clock.nowMs(), actor, action: "storage purge", subject: "", detail: counts }),
      );
      return done({ dry_run: false, ...counts });
    },
  }),
};
