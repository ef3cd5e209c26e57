import type { Commanded } from "../exchanges.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { list, text } from "../json.ts";

const unrecorded = finder("audit-list", "Every change is recorded with who, when and what.");
const forgotten = finder("accounts-kept", "What an administrator was told is done is done, and stays so.");

/** Commands that change something, and whose change the audit list has under their own words. */
const CHANGES = [
  ...["account create", "account set", "account suspend", "key create", "key revoke"],
  ...[
    "wallet topup",
    "wallet adjust",
    "sender request",
    "sender approve",
    "sender reject",
    "sender register",
  ],
  ...["price set", "batch cancel"],
];

/** Every kind of change that was acknowledged stands in the audit list, and every account in the list of accounts. */
export const commands: Rule = (history) => [...recorded(history), ...listed(history)];

function recorded({ commands: all, restAtMs }: History): readonly Finding[] {
  const asked = all.findLast(({ name, outcome }) => name === "audit list" && outcome?.ok);
  if (!asked?.outcome?.ok || restAtMs === null || asked.askedAtMs < restAtMs) return [];
  const entries = list(asked.outcome.data, "entries");
  if (entries.length >= 10_000) return [];
  const actions = new Map<string, number>();
  for (const entry of entries) {
    const action = text(entry, "action") ?? "";
    actions.set(action, (actions.get(action) ?? 0) + 1);
  }
  return CHANGES.flatMap((name) => {
    const done = distinct(all.filter((command) => command.name === name && isChange(command)));
    const there = actions.get(name) ?? 0;
    if (there >= done.length) return [];
    const what = `${done.length} times "${name}" was acknowledged, each with other words, and the audit list has ${there}`;
    return [unrecorded(asked.endedAtMs ?? asked.askedAtMs, what, name)];
  });
}

/** What was acknowledged and did something: calling off what had been called off keeps the first reason. */
function isChange({ name, wasDone, outcome, args }: Commanded): boolean {
  if (wasDone !== "yes" || !outcome?.ok) return false;
  return name !== "batch cancel" || text(outcome.data, "cancellation", "reason") === args.reason;
}

/** Commands of the same words may change nothing the second time; of those that turn something on and off, one counts. */
function distinct(done: readonly Commanded[]): readonly Commanded[] {
  const seen = new Map<string, Commanded>();
  for (const command of done) {
    const { ACCOUNT, BATCH, KEY_ID, NAME, reference, operator, MSISDN, name } = command.args;
    const key = [ACCOUNT, BATCH, KEY_ID, NAME, reference, operator, MSISDN, name].join(" ");
    if (!seen.has(key)) seen.set(key, command);
  }
  return [...seen.values()];
}

function listed({ commands: all, accounts }: History): readonly Finding[] {
  const made = all.filter(({ name, wasDone }) => name === "account create" && wasDone === "yes");
  return all.flatMap(({ name, outcome, askedAtMs, endedAtMs, id }) => {
    if (name !== "account list" || !outcome?.ok) return [];
    const ids = new Set(list(outcome.data, "accounts").map((row) => text(row, "account_id")));
    return made.flatMap((created) => {
      const account = accounts.get(created.args.name ?? "");
      const toldAtMs = created.endedAtMs ?? Infinity;
      if (!account || toldAtMs > askedAtMs || ids.has(account.accountId)) return [];
      const what = `account ${account.name} was made at ${at(toldAtMs)}, and the list of ${at(askedAtMs)} lacks it`;
      return [forgotten(endedAtMs ?? askedAtMs, what, account.accountId, `command ${id}`)];
    });
  });
}
