import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../machine.ts";
import { changedPapers, printPapers } from "../papers.ts";
import { DAY_MS } from "../world-clock.ts";
import { type Chapter, firstCustomer, handsets, sends, type Year } from "../year.ts";

/** Somebody asks what is kept about her, and then that it is gone: it is, but for what it cost and that she wants no advertising. */
export const erasure: Chapter = async (year) => {
  const { story, machine, clock } = year;
  const shop = firstCustomer(year);
  const [first] = handsets(year).filter(({ text }) => text.startsWith("MARKETING Bonne annee"));
  const number = `+${(first?.to ?? "").replace("+", "")}`;
  await machine.bendre(
    "suppression",
    "add",
    shop.name,
    number,
    "--class",
    "MARKETING",
    "--note",
    "telephoned",
  );
  await sends(year, shop, {
    key: "reminder",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Rappel",
    numbers: [number],
    scheduledAt: new Date(clock.now().getTime() + DAY_MS),
  });
  const kept = (await machine.bendre("data", "export", number)) as { messages: Json[]; suppressions: Json[] };
  const isWhole = kept.messages.length === 2 && kept.suppressions.length === 1;
  story.promise(isWhole, "she is shown what is kept: two messages, and that she wants no advertising", kept);

  const papers = await printPapers(year, "2027-11");
  const refused = await machine.tried("data", "erase", number);
  story.promise(
    refused.error.code === "NOT_FINAL",
    "what still waits for her is told before anything is done",
    refused,
  );
  const done = await machine.bendre("data", "erase", number, "--cancel");
  story.saw(
    `erased: ${JSON.stringify(done.erased)}; held by ${(done.held_by as Json[]).length} older copies`,
  );
  await isGone(year, number, done);
  const message = await shop.api.get(`/messages/${kept.messages[0]?.message_id}`);
  story.promise(
    message.data.msisdn === done.number,
    "her message has another name, and its status stays",
    message.data,
  );
  const changed = changedPapers(papers, await printPapers(year, "2027-11"));
  story.promise(changed.length === 0, "every invoice and statement is the same to the letter", changed);
  story.typed(shop.name, "POST /batches, 1 MARKETING");
  const again = await shop.post({
    key: "again",
    messageClass: "MARKETING",
    words: "MARKETING Revenez",
    numbers: [number],
  });
  story.promise(again.text.includes("SUPPRESSED"), "and nobody advertises to her", again.text);
};

/** Looked for by the commands, and in the octets of the files. */
async function isGone({ story, machine }: Year, number: string, { left, left_in_file }: Json): Promise<void> {
  const grep = (): readonly string[] => {
    story.typed(machine.name, `grep -c ${number.slice(1)} bendre.db bendre.db-wal`);
    return ["bendre.db", "bendre.db-wal"].filter((name) =>
      readFileSync(join(machine.data, name)).includes(number.slice(1)),
    );
  };
  // Before anybody asks for the number again: the audit keeps what an export was asked about.
  const found = grep();
  const isTold = found.length > 0 === Number(left_in_file) > 0;
  story.promise(isTold, `how often it still stands in the file is told: ${left_in_file}`, found);
  const { messages } = (await machine.bendre(
    "message",
    "find",
    "--number",
    number,
    "--from",
    "2027-01-01",
  )) as {
    messages: Json[];
  };
  const { messages_in_all } = await machine.bendre("data", "export", number);
  story.promise(
    left === 0 && messages.length + Number(messages_in_all) === 0,
    "no search finds it",
    messages,
  );
  if (found.length > 0) {
    // A page that was divided keeps a copy in what it leaves free; the answer says so, and this is the way out.
    await machine.bendre("storage", "compact");
    const again = await machine.bendre("data", "erase", number);
    story.promise(
      again.left_in_file === 0 && grep().length === 0,
      "compacted, the file has it no more",
      again,
    );
  }
  const logged = machine.log().filter((line) => line.includes(number.slice(1)));
  story.promise(logged.length === 0, "the log never had it", logged.slice(0, 1));
}
