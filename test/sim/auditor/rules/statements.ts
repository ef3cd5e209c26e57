import type { Account } from "../accounts.ts";
import type { Commanded } from "../exchanges.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { commandsOn } from "../in-force.ts";
import { list, number } from "../json.ts";
import { batchesAtRest, type Entry, entryOf, fundingOf, walletsOf } from "../money.ts";

const found = finder(
  "statement",
  "Every balance can be computed again from its entries: each has a cause that stands once, and the balance after it.",
);
const twice = finder("top-up", "A top-up's reference counts once; with another amount it is an error.");
const unproved = finder("ledger-check", "`ledger check` recomputes every balance and finds no difference.");

/** Statements, top-ups by reference, and the appliance's own proof of its books. */
export const statements: Rule = (history) => [
  ...[...history.accounts.values()].flatMap((account) => [
    ...commandsOn(history, account, ["wallet statement"]).flatMap((command) =>
      statement(history, account, command),
    ),
    ...references(history, account),
  ]),
  ...history.commands.flatMap(({ name, outcome, endedAtMs, id }) => {
    if (name !== "ledger check" || !outcome || outcome.ok || outcome.code !== "LEDGER_DIFFERENCES") return [];
    return [unproved(endedAtMs ?? 0, outcome.detail, `command ${id}`)];
  }),
];

function statement(history: History, account: Account, command: Commanded): readonly Finding[] {
  const { outcome, args, id, askedAtMs } = command;
  if (!outcome?.ok || args.from !== undefined || args.to !== undefined) return [];
  if (args.batch !== undefined || args.batches !== undefined) return [];
  const entries = list(outcome.data, "entries").map(entryOf);
  const atMs = command.endedAtMs ?? askedAtMs;
  const tell = (what: string) =>
    found(atMs, `statement of ${account.name} (command ${id}): ${what}`, account.accountId);
  const wrong = [...running(entries), ...causes(entries), ...closing(outcome.data, entries)].map(tell);
  if (history.restAtMs === null || askedAtMs < history.restAtMs) return wrong;
  const taken = number(outcome.data, "not_entered_yet", "charged") ?? 0;
  const balance = (number(outcome.data, "closing_balance") ?? Number.NaN) - taken;
  const shown = walletsOf(history, account).findLast(({ isAtRest }) => isAtRest);
  const differs = shown !== undefined && shown.balance !== balance;
  return [
    ...wrong,
    ...(differs ? [tell(`it closes with ${balance}, and ${shown.where} says ${shown.balance}`)] : []),
    ...[...funded(history, account, entries), ...perBatch(history, account, entries)].map(tell),
  ];
}

/** What an entry of a kind does to the balance. */
function changeBy({ kind, amount, change }: Entry): number {
  if (kind === "TOPUP") return amount;
  if (kind === "CHARGE") return -amount;
  return kind === "ADJUSTMENT" ? change : 0;
}

function running(entries: readonly Entry[]): readonly string[] {
  let balance = 0;
  return entries.flatMap((entry) => {
    const expected = balance + entry.change;
    balance = entry.balance;
    if (entry.balance === expected && entry.change === changeBy(entry) && entry.amount > 0) return [];
    return `${entry.kind} ${entry.cause} of ${entry.amount} changes the balance by ${entry.change} to ${entry.balance}, not ${expected}`;
  });
}

function causes(entries: readonly Entry[]): readonly string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ cause }) => {
    if (!seen.has(cause)) {
      seen.add(cause);
      return [];
    }
    return [`cause ${cause} stands twice`];
  });
}

function closing(data: unknown, entries: readonly Entry[]): readonly string[] {
  const [opened, closed] = [number(data, "opening_balance"), number(data, "closing_balance")];
  const last = entries.at(-1)?.balance ?? 0;
  return opened === 0 && closed === last
    ? []
    : [`opens with ${opened}, closes with ${closed}, ends with ${last}`];
}

/** Money paid in: what was acknowledged stands once, what was broken off once or not at all, and nothing else. */
function funded(history: History, account: Account, entries: readonly Entry[]): readonly string[] {
  const fundings = fundingOf(history, account);
  const left = entries.filter(({ kind }) => kind === "TOPUP" || kind === "ADJUSTMENT");
  const wrong: string[] = [];
  const order = [...fundings].sort((a, b) => Number(a.sureMs === null) - Number(b.sureMs === null));
  for (const { kind, amount, words, sureMs } of order) {
    const at = left.findIndex((entry) => {
      const isSame = entry.kind === kind && entry.change === amount;
      return isSame && (kind === "ADJUSTMENT" || entry.cause.endsWith(`:${words}`));
    });
    if (at >= 0) left.splice(at, 1);
    else if (sureMs !== null) wrong.push(`${kind} of ${amount} (${words}) was acknowledged and is not there`);
  }
  return [
    ...wrong,
    ...left.map(({ kind, cause, change }) => `${kind} ${cause} of ${change}: nobody gave it`),
  ];
}

/** Of each batch, as it was shown at rest: what was reserved, charged and released. */
function perBatch(history: History, account: Account, entries: readonly Entry[]): readonly string[] {
  const sum = (batchId: string, kind: string) =>
    entries.reduce(
      (all, entry) => all + (entry.batchId === batchId && entry.kind === kind ? entry.amount : 0),
      0,
    );
  return batchesAtRest(history, account).flatMap(({ batchId, json }) => {
    const pairs = [
      ["RESERVE", "reserved_amount"],
      ["CHARGE", "charged_amount"],
      ["RELEASE", "released_amount"],
    ] as const;
    return pairs.flatMap(([kind, name]) => {
      const [entered, shown] = [sum(batchId, kind), number(json, name)];
      return entered === shown
        ? []
        : [`batch ${batchId} has ${kind} of ${entered}, and shows ${name} ${shown}`];
    });
  });
}

/** Two acknowledged top-ups of one reference and different amounts. */
function references(history: History, account: Account): readonly Finding[] {
  const sure = fundingOf(history, account).filter(({ kind, sureMs }) => kind === "TOPUP" && sureMs !== null);
  return sure.flatMap((one, index) =>
    sure.slice(index + 1).flatMap((other) => {
      if (one.words !== other.words) return [];
      const what = `${account.name}: reference ${one.words} was taken for ${one.amount} and for ${other.amount}`;
      return [twice(other.sureMs ?? 0, what, account.accountId)];
    }),
  );
}
