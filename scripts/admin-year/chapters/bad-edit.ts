import { ORANGE } from "../customer.ts";
import { comesTrue, edit, type Json } from "../machine.ts";
import { allEnds, type Chapter, firstCustomer, isBound, sends } from "../year.ts";

/** Somebody edits the file badly while texts leave; then well, and a price changes for what comes after it. */
export const badEdit: Chapter = async (year) => {
  const { story, machine, numbers, orange } = year;
  const shop = firstCustomer(year);
  story.typed(machine.name, "nano /etc/bendre/config.toml");
  edit(machine.config, "price = 15", 'price = "cheap"');
  const checked = await machine.tried("config", "check");
  story.promise(checked.exitCode === 1, "the check names the line before anybody is hurt", checked);
  const reloaded = await machine.tried("config", "reload");
  story.promise(
    reloaded.exitCode === 1 && reloaded.error.code === "CONFIG_INVALID",
    "a reload changes nothing, and says why",
    reloaded,
  );
  machine.hangUp();
  const isLogged = await comesTrue(() =>
    machine.log().some((line) => line.includes("was not reloaded: nothing changed")),
  );
  story.promise(isLogged, "a signal ends nothing either, and the log says why");
  const status = await machine.tried("operator", "status");
  story.promise(status.exitCode === 0, "other commands are done by the server that runs", status);
  const texts = orange.texts().length;
  await sends(year, shop, {
    key: "meanwhile",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Entretemps",
    numbers: numbers(ORANGE, 10),
  });
  story.promise(await comesTrue(() => orange.texts().length === texts + 10), "texts leave all the same");
  await allEnds(shop);
  edit(machine.config, 'price = "cheap"', "price = 17");
  const diff = await machine.tried("config", "diff");
  const [change = {}] = diff.data.changes as Json[];
  story.promise(
    diff.exitCode === 3 && change.from === 15 && change.to === 17,
    "what a reload would change is shown",
    diff,
  );
  await sends(year, shop, {
    key: "old-price",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Avant la hausse",
    numbers: numbers(ORANGE, 10),
  });
  const { restart } = await machine.bendre("config", "reload");
  story.promise(
    (restart as unknown[]).length === 0 && (await isBound(year)),
    "it is in force, and no link has gone",
  );
  const sold = await sends(year, shop, {
    key: "new-price",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Apres la hausse",
    numbers: numbers(ORANGE, 10),
  });
  await allEnds(shop);
  const shown = await Promise.all(
    shop
      .batches()
      .slice(-2)
      .map((id) => machine.quietly("batch", "show", id)),
  );
  const charged = shown.map(({ charged_amount }) => charged_amount);
  story.promise(
    charged.join() === "150,170",
    `what was bought before keeps its price (${sold.slice(-4)})`,
    shown,
  );
};
