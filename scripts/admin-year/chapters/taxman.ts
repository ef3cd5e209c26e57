import type { Json } from "../machine.ts";
import { changedPapers, printPapers } from "../papers.ts";
import { type Chapter, firstCustomer, travel } from "../year.ts";

/** The column of an invoice that says what was charged. */
const CHARGED = 6;

/** The statements of the year for the taxman; and again when all messages of the year are long forgotten. */
export const taxman: Chapter = async (year) => {
  const { story, customers } = year;
  const papers = await printPapers(year);
  for (const { name } of customers) {
    const months = [...papers]
      .filter(([paper]) => paper.startsWith(`${name}, invoice of`))
      .map(([, csv]) => totalOf(csv));
    const sum = months.reduce((all, each) => all + each, 0);
    const whole = totalOf(papers.get(`${name}, invoice`) ?? "");
    story.promise(
      sum === whole && sum > 0,
      `${name}: the invoices of its months come to the year's, ${whole} XOF`,
      months,
    );
  }
  const { messages } = await found(year);
  const [one] = messages;
  story.promise(messages.length > 0, "the messages of the year can be looked up");

  for (const at of ["2028-07-10T09:00:00Z", "2029-02-05T09:00:00Z"]) {
    await travel(year, new Date(at));
    story.saw(`it is ${at.slice(0, 10)}`);
  }
  await year.machine.bendre("storage", "purge");
  const { messages: left } = await found(year);
  const gone = await firstCustomer(year).api.get(`/messages/${one?.message_id}`);
  story.promise(
    left.length === 0 && gone.status === 404,
    "four hundred days later they are forgotten",
    left.length,
  );
  const changed = changedPapers(papers, await printPapers(year));
  story.promise(changed.length === 0, `all ${papers.size} papers are the same to the letter`, changed);
  const { bytes_before, bytes_after, ...rest } = await year.machine.bendre("storage", "compact");
  story.saw(JSON.stringify({ bytes_before, bytes_after, ...rest }));
  await year.machine.bendre("backup", "create");
  const drill = await year.machine.tried("backup", "drill");
  story.promise(drill.exitCode === 0, "and a copy of it restores", drill);
};

async function found({ machine }: Parameters<Chapter>[0]): Promise<{ messages: Json[] }> {
  return (await machine.bendre("message", "find", "--from", "2027-01-01", "--to", "2028-01-01")) as {
    messages: Json[];
  };
}

/** What was charged, of the line TOTAL. */
function totalOf(csv: string): number {
  return Number(csv.trim().split("\n").at(-1)?.split(",")[CHARGED]);
}
