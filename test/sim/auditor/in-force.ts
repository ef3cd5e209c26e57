/** What may have been in force in a period: configuration, prices, charging, and whose number it was. */
import { type Account, isFor } from "./accounts.ts";
import type { Commanded } from "./exchanges.ts";
import type { History, SettingsInForce } from "./history.ts";
import { commandsNamed } from "./once.ts";
import { type Change, possible } from "./possible.ts";
import { operatorOf } from "./settings.ts";
import type { Channel } from "./text.ts";

/** How long a new configuration takes to be in force at most, ms. */
const SLACK_MS = 5_000;

export type Period = { readonly fromMs: number; readonly toMs: number };

/** Every configuration that may have been in force in a period. */
export function settingsIn({ settings }: History, { fromMs, toMs }: Period): readonly SettingsInForce[] {
  const before = settings.findLast(({ atMs }) => atMs <= fromMs - SLACK_MS);
  const during = settings.filter(({ atMs }) => atMs > fromMs - SLACK_MS && atMs <= toMs + SLACK_MS);
  return before ? [before, ...during] : during.length > 0 ? during : settings.slice(0, 1);
}

/** The operators that may have owned a number in a period; null among them: none. */
function operatorsIn(history: History, msisdn: string, period: Period): ReadonlySet<string | null> {
  return new Set(settingsIn(history, period).map((each) => operatorOf(each, msisdn)?.code ?? null));
}

/** The same for a channel: by WhatsApp it may leave by any of its numbers. */
export function carriersIn(
  history: History,
  { channel, msisdn }: { readonly channel: Channel; readonly msisdn: string },
  period: Period,
): ReadonlySet<string | null> {
  if (channel === "SMS") return operatorsIn(history, msisdn, period);
  return new Set(settingsIn(history, period).flatMap(({ numbers }) => numbers.map(({ code }) => code)));
}

/** What a segment may have cost an account in a period. */
export function pricesIn(
  history: History,
  account: Account,
  of: { readonly operator: string; readonly messageClass: string },
  period: Period,
): ReadonlySet<number> {
  const prices = new Set<number>();
  const codes = sameOperator(history, of.operator);
  const own = (messageClass: string | null) => {
    const changes = priceChanges(history, account, codes, messageClass);
    if (codes.size > 1) return [null, ...changes.map(({ value }) => value)];
    return possible<number | null>(null, changes, period.fromMs, period.toMs);
  };
  const forClass = own(of.messageClass);
  const forAll = own(null);
  for (const price of forClass) if (price !== null) prices.add(price);
  if (!forClass.includes(null)) return prices;
  for (const price of forAll) if (price !== null) prices.add(price);
  if (!forAll.includes(null)) return prices;
  for (const { operators, numbers } of settingsIn(history, period)) {
    const number = numbers.find(({ code }) => code === of.operator);
    const operator = operators.find(({ code }) => code === of.operator);
    for (const price of [number?.prices[of.messageClass], operator?.price])
      if (price != null) prices.add(price);
  }
  return prices;
}

/** The codes that an operator had or has: a rename takes the account's prices along. */
export function sameOperator(history: History, operator: string): ReadonlySet<string> {
  const codes = new Set([operator]);
  for (const { args, wasDone } of commandsNamed(history, "operator rename")) {
    if (wasDone === "no") continue;
    const { OLD = "", NEW = "" } = args;
    if (codes.has(OLD) || codes.has(NEW)) codes.add(OLD).add(NEW);
  }
  return codes;
}

function priceChanges(
  history: History,
  account: Account,
  codes: ReadonlySet<string>,
  messageClass: string | null,
): readonly Change<number | null>[] {
  return commandsOn(history, account, ["price set", "price unset"]).flatMap((command) => {
    const { args, name } = command;
    const isThis = codes.has(args.operator ?? "") && (args.class?.toUpperCase() ?? null) === messageClass;
    return isThis
      ? [changeOpenAccount(history, command, name === "price set" ? Number(args.amount) : null)]
      : [];
  });
}

/** When an account may be charged: on acceptance, on delivery, or by both rules one after the other. */
export function chargingIn(
  history: History,
  account: Account,
  period: Period,
): ReadonlySet<"accepted" | "delivered"> {
  const changes = commandsOn(history, account, ["account set"]).flatMap((command) => {
    const value = command.args["charge-on"];
    return value === undefined ? [] : [changeOpenAccount(history, command, value)];
  });
  const rules = new Set<"accepted" | "delivered">();
  for (const own of possible("default", changes, period.fromMs, period.toMs)) {
    if (own === "accepted" || own === "delivered") rules.add(own);
    else for (const { chargeOn } of settingsIn(history, period)) rules.add(chargeOn);
  }
  return rules;
}

/** What an argument of `account set` may have been for an account in a period; null: as the configuration says. */
export function accountSettingIn(
  history: History,
  account: Account,
  flag: string,
  { fromMs, toMs }: Period,
): readonly (string | null)[] {
  const changes = commandsOn(history, account, ["account set"]).flatMap((command) => {
    const value = command.args[flag];
    return value === undefined
      ? []
      : [changeOpenAccount(history, command, value === "default" ? null : value)];
  });
  return possible<string | null>(null, changes, fromMs, toMs);
}

/** Commands of these names that name the account and may have been done. */
export function commandsOn(
  history: History,
  { name, accountId }: Account,
  names: readonly string[],
): readonly Commanded[] {
  return commandsNamed(history, ...names).filter(
    (command) => command.wasDone !== "no" && isFor(command, name, accountId),
  );
}

/** A command as a change of a setting. One that was broken off was done by the end of its process or never. */
export function changeOpenAccount<T>({ lives }: History, command: Commanded, value: T): Change<T> {
  const { askedAtMs, endedAtMs, wasDone } = command;
  const death = lives.find((life) => life.endedAtMs !== null && life.endedAtMs >= askedAtMs);
  const isSure = wasDone === "yes";
  const latestMs = isSure ? (endedAtMs ?? Infinity) : Math.max(death?.endedAtMs ?? Infinity, endedAtMs ?? 0);
  return { value, earliestMs: askedAtMs, latestMs, isSure };
}
