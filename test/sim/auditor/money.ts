/** The auditor's own books: what was paid in, what may have been, what batches took. */
import type { Account } from "./accounts.ts";
import type { Commanded } from "./exchanges.ts";
import type { History } from "./history.ts";
import { commandsOn } from "./in-force.ts";
import { member, number, text } from "./json.ts";
import type { BatchView } from "./sightings.ts";

/** Money that came in or was corrected, by one command or by several of the same reference. */
export type Funding = {
  readonly kind: "TOPUP" | "ADJUSTMENT";
  readonly amount: number;
  /** The reference, or the reason. */
  readonly words: string;
  readonly earliestMs: number;
  /** From when on it surely counts; null: nobody knows whether it ever did. */
  readonly sureMs: number | null;
};

/** Top-ups by reference, the first amount that may count, and every adjustment. */
export function fundingOf(history: History, account: Account): readonly Funding[] {
  const topUps = new Map<string, Commanded[]>();
  const commands = commandsOn(history, account, ["wallet topup", "wallet adjust"]);
  for (const command of commands) {
    if (command.name !== "wallet topup") continue;
    const key = `${command.args.reference} ${Number(command.args.AMOUNT)}`;
    topUps.set(key, [...(topUps.get(key) ?? []), command]);
  }
  const adjustments = commands.filter(({ name }) => name === "wallet adjust");
  return [
    ...[...topUps.values()].map((same) => funding("TOPUP", same, "reference")),
    ...adjustments.map((command) => funding("ADJUSTMENT", [command], "reason")),
  ];
}

function funding(kind: Funding["kind"], same: readonly Commanded[], words: "reference" | "reason"): Funding {
  const [first] = same;
  const sure = same.find(({ wasDone }) => wasDone === "yes");
  return {
    kind,
    amount: Number(first?.args.AMOUNT ?? 0),
    words: first?.args[words] ?? "",
    earliestMs: first?.askedAtMs ?? 0,
    sureMs: sure?.endedAtMs ?? null,
  };
}

/** The last look at each batch of an account after the world had come to rest, where it shows money. */
export function batchesAtRest({ sightings, restAtMs }: History, account: Account): readonly BatchView[] {
  const last = new Map<string, BatchView>();
  for (const view of sightings.batchViews) {
    const isThis = view.account === account.name && restAtMs !== null && view.askedAtMs >= restAtMs;
    if (isThis && number(view.json, "charged_amount") !== null) last.set(view.batchId, view);
  }
  return [...last.values()];
}

export type Wallet = {
  readonly atMs: number;
  readonly where: string;
  readonly balance: number;
  readonly reserved: number;
  readonly creditLimit: number;
  readonly spendable: number;
  readonly isAtRest: boolean;
};

/** Every balance that anybody was shown of an account, as a client or by a command. */
export function walletsOf(history: History, account: Account): readonly Wallet[] {
  const { exchanges, restAtMs } = history;
  const asked = exchanges.flatMap(({ client, path, answer, askedAtMs, id }) => {
    const isBalance = client === account.name && path === "/public/v1/account/balance";
    if (!isBalance || answer?.status !== 200) return [];
    const data = member(answer.json, "data");
    return wallet(data, answer.atMs, `GET /account/balance (request ${id})`, askedAtMs, restAtMs);
  });
  const shown = commandsOn(history, account, ["wallet show", "wallet topup", "wallet adjust"]).flatMap(
    ({ name, outcome, askedAtMs, endedAtMs, id }) => {
      if (!outcome?.ok || endedAtMs === null) return [];
      return wallet(outcome.data, endedAtMs, `${name} (command ${id})`, askedAtMs, restAtMs);
    },
  );
  return [...asked, ...shown].sort((a, b) => a.atMs - b.atMs);
}

function wallet(
  data: unknown,
  atMs: number,
  where: string,
  askedAtMs: number,
  restAtMs: number | null,
): readonly Wallet[] {
  const [balance, reserved] = [number(data, "balance"), number(data, "reserved")];
  const [creditLimit, spendable] = [number(data, "credit_limit"), number(data, "spendable")];
  if (balance === null || reserved === null || creditLimit === null || spendable === null) return [];
  const isAtRest = restAtMs !== null && askedAtMs >= restAtMs;
  return [{ atMs, where, balance, reserved, creditLimit, spendable, isAtRest }];
}

export type Entry = {
  readonly kind: string;
  readonly amount: number;
  readonly change: number;
  readonly balance: number;
  readonly cause: string;
  readonly batchId: string | null;
  readonly note: string | null;
};

/** An entry of a statement. */
export function entryOf(json: unknown): Entry {
  return {
    kind: text(json, "kind") ?? "",
    amount: number(json, "amount") ?? 0,
    change: number(json, "change") ?? 0,
    balance: number(json, "balance") ?? Number.NaN,
    cause: text(json, "cause") ?? "",
    batchId: text(json, "batch_id"),
    note: text(json, "note"),
  };
}
