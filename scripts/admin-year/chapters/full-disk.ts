import { readFileSync, writeFileSync } from "node:fs";
import { RESERVE_MEGABYTES } from "../configuration.ts";
import { ORANGE } from "../customer.ts";
import { comesTrue } from "../machine.ts";
import { alarmComes, type Chapter, firstCustomer, handsets, health, sends, type Year } from "../year.ts";

/** Others fill the disk: what is under way is finished, nothing new is taken, and it goes on by itself when there is room. */
export const fullDisk: Chapter = async (year) => {
  const { story, numbers } = year;
  const shop = firstCustomer(year);
  const texts = handsets(year).length;
  const underWay = 20;
  await sends(year, shop, {
    key: "before-full",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Avant la panne",
    numbers: numbers(ORANGE, underWay),
  });
  await comesTrue(() => handsets(year).length === texts + underWay);
  const makeRoom = await fill(year);
  story.promise(
    await comesTrue(async () => (await health(year, "/ready")).status === 503),
    "it is not ready, as a load balancer sees",
  );
  const late = {
    ...({ key: "full", messageClass: "TRANSACTIONAL", words: "TRANSACTIONAL Pendant la panne" } as const),
    numbers: numbers(ORANGE, 10),
  };
  story.typed(shop.name, "POST /batches, 10 TRANSACTIONAL");
  const refused = await shop.post(late);
  const isTold =
    refused.status === 503 && refused.body.code === "STORAGE_FULL" && refused.headers.has("retry-after");
  story.promise(isTold, "a submission is told to come again later", refused.text);
  const receipts = await comesTrue(async () => {
    const { data } = await shop.api.get(`/batches/${shop.batches().at(-1)}`);
    return data.status === "SETTLED";
  });
  story.promise(receipts, "receipts of what had left are still recorded");
  await alarmComes(year, "disk", "start");
  await year.machine.bendre("storage", "show");
  await makeRoom();
  story.promise(
    await comesTrue(async () => (await health(year, "/ready")).status === 200),
    "it is ready again by itself",
  );
  const before = handsets(year).length;
  await sends(year, shop, late);
  story.promise(
    await comesTrue(() => handsets(year).length === before + 10),
    "the same submission is taken, and leaves once",
  );
  await alarmComes(year, "disk", "end");
};

/** Fills the disk below the reserve; resolves with how that is undone. */
async function fill({ machine, story, disk }: Year): Promise<() => Promise<void>> {
  if (disk !== null) {
    story.typed(machine.name, "(somebody else fills the disk)");
    disk.fillBut(RESERVE_MEGABYTES * 1024 * 1024 * 0.7);
    return async () => {
      story.typed(machine.name, "(somebody else makes room)");
      disk.makeRoom();
    };
  }
  // A disk of its own takes root. A reserve that no disk has is the same to the appliance.
  const text = readFileSync(machine.config, "utf8");
  writeFileSync(machine.config, text.replace(/reserve_megabytes = \d+/, "reserve_megabytes = 1000000"));
  await machine.bendre("config", "reload");
  return async () => {
    writeFileSync(machine.config, text);
    await machine.bendre("config", "reload");
  };
}
