import { MOOV, ORANGE } from "../customer.ts";
import { comesTrue, type Json } from "../machine.ts";
import { repeated } from "../operators.ts";
import {
  allEnds,
  type Chapter,
  comesToRest,
  firstCustomer,
  handsets,
  isBound,
  placeOf,
  sends,
  slowMs,
  startReady,
  submitsOf,
  type Year,
} from "../year.ts";

/** The power fails while texts leave: none is lost, and what may be twice is what an operator left unanswered. */
export const death: Chapter = async (year) => {
  const { story, machine, numbers, size } = year;
  const shop = firstCustomer(year);
  await slowOperators(year);
  const before = submitsOf(year);
  const bills = await sends(year, shop, {
    key: "death-1",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Votre facture",
    numbers: numbers(ORANGE, size.campaign),
  });
  const sales = await sends(year, shop, {
    key: "death-2",
    messageClass: "MARKETING",
    words: "MARKETING Soldes",
    numbers: numbers(MOOV, size.campaign),
  });
  await comesTrue(() => submitsOf(year) - before >= size.campaign / 2);
  await machine.kill();
  story.saw(`${submitsOf(year) - before} of ${2 * size.campaign} texts had been answered for`);
  await startReady(year);
  const { messages } = (await machine.bendre("operator", "unanswered")) as { messages: Json[] };
  story.saw(`${messages.length} are in doubt`);
  await comesToRest(year);
  await machine.pass(25);
  story.promise(await allEnds(shop), "everything has come to an end");
  await listRepeated(year, [bills, sales]);
  const marketing = repeated(handsets(year)).filter(({ text }) => text.startsWith("MARKETING"));
  story.promise(marketing.length === 0, "none of the campaign did, whose class waits instead", marketing);
  await isWhole(year, bills, "TRANSACTIONAL Votre facture");
  await isWhole(year, sales, "MARKETING Soldes");
};

/** Operators that take half a second to answer, so that much is under way. */
export async function slowOperators(year: Year): Promise<void> {
  const { orange, moov, machine } = year;
  for (const operator of [orange, moov]) {
    await operator.kill();
    await operator.start("--response-delay-ms", String(slowMs(year)));
    await machine.quietly("operator", "reconnect", operator.code);
  }
  await isBound(year);
}

/** What is on a handset twice must be of a class that is sent again, and its history must say that nobody answered. */
async function listRepeated(year: Year, batches: readonly string[]): Promise<void> {
  const { story, machine } = year;
  const twice = repeated(handsets(year)).filter((text) => !year.mayRepeat.has(placeOf(text)));
  const unlisted: string[] = [];
  for (const text of twice) {
    const { messages } = (await machine.quietly("message", "find", "--number", `+${text.to}`)) as {
      messages: Json[];
    };
    const message = messages.find(({ batch_id }) => batches.includes(String(batch_id)));
    const trace = JSON.stringify(await machine.quietly("message", "trace", String(message?.message_id)));
    if (text.times === 2 && /unanswered/i.test(trace)) year.mayRepeat.add(placeOf(text));
    else unlisted.push(trace);
  }
  story.promise(
    unlisted.length === 0,
    `${twice.length} came twice, and the history of each tells of no answer`,
    unlisted.slice(0, 2),
  );
}

/** Every text of a batch is on its handset, or the batch says that it is not known to be. */
async function isWhole(year: Year, batchId: string, words: string): Promise<void> {
  const { story, machine } = year;
  const batch = (await machine.bendre("batch", "show", batchId)) as { counts: Record<string, number> };
  const there = new Set(
    handsets(year)
      .filter(({ text }) => text.startsWith(words))
      .map(placeOf),
  ).size;
  const { delivered = 0, failed = 0 } = batch.counts;
  const all = year.size.campaign;
  story.promise(
    delivered + failed === all && there >= delivered && there <= all,
    `"${words}": ${delivered} delivered, ${failed} not known to be, ${there} on handsets`,
    batch.counts,
  );
}
