import { join } from "node:path";
import { copyConfiguration, VARIABLES } from "../configuration.ts";
import { MOOV, ORANGE } from "../customer.ts";
import { comesTrue, edit, type Json, machineAt, type Platform } from "../machine.ts";
import { repeated } from "../operators.ts";
import { changedPapers, printPapers } from "../papers.ts";
import {
  allEnds,
  type Chapter,
  comesToRest,
  firstCustomer,
  handsets,
  health,
  isBound,
  placeOf,
  sends,
  slowMs,
  submitsOf,
  type Year,
} from "../year.ts";
import { slowOperators } from "./death.ts";

/** The machine burns down an hour after a copy was made of it, and another one goes on from the copy. */
export const restore: Chapter = async (year) => {
  const { story, machine: old } = year;
  const papers = await printPapers(year, "2027-09");
  const burnt = await burns(year);
  const second = await rebuild(year, burnt.file);
  story.promise(
    await comesTrue(async () => (await health(year, "/ready")).status === 503),
    "it is not ready before somebody has decided",
  );
  const shop = firstCustomer(year);
  const numbers = year.numbers(ORANGE, 1);
  const refused = await shop.post({ key: "during", messageClass: "OTP", words: "OTP Code", numbers });
  story.promise(refused.body.code === "RESTORING", "submissions are told so", refused.text);
  await isBound(year);
  const left = await comesToRest(year);
  await Bun.sleep(4 * slowMs(year));
  story.promise(submitsOf(year) === left, "bound to its operators, it sends nothing of its own accord");
  const changed = changedPapers(papers, await printPapers(year, "2027-09"));
  story.promise(
    changed.length === 0,
    "what was printed on the old machine is the same on the new one",
    changed,
  );

  const held = await second.bendre("backup", "resume");
  const { reference } = (held.last_topup ?? {}) as { reference?: string };
  story.promise(reference === "cheque 2", "it names the last top-up that the copy knows", held.last_topup);
  await second.bendre("wallet", "topup", shop.name, "70000", "--reference", "cheque 3");
  const listed = (held.counts as { message_class: string; messages: number }[])
    .filter(({ message_class }) => message_class === "TRANSACTIONAL")
    .reduce((sum, { messages }) => sum + messages, 0);
  story.saw((held.counts as Json[]).map((each) => Object.values(each).join(" ")).join("; "));
  await second.bendre("backup", "resume", "--waiting", "policy", "--died-at", burnt.diedAt);
  story.promise(
    await comesTrue(async () => (await health(year, "/ready")).status === 200),
    "and submissions are taken again",
  );
  await comesToRest(year);
  // Receipts that the old machine took are not in the copy: what was sent there is closed when the wait for them ends.
  await second.pass(74);
  story.promise(await allEnds(shop), "everything has come to an end");
  await judge(year, burnt.texts, listed);
  const { receipts } = (await second.bendre("operator", "receipts")) as { receipts: Json[] };
  story.saw(`${receipts.length} receipts are for messages that the copy does not know`);
  story.promise(!old.isRunning(), "the old machine stays off");
};

type Burnt = { readonly file: string; readonly diedAt: string; readonly texts: ReadonlySet<string> };

/** A copy is made in the middle of sending, then more happens, then the machine is gone. */
async function burns(year: Year): Promise<Burnt> {
  const { story, machine, size, numbers, clock, place } = year;
  const shop = firstCustomer(year);
  await slowOperators(year);
  await machine.bendre("wallet", "topup", shop.name, "50000", "--reference", "cheque 2");
  const before = submitsOf(year);
  await sends(year, shop, {
    key: "burnt-1",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Votre livraison",
    numbers: numbers(ORANGE, size.campaign * 2),
  });
  await sends(year, shop, {
    key: "burnt-2",
    messageClass: "MARKETING",
    words: "MARKETING Rentree",
    numbers: numbers(MOOV, size.campaign * 2),
  });
  await comesTrue(() => submitsOf(year) - before >= size.campaign);
  const file = join(place, "fetched-by-night.db");
  await machine.bendre("backup", "create", file);
  await comesTrue(() => submitsOf(year) - before >= size.campaign * 2);
  await machine.bendre("wallet", "topup", shop.name, "70000", "--reference", "cheque 3");
  const unknown = await sends(year, shop, {
    key: "burnt-3",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Apres la copie",
    numbers: numbers(ORANGE, 10),
  });
  shop.forget(unknown);
  await machine.kill();
  const diedAt = clock.now().toISOString();
  await comesToRest(year);
  story.saw(`${submitsOf(year) - before} texts had left by ${diedAt}`);
  return { file, diedAt, texts: new Set(handsets(year).map(placeOf)) };
}

/** Another machine, with the executable, the configuration and the copy. */
async function rebuild(year: Year, file: string): Promise<Platform> {
  const { place, executable, clock, story, machine: old } = year;
  const machine = machineAt({ name: "second", root: join(place, "second"), executable, clock, story });
  await machine.install();
  story.typed("second", "(the configuration is copied from where it was kept)");
  copyConfiguration(old.config, machine.config);
  edit(machine.config, `directory = "${old.data}"`, `directory = "${machine.data}"`);
  machine.environment(VARIABLES);
  const { replaced } = await machine.bendre("backup", "restore", file);
  story.promise(replaced === null, "the copy is restored where nothing was");
  await machine.serve();
  year.machine = machine;
  return machine;
}

/** What came twice is no more than what the policy says. */
async function judge(year: Year, before: ReadonlySet<string>, listed: number): Promise<void> {
  const { story } = year;
  const twice = repeated(handsets(year)).filter((text) => !year.mayRepeat.has(placeOf(text)));
  const wrong = twice.filter(
    (text) =>
      text.times > 2 || !text.text.startsWith("TRANSACTIONAL Votre livraison") || !before.has(placeOf(text)),
  );
  story.promise(
    wrong.length === 0,
    "twice came only what had left, of the class that its policy sends again",
    wrong.slice(0, 3),
  );
  story.promise(
    twice.length <= listed,
    `${twice.length} texts, of ${listed} that were listed as possibly sent`,
  );
  for (const text of twice) if (!wrong.includes(text)) year.mayRepeat.add(placeOf(text));
}
