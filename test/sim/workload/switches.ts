/**
 * Which kinds of things a run has at all. Each seed tosses a coin for each kind, so that runs differ in what is together: a run with
 * everything hides what two kinds do alone.
 */
import { forked, happens } from "../chance.ts";

/** What goes wrong, by name: what `faults` may be restricted to. */
export const FAULTS = [
  ...(["stop", "kill", "sync fails", "rename operator", "retire operator"] as const),
  ...(["habits", "drop", "half open", "slow link", "stall", "unreachable", "unbind", "garbage"] as const),
  ...(["mo", "receiver habits", "disk", "clock", "short of room"] as const),
  /** Requests and answers that are lost on their way, cut or slow. */
  "fates",
  /** Receipts without a number to tell whose they are; only where it is asked for by name. */
  "masked numbers",
  /** A copy takes the place of the data: what is promised of the time in between is another, so only where it is asked for by name. */
  "restore",
  /** The second channel, and what Meta does there. */
  "whatsapp",
  /** Customers who bind over SMPP, and what happens to their connections. */
  "smpp clients",
  /** Aimed at what people do: others keep the machine busy, the disk fills in the middle of a submission, answers come just too
   * late or not at all, an operator is away for too long. */
  ...(["busy", "filling", "late answers", "silence", "outage"] as const),
  /** What happens to the routes of operators that have some; and that they become others while it runs. */
  ...(["route troubles", "route changes"] as const),
] as const;

/** What people do beside plain submissions. */
export const DEEDS = [
  ...(["staged", "many", "schedules", "tags", "long", "ucs2", "bad numbers", "duplicates"] as const),
  ...(["unroutable", "suppressed", "repeated bodies", "keys", "tests", "refused requests"] as const),
  ...(["read", "cancel", "suspend", "top up", "rotate key", "webhook", "settings"] as const),
  ...([
    "adjust",
    "price",
    "senders",
    "suppression",
    "account set",
    "look",
    "policies",
    "poor",
    "back up",
  ] as const),
  "reload",
  /** Several routes to an operator; and what is done with one of them alone. */
  ...(["routes", "route pauses", "route senders", "shared pace", "ill routes", "second SMS"] as const),
] as const;

export type Fault = (typeof FAULTS)[number];
export type Deed = (typeof DEEDS)[number];
export type Switches = (kind: Fault | Deed) => boolean;

/** With lost answers and receipts for others' ids nobody could say what a run with these should come to. */
export const ONLY_BY_NAME: readonly string[] = ["masked numbers", "restore"];

/** Of the runs that nobody restricts: how many have SMPP clients. */
const SMPP_SHARE = 0.25;

/** The coin of each kind; of faults, only those named in `faults`, or all with null. */
export function switchesOf(seed: number, faults: readonly string[] | null): Switches {
  const on = new Set<string>();
  for (const kind of DEEDS) if (happens(forked(seed, "switch", kind), 0.6)) on.add(kind);
  for (const kind of FAULTS) {
    const isWanted = faults?.includes(kind) ?? !ONLY_BY_NAME.includes(kind);
    // What was asked for by name is what the run is for.
    const usual = kind === "smpp clients" ? SMPP_SHARE : 0.45;
    const probability = faults === null ? usual : 0.85;
    if (happens(forked(seed, "switch", kind), probability) && isWanted) on.add(kind);
  }
  if (faults !== null && (on.has("route troubles") || on.has("route changes"))) on.add("routes");
  // Most of what may go wrong between two routes does so with the parts of one text.
  if (faults !== null && on.has("route troubles")) on.add("long");
  return (kind) => on.has(kind);
}
