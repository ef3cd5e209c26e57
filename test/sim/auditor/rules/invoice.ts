import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { commandsOn } from "../in-force.ts";
import { type Json, list, number, text } from "../json.ts";
import { batchesAtRest } from "../money.ts";

const found = finder("invoice", "`wallet invoice` says by operator, class and price what batches cost.");

const SUMS = ["messages", "segments", "reserved", "charged", "released", "still_reserved"] as const;
type Sums = Readonly<Record<(typeof SUMS)[number], number>>;

/** At rest the invoice adds up, and comes to what clients were told of their batches one by one. */
export const invoice: Rule = (history) =>
  [...history.accounts.values()].flatMap((account) =>
    commandsOn(history, account, ["wallet invoice"]).flatMap(
      ({ outcome, askedAtMs, endedAtMs, id, args }) => {
        const isFinal = history.restAtMs !== null && askedAtMs >= history.restAtMs;
        if (!isFinal || !outcome?.ok || args.from !== undefined || args.to !== undefined) return [];
        const lines = list(outcome.data, "lines");
        const mayGoOn = history.batches.some(
          ({ account: { accountId }, body }) =>
            accountId === account.accountId && body.request.fallback !== null,
        );
        const wrong = [
          ...lines.flatMap((line) => wrongLine(line, mayGoOn)),
          ...unlikeList(history, account.accountId, account.name, sumsOf(lines)),
          ...unlikeBatches(batchesAtRest(history, account), sumsOf(lines)),
        ];
        return wrong.map(
          (what): Finding =>
            found(
              endedAtMs ?? askedAtMs,
              `the invoice of ${account.name} at ${at(endedAtMs ?? askedAtMs)}: ${what}`,
              account.accountId,
              `command ${id}`,
            ),
        );
      },
    ),
  );

function sumsOf(lines: readonly Json[]): Sums {
  const sum = (name: string) => lines.reduce<number>((all, line) => all + (number(line, name) ?? 0), 0);
  const [messages, segments, reserved] = [sum("messages"), sum("segments"), sum("reserved")];
  const [charged, released, still_reserved] = [sum("charged"), sum("released"), sum("still_reserved")];
  return { messages, segments, reserved, charged, released, still_reserved };
}

/** `mayGoOn`: of a message with two ways the dearer is reserved, and the line tells of the one that carried it. */
function wrongLine(line: Json, mayGoOn: boolean): readonly string[] {
  const { segments, reserved, charged, released, still_reserved } = sumsOf([line]);
  const name = `${text(line, "operator")}, ${text(line, "message_class")}, ${number(line, "price")} XOF`;
  const price = number(line, "price") ?? Number.NaN;
  return [
    ...(segments * price === reserved || (mayGoOn && segments * price < reserved)
      ? []
      : [`${name}: ${segments} segments reserve ${reserved}`]),
    ...(charged + released + still_reserved === reserved
      ? []
      : [`${name}: of ${reserved}, ${charged} charged, ${released} released, ${still_reserved} reserved`]),
  ];
}

/** The statement by batches is the same money in other rows. */
function unlikeList(history: History, accountId: string, name: string, sums: Sums): readonly string[] {
  const asked = history.commands.findLast(
    (each) =>
      each.name === "wallet statement" &&
      each.args.batches !== undefined &&
      (each.args.ACCOUNT === name || each.args.ACCOUNT === accountId) &&
      each.outcome?.ok &&
      each.askedAtMs >= (history.restAtMs ?? Infinity),
  );
  if (!asked?.outcome?.ok) return [];
  const rows = sumsOf(list(asked.outcome.data, "batches"));
  return SUMS.flatMap((sum) =>
    sums[sum] === rows[sum] ? [] : [`${sum} ${sums[sum]}, and by batches ${rows[sum]}`],
  );
}

function unlikeBatches(views: ReturnType<typeof batchesAtRest>, sums: Sums): readonly string[] {
  const charged = views.reduce((all, { json }) => all + (number(json, "charged_amount") ?? 0), 0);
  const segments = views.reduce((all, { json }) => all + (number(json, "total_segments") ?? 0), 0);
  // Batches that nobody was told of may be missing here, never there.
  const isLess = charged > sums.charged || segments > sums.segments;
  return isLess
    ? [
        `${sums.charged} charged for ${sums.segments} segments, and the batches say ${charged} for ${segments}`,
      ]
    : [];
}
