import { type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { type Json, list, text } from "../json.ts";
import { commandsNamed } from "../once.ts";
import type { MessageView } from "../sightings.ts";

const found = finder(
  "claimed-after",
  "From the commit that cancels a batch, suspends its account or takes its number off on, none of its messages is claimed.",
);

/** What keeps messages back from a moment on, as the recorded changes have it. */
type Bar = {
  readonly why: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly of: (message: Message) => boolean;
};

type Message = {
  readonly batchId: string;
  readonly accountId: string;
  readonly msisdn: string | null;
  readonly messageClass: string | null;
};

/**
 * No message bears a time of its claim that lies behind a change which forbade it. Both are read from one clock, inside the
 * transactions that they tell of: where nobody sets it, what was committed first bears no later time.
 */
export function claimedAfter(history: History): readonly Finding[] {
  if (history.observations.some(({ kind }) => kind === "clock")) return [];
  const bars = barsOf(history);
  if (bars.length === 0) return [];
  const told = new Set<string>();
  return history.sightings.messageViews.flatMap((view) => {
    const claimedMs = Date.parse(text(view.json, "submitted_at") ?? "");
    if (Number.isNaN(claimedMs) || told.has(`${view.messageId} ${claimedMs}`)) return [];
    told.add(`${view.messageId} ${claimedMs}`);
    const message = messageOf(history, view);
    const bar = bars.find((each) => claimedMs > each.fromMs && claimedMs < each.toMs && each.of(message));
    if (!bar) return [];
    const what = `message ${view.messageId} to ${message.msisdn} of batch ${view.batchId} was claimed at ${iso(claimedMs)}, after ${bar.why} at ${iso(bar.fromMs)}`;
    return [found(view.atMs, what, view.messageId, view.batchId)];
  });
}

function messageOf({ accounts }: History, { json, batchId, account }: MessageView): Message {
  const accountId = accounts.get(account)?.accountId ?? "";
  return { batchId, accountId, msisdn: text(json, "msisdn"), messageClass: text(json, "message_class") };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

type Entry = {
  readonly atMs: number;
  readonly action: string;
  readonly subject: string;
  readonly json: Json;
};

/** By the last list of recorded changes. */
function barsOf(history: History): readonly Bar[] {
  const { outcome } = commandsNamed(history, "audit list").findLast((each) => each.outcome?.ok) ?? {};
  const entries = list(outcome?.ok ? outcome.data : null, "entries").map(
    (json): Entry => ({
      atMs: Date.parse(text(json, "at") ?? ""),
      action: text(json, "action") ?? "",
      subject: text(json, "subject") ?? "",
      json,
    }),
  );
  return entries.flatMap((entry) => {
    const { atMs: fromMs, action, subject } = entry;
    const why = `${action} ${subject}`;
    switch (action) {
      case "batch cancel":
        return [{ why, fromMs, toMs: Infinity, of: ({ batchId }: Message) => batchId === subject }];
      case "account suspend": {
        const toMs = endOf(entries, entry, "account resume", () => true);
        return [{ why, fromMs, toMs, of: ({ accountId }: Message) => accountId === subject }];
      }
      case "suppression add": {
        const msisdn = text(entry.json, "detail", "msisdn");
        const isSame = ({ json }: Entry) => text(json, "detail", "msisdn") === msisdn;
        const toMs = endOf(entries, entry, "suppression remove", isSame);
        return [
          {
            why: `${why} of ${msisdn}`,
            fromMs,
            toMs,
            of: (message: Message) => message.msisdn === msisdn && isListed(entry, message),
          },
        ];
      }
      default:
        return [];
    }
  });
}

function isListed({ subject, json }: Entry, { accountId, messageClass }: Message): boolean {
  const listed = text(json, "detail", "message_class");
  const isMeant = listed === "all" || (messageClass !== null && listed === messageClass);
  return isMeant && (subject === "everywhere" || subject === accountId);
}

/** When the same subject's next change of a kind lets messages go again. */
function endOf(
  entries: readonly Entry[],
  { atMs, subject }: Entry,
  action: string,
  isMeant: (entry: Entry) => boolean,
): number {
  const ends = entries.filter(
    (each) => each.action === action && each.subject === subject && each.atMs >= atMs && isMeant(each),
  );
  return Math.min(Infinity, ...ends.map((each) => each.atMs));
}
