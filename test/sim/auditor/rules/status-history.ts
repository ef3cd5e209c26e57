import { stampOf } from "../final-states.ts";
import { type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { canonicalMessage, type Json, list, member, text } from "../json.ts";
import { commandsNamed } from "../once.ts";

const found = finder(
  "status-history",
  "A message's states follow the table; the first final state holds; status_changed_at only rises and is nobody else's.",
);

/** Which states may be seen after one, whatever was passed unseen in between. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  QUEUED: ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"],
  SUBMITTED: ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"],
  SENT: ["SENT", "DELIVERED", "FAILED"],
  DELIVERED: ["DELIVERED"],
  FAILED: ["FAILED"],
  CANCELLED: ["CANCELLED"],
};

/** "A message that was SENT may go back where WhatsApp says that it did not send it" (docs/behaviour.md#states-of-a-message). */
const AFTER_SENT_BY_WHATSAPP = ["QUEUED", "SUBMITTED", "CANCELLED"];

/** A message as somebody was told of it. */
export type Told = {
  readonly messageId: string;
  readonly account: string;
  readonly status: string;
  readonly isFinal: boolean;
  readonly stamp: string;
  readonly json: Json;
  /** When it was asked for, or told; what was answered before this can't be newer. */
  readonly fromMs: number;
  readonly atMs: number;
};

/** What was told of each message, by feed, by fetch or by event, is one life. */
export function statusHistory(history: History): readonly Finding[] {
  const told = toldOf(history);
  const byMessage = Map.groupBy(told, ({ messageId }) => messageId);
  return [
    ...[...byMessage.values()].flatMap((each) => oneLife(history, each)),
    ...sharedStamps(told),
    ...crowdedMilliseconds(told),
  ];
}

/** Everything that was told of messages, in the order it was told. */
export function toldOf(history: History): readonly Told[] {
  const read = history.sightings.messageViews.map((view): Told => {
    const { messageId, account, status, isFinal, json, exchange, atMs } = view;
    return {
      messageId,
      account,
      status,
      isFinal,
      stamp: stampOf(view),
      json,
      fromMs: exchange.askedAtMs,
      atMs,
    };
  });
  const owners = new Map([...history.accounts.values()].map(({ name, accountId }) => [accountId, name]));
  const events = history.events.flatMap(({ json, atMs }): Told[] => {
    const data = member(json, "data");
    const messageId = text(data, "message_id");
    if (text(json, "type") !== "MESSAGE_TERMINAL" || messageId === null) return [];
    const account = owners.get(text(json, "account_id") ?? "") ?? "";
    const status = text(data, "status") ?? "";
    const isFinal = member(data, "is_final") === true;
    // An event tells of its own moment, and may come late: nothing is newer than it for certain.
    return [
      { messageId, account, status, isFinal, stamp: stampOf({ json: data }), json: data, fromMs: -1, atMs },
    ];
  });
  return [...read, ...events].sort((a, b) => a.atMs - b.atMs);
}

function oneLife(history: History, told: readonly Told[]): readonly Finding[] {
  const findings: Finding[] = [];
  let newest: Told | null = null;
  for (const each of told) {
    if (newest !== null && each.fromMs > newest.atMs && each.stamp < newest.stamp)
      findings.push(
        found(
          each.atMs,
          `message ${each.messageId} went back from ${words(newest)} to ${words(each)}`,
          each.messageId,
        ),
      );
    if (newest === null || each.stamp > newest.stamp) newest = each;
  }
  const inOrder = [...told].sort((a, b) => (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0));
  for (const [index, after] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (!before) continue;
    const why = whyNotAfter(history, before, after);
    if (why !== null)
      findings.push(
        found(
          after.atMs,
          `message ${after.messageId}: ${words(before)}, then ${words(after)}: ${why}`,
          after.messageId,
        ),
      );
  }
  return findings;
}

function whyNotAfter(history: History, before: Told, after: Told): string | null {
  if (before.stamp === after.stamp) {
    const isSame =
      (canonicalMessage(before.json) === canonicalMessage(after.json) && isReadOnce(before, after)) ||
      isHandedOver(history, before, after) ||
      isOtherWay(before, after);
    return isSame ? null : "told in two ways under one stamp";
  }
  if (before.isFinal) return "it was final";
  const isSentBack =
    text(after.json, "channel") === "WHATSAPP" &&
    before.status === "SENT" &&
    AFTER_SENT_BY_WHATSAPP.includes(after.status);
  return AFTER[before.status]?.includes(after.status) || isSentBack ? null : "the table has no such way";
}

/** When a message was read is told later than the rest, and once. */
function isReadOnce(before: Told, after: Told): boolean {
  const [one, other] = [text(before.json, "read_at"), text(after.json, "read_at")];
  return one === null || other === null || one === other;
}

/** "A change in `channels` alone does not move the feed": what is of the way that carries it changes with that. */
function isOtherWay(before: Told, after: Told): boolean {
  const ofWay = { operator: null, segments: null, encoding: null, channels: null };
  const but = ({ json }: Told) => canonicalMessage({ ...(json as object), ...ofWay });
  const has = ({ json }: Told) => list(json, "channels").length > 1;
  return (has(before) || has(after)) && but(before) === but(after);
}

/** "`operator rename OLD NEW` moves waiting messages": their status does not change by it, and nothing else of them does. */
function isHandedOver(history: History, before: Told, after: Told): boolean {
  if (before.status !== "QUEUED" || before.isFinal) return false;
  const but = (told: Told) => canonicalMessage({ ...(told.json as object), operator: null, channels: null });
  if (but(before) !== but(after)) return false;
  const [from, to] = [text(before.json, "operator") ?? "", text(after.json, "operator") ?? ""];
  const mayBeOlder = after.fromMs <= before.atMs;
  return (
    isRenamed(history, from, to, after.atMs) || (mayBeOlder && isRenamed(history, to, from, before.atMs))
  );
}

/** Whether commands that were given by then call the one code the other, one after the other. */
function isRenamed(history: History, from: string, to: string, byMs: number): boolean {
  const codes = new Set([from]);
  for (const { args, askedAtMs, wasDone } of commandsNamed(history, "operator rename"))
    if (wasDone !== "no" && askedAtMs <= byMs && codes.has(args.OLD ?? "")) codes.add(args.NEW ?? "");
  return codes.has(to);
}

function sharedStamps(told: readonly Told[]): readonly Finding[] {
  const owners = new Map<string, string>();
  return told.flatMap(({ account, stamp, messageId, atMs }) => {
    const owner = owners.get(`${account} ${stamp}`) ?? messageId;
    owners.set(`${account} ${stamp}`, owner);
    if (owner === messageId) return [];
    return [
      found(
        atMs,
        `messages ${owner} and ${messageId} of ${account} share the stamp ${stamp}`,
        messageId,
        owner,
      ),
    ];
  });
}

const MAX_A_MILLISECOND = 90;

function crowdedMilliseconds(told: readonly Told[]): readonly Finding[] {
  const stamps = new Map<string, Set<string>>();
  for (const { account, stamp } of told) {
    const key = `${account} ${stamp.slice(0, -4)}`;
    stamps.set(key, (stamps.get(key) ?? new Set()).add(stamp));
  }
  return [...stamps].flatMap(([key, within]) =>
    within.size > MAX_A_MILLISECOND
      ? [found(told.at(-1)?.atMs ?? 0, `${within.size} stamps in one millisecond: ${key}`)]
      : [],
  );
}

function words({ status, isFinal, stamp, json }: Told): string {
  const code = text(member(json, "error"), "code");
  return `${status}${isFinal ? ", final" : ""}${code === null ? "" : ` ${code}`} at ${stamp}`;
}
