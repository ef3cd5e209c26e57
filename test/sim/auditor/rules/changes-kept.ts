import type { Account } from "../accounts.ts";
import type { Commanded } from "../exchanges.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { accountSettingIn, changeOpenAccount, commandsOn, sameOperator } from "../in-force.ts";
import { type Json, list, member, number, text } from "../json.ts";
import { commandsNamed } from "../once.ts";
import { possible } from "../possible.ts";
import { mayBeRegistered } from "../registrations.ts";

const found = finder("changes-kept", "What an administrator was told is done is done, and stays so.");

/** What lists and settings say at rest is what commands made of them, whatever died in between. */
export const changesKept: Rule = (history) =>
  [...history.accounts.values()].flatMap((account) => [
    ...atRest(history, account, "account show").flatMap((asked) => settingsOf(history, account, asked)),
    ...atRest(history, account, "key list").flatMap((asked) => keysOf(account, asked)),
    ...atRest(history, account, "sender list").flatMap((asked) => sendersOf(history, account, asked)),
    ...atRest(history, account, "price list").flatMap((asked) => pricesOf(history, account, asked)),
    ...atRest(history, account, "price history").flatMap((asked) => pastOf(history, account, asked)),
    ...atRest(history, account, "webhook list").flatMap((asked) => endpointsOf(history, account, asked)),
  ]);

type Asked = {
  readonly command: Commanded;
  readonly data: Json;
  readonly fromMs: number;
  readonly toMs: number;
};

function atRest(history: History, account: Account, name: string): readonly Asked[] {
  return commandsOn(history, account, [name]).flatMap((command) => {
    const { outcome, askedAtMs, endedAtMs } = command;
    const isFinal = history.restAtMs !== null && askedAtMs >= history.restAtMs;
    return isFinal && outcome?.ok && endedAtMs !== null
      ? [{ command, data: outcome.data, fromMs: askedAtMs, toMs: endedAtMs }]
      : [];
  });
}

function tell({ command, toMs }: Asked, account: Account, what: string): readonly Finding[] {
  const words = `"${command.name}" of ${account.name} at ${at(toMs)} ${what}`;
  return [found(toMs, words, account.accountId, `command ${command.id}`)];
}

const FLAGS = [
  ...["charge-on", "recipients-per-minute", "recipients-per-day", "marketing-hours"],
  ...["marketing-per-day", "marketing-per-week", "low-balance", "timezone", "credit-limit", "short-name"],
];

function settingsOf(history: History, account: Account, asked: Asked): readonly Finding[] {
  return FLAGS.flatMap((flag) => {
    const shown = member(asked.data, flag.replaceAll("-", "_"));
    if (shown === undefined) return [];
    const may = accountSettingIn(history, account, flag, asked);
    // What nobody has set is what it was made with.
    if (may.includes(null) || may.includes(String(shown))) return [];
    return tell(asked, account, `has ${flag} ${String(shown)}, which was set to ${may.join(" or ")}`);
  });
}

function keysOf(account: Account, asked: Asked): readonly Finding[] {
  const rows = new Map(list(asked.data, "keys").map((row) => [text(row, "key_id"), text(row, "status")]));
  return account.keys.flatMap(({ keyId, revoked, madeAtMs }) => {
    if (madeAtMs > asked.fromMs) return [];
    const status = rows.get(keyId) ?? null;
    if (status === null) return tell(asked, account, `lacks key ${keyId}`);
    const isRevoked = revoked !== null && revoked.latestMs !== null && revoked.latestMs <= asked.fromMs;
    if (isRevoked && status === "ACTIVE")
      return tell(asked, account, `has revoked key ${keyId} as ${status}`);
    return revoked === null && status === "REVOKED"
      ? tell(asked, account, `has key ${keyId} as ${status}, which nobody revoked`)
      : [];
  });
}

const STATUSES: Readonly<Record<string, string>> = {
  "sender request": "REQUESTED",
  "sender approve": "APPROVED",
  "sender reject": "REJECTED",
};

function sendersOf(history: History, account: Account, asked: Asked): readonly Finding[] {
  const rows = new Map(list(asked.data, "senders").map((row) => [text(row, "sender") ?? "", row]));
  const names = new Set(
    commandsOn(history, account, Object.keys(STATUSES)).map(({ args }) => args.NAME ?? ""),
  );
  return [...names].flatMap((name) => {
    const about = (...commands: readonly string[]) =>
      commandsOn(history, account, commands).filter(({ args }) => args.NAME === name);
    const decided = about("sender approve", "sender reject").map((command) =>
      changeOpenAccount(history, command, STATUSES[command.name] ?? ""),
    );
    const row = rows.get(name);
    const isSure = about(...Object.keys(STATUSES)).some(({ wasDone }) => wasDone === "yes");
    if (row === undefined) return isSure ? tell(asked, account, `lacks sender ${name}`) : [];
    const statuses = possible("REQUESTED", decided, asked.fromMs, asked.toMs);
    const status = text(row, "status") ?? "";
    const wrong = statuses.includes(status)
      ? []
      : tell(asked, account, `has sender ${name} as ${status}, which was ${statuses.join(" or ")}`);
    const shown = member(row, "registrations") === undefined ? "operators" : "registrations";
    return [...wrong, ...registrationsOf(history, account, asked, name, list(row, shown))];
  });
}

function registrationsOf(
  history: History,
  account: Account,
  asked: Asked,
  name: string,
  shown: readonly Json[],
): readonly Finding[] {
  const commands = commandsOn(history, account, ["sender register", "sender unregister"]).filter(
    ({ args }) => args.NAME === name,
  );
  const codes = new Set(commands.map(({ args }) => args.operator ?? ""));
  return [...codes].flatMap((code) => {
    // A rename takes registrations along, and what was said under either code counts.
    if (sameOperator(history, code.split("/")[0] ?? code).size > 1) return [];
    const may = mayBeRegistered(history, account, { sender: name, code }, asked);
    if (may.includes(shown.includes(code))) return [];
    return tell(
      asked,
      account,
      `has sender ${name} ${shown.includes(code) ? "" : "not "}registered with ${code}`,
    );
  });
}

function pricesOf(history: History, account: Account, asked: Asked): readonly Finding[] {
  const rows = list(asked.data, "prices").filter((row) => text(row, "source") === "account");
  const own = commandsOn(history, account, ["price set", "price unset"]);
  const keys = new Set(own.map(({ args }) => `${args.operator ?? ""} ${args.class?.toUpperCase() ?? ""}`));
  return [...keys].flatMap((key) => {
    const [operator = "", messageClass = ""] = key.split(" ");
    if (sameOperator(history, operator).size > 1) return [];
    const row = rows.find(
      (each) => text(each, "operator") === operator && (text(each, "message_class") ?? "") === messageClass,
    );
    const changes = own
      .filter(({ args }) => args.operator === operator && (args.class?.toUpperCase() ?? "") === messageClass)
      .map((command) =>
        changeOpenAccount(
          history,
          command,
          command.name === "price set" ? Number(command.args.amount) : null,
        ),
      );
    const may = possible<number | null>(null, changes, asked.fromMs, asked.toMs);
    const shown = row === undefined ? null : number(row, "amount");
    if (may.includes(shown)) return [];
    const name = `${operator}${messageClass === "" ? "" : ` for ${messageClass}`}`;
    return tell(asked, account, `has ${shown ?? "no price"} for ${name}, which was ${may.join(" or ")}`);
  });
}

/** Every price that was set stands in the past of prices, unless it was the same already. */
function pastOf(history: History, account: Account, asked: Asked): readonly Finding[] {
  const changes = list(asked.data, "changes");
  if (member(asked.data, "has_more") === true) return [];
  return commandsOn(history, account, ["price set"]).flatMap(({ args, wasDone, id }) => {
    const codes = sameOperator(history, args.operator ?? "");
    const isThere = changes.some(
      (change) =>
        codes.has(text(change, "operator") ?? "") &&
        text(change, "message_class") === (args.class?.toUpperCase() ?? null) &&
        number(change, "amount") === Number(args.amount),
    );
    return wasDone !== "yes" || isThere
      ? []
      : tell(asked, account, `lacks the price ${args.amount} for ${args.operator} that command ${id} set`);
  });
}

function endpointsOf(history: History, account: Account, asked: Asked): readonly Finding[] {
  const rows = new Set(list(asked.data, "webhooks").map((row) => text(row, "webhook_id")));
  const deleted = new Set(
    commandsNamed(history, "webhook delete").flatMap(({ wasDone, args }) =>
      wasDone === "no" ? [] : [args.WEBHOOK ?? ""],
    ),
  );
  return history.exchanges.flatMap(({ client, method, path, answer }) => {
    if (client !== account.name || method !== "POST" || path !== "/public/v1/webhooks") return [];
    const webhookId = text(answer?.json, "data", "webhook_id");
    const isSure = answer?.status === 201 && answer.atMs < asked.fromMs && webhookId !== null;
    return !isSure || rows.has(webhookId) || deleted.has(webhookId)
      ? []
      : tell(asked, account, `lacks endpoint ${webhookId}`);
  });
}
