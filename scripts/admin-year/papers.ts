/** What an administrator prints and keeps: invoices by month, and the statements of a year. */
import type { Year } from "./year.ts";

/** The last day of each month of 2027. */
const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days, index) => {
  const month = `2027-${String(index + 1).padStart(2, "0")}`;
  return { month, from: `${month}-01`, to: `${month}-${days}` };
});
/** What a short look prints: months in which something was sold, and none else. */
const SOLD_IN = ["2027-01", "2027-02", "2027-03", "2027-04", "2027-07", "2027-09"];

/** The name of a paper, and the command that prints it. */
type Asked = readonly [paper: string, ...words: string[]];

function ofMonth(
  name: string,
  { month, from, to }: (typeof MONTHS)[number],
  isShort: boolean,
): readonly Asked[] {
  const period = ["--from", from, "--to", to];
  const invoice: Asked = [`${name}, invoice of ${month}`, "wallet", "invoice", name, ...period, "--csv"];
  const statement: Asked = [
    `${name}, statement of ${month}`,
    "wallet",
    "statement",
    name,
    ...period,
    "--csv",
  ];
  return isShort ? [invoice] : [invoice, statement];
}

function ofYear(name: string): readonly Asked[] {
  const period = ["--from", "2027-01-01", "--to", "2027-12-31"];
  return [
    [`${name}, invoice`, "wallet", "invoice", name, ...period, "--csv"],
    [`${name}, facture`, "wallet", "invoice", name, ...period, "--language", "fr"],
    [`${name}, statement`, "wallet", "statement", name, ...period, "--csv"],
    [`${name}, batches`, "wallet", "statement", name, ...period, "--batches", "--csv"],
  ];
}

/** All papers of all customers, of months before one; of the whole year without it. By name. */
export async function printPapers(year: Year, before = "9999"): Promise<ReadonlyMap<string, string>> {
  const { machine, customers, story } = year;
  const months = year.size.isShort ? MONTHS.filter(({ month }) => SOLD_IN.includes(month)) : MONTHS;
  const isWhole = before === "9999";
  const asked = customers.flatMap(({ name }) => [
    ...months
      .filter(({ month }) => month < before)
      .flatMap((month) => ofMonth(name, month, year.size.isShort)),
    ...(isWhole ? ofYear(name) : []),
  ]);
  const printed = await Promise.all(
    asked.map(async ([name, ...words]) => [name, await machine.unseen(...words)] as const),
  );
  const papers = new Map(printed);
  story.typed(machine.name, `bendre wallet invoice …; bendre wallet statement … (${papers.size} papers)`);
  return papers;
}

/** Names of papers that are not what they were, letter for letter. */
export function changedPapers(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...before].filter(([name, text]) => after.get(name) !== text).map(([name]) => name);
}
