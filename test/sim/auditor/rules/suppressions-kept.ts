import type { Commanded } from "../exchanges.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { changeOpenAccount } from "../in-force.ts";
import { list, text } from "../json.ts";
import { readNumber } from "../numbers.ts";
import { commandsNamed } from "../once.ts";
import { possible } from "../possible.ts";
import { hasWritten } from "../suppressed.ts";

const found = finder(
  "suppressions-kept",
  "Who was put on a suppression list stands there until he is taken off.",
);

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"];

/** Every list that was shown, at rest or before, is what commands had made of it by then. */
export const suppressionsKept: Rule = (history) => {
  // What a file brought is not seen.
  if (commandsNamed(history, "suppression import").length > 0) return [];
  const changes = commandsNamed(history, "suppression add", "suppression remove").filter(
    ({ wasDone }) => wasDone !== "no",
  );
  return commandsNamed(history, "suppression list").flatMap((command) => {
    const { outcome, args } = command;
    if (!outcome?.ok || args.after !== undefined || text(outcome.data, "next_after") !== null) return [];
    const own = changes.filter((change) => listOf(history, change) === listOf(history, command));
    return wrongIn(history, command, own);
  });
};

function listOf({ accounts }: History, { args }: Commanded): string {
  if (args.everywhere !== undefined) return "everywhere";
  const name = args.ACCOUNT ?? "";
  return accounts.get(name)?.accountId ?? name;
}

function wrongIn(history: History, command: Commanded, changes: readonly Commanded[]): readonly Finding[] {
  const { askedAtMs, outcome, id } = command;
  const endedAtMs = command.endedAtMs ?? askedAtMs;
  const rows = new Set(
    list(outcome?.ok ? outcome.data : null, "suppressions").map(
      (row) => `${text(row, "msisdn")} ${text(row, "message_class")}`,
    ),
  );
  const byNumber = Map.groupBy(changes, (change) => numberOf(history, change));
  return [...byNumber].flatMap(([msisdn, about]) => {
    if (msisdn === null) return [];
    const hasOptedOut = hasWritten(history, msisdn, { fromMs: askedAtMs, toMs: endedAtMs });
    return CLASSES.flatMap((messageClass) => {
      const named = about
        .filter(({ args }) => ["ALL", messageClass].includes((args.class ?? "").toUpperCase()))
        .map((change) => changeOpenAccount(history, change, change.name === "suppression add"));
      const may = possible(false, named, askedAtMs, endedAtMs);
      const isThere = rows.has(`${msisdn} ${messageClass}`);
      if (may.includes(isThere) || (hasOptedOut && messageClass === "MARKETING")) return [];
      const what = `the list of ${at(endedAtMs)} (command ${id}, ${command.args.ACCOUNT ?? "everywhere"}) has ${isThere ? "" : "not "}${msisdn} for ${messageClass}`;
      return [found(endedAtMs, what, `command ${id}`)];
    });
  });
}

function numberOf({ settings }: History, { args, outcome }: Commanded): string | null {
  const told = outcome?.ok ? text(outcome.data, "msisdn") : null;
  return told ?? readNumber(args.MSISDN ?? "", settings[0]?.region ?? "BF").msisdn;
}
