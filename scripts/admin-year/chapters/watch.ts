import { readFileSync } from "node:fs";
import { readExposition } from "../../../test/kit/prometheus.ts";
import { ORANGE } from "../customer.ts";
import { comesTrue, type Json } from "../machine.ts";
import { type Chapter, firstCustomer, handsets, health, sends, type Year } from "../year.ts";

/** An ordinary week: how is it, what waits, what became of that text, and a campaign that is to leave on Thursday. */
export const watch: Chapter = async (year) => {
  const { story, machine } = year;
  const { status, of } = await health(year);
  story.typed(machine.name, "curl https://localhost/health");
  story.promise(status === 200 && of("operators").status === "ok", "it is well", of("operators"));
  const { exitCode, data, error } = await machine.tried("doctor");
  const faults = ((data.checks ?? []) as Json[]).filter((check) => check.status !== "ok");
  for (const { name, detail } of faults) story.saw(`${name}: ${detail}`);
  story.promise(exitCode === 0, "the doctor finds no error", error);
  const isBackedUp = await comesTrue(async () => {
    const { backups } = (await machine.quietly("backup", "list")) as { backups: Json[] };
    return backups.length > 0;
  });
  story.typed(machine.name, "bendre backup list");
  story.promise(isBackedUp, "the nights that it was off have their backup");
  await scrape(year);
  const shop = firstCustomer(year);
  const [number = ""] = handsets(year).map(({ to }) => to);
  const { messages } = (await machine.bendre(
    "message",
    "find",
    "--number",
    `+${number.replace("+", "")}`,
  )) as {
    messages: Json[];
  };
  story.promise(
    messages.length === 1 && messages[0]?.status === "DELIVERED",
    "what became of a text is found by its number",
    messages,
  );
  const trace = await machine.printed("message", "trace", String(messages[0]?.message_id));
  story.promise(
    trace.includes("DELIVRD") || trace.toLowerCase().includes("receipt"),
    "and all that happened to it",
    trace,
  );
  const { totals } = (await machine.bendre("report", "delivery")) as { totals: Json };
  story.promise(
    totals.delivered === handsets(year).length,
    "the report counts what the handsets count",
    totals,
  );
  const { channels } = (await machine.bendre("alert", "test")) as { channels: Json[] };
  story.promise(JSON.stringify(channels).includes('"delivered":true'), "an alarm would be told", channels);
  await thursday(year, shop.name);
};

async function scrape({ machine, story }: Year): Promise<void> {
  const [, address] = /\[metrics\]\nlisten = "(.+)"/.exec(readFileSync(machine.config, "utf8")) ?? [];
  story.typed(machine.name, `curl http://${address}/metrics`);
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const { faults, series, value } = readExposition(text);
  story.promise(
    faults.length === 0 && series.length > 50,
    `Prometheus can read it: ${series.length} series`,
    faults,
  );
  story.promise(
    value("bendre_link_up", 'operator="orange",connection="1"') === 1,
    "and sees that a link is up",
  );
  const promtool = Bun.which("promtool");
  if (promtool === null) return;
  const checked = Bun.spawnSync([promtool, "check", "metrics"], { stdin: Buffer.from(text) });
  story.promise(checked.exitCode === 0, "promtool finds nothing to say", checked.stderr.toString());
}

/** A batch for a later day leaves on that day, and not before. */
async function thursday(year: Year, name: string): Promise<void> {
  const { story, machine, clock, numbers, orange } = year;
  const shop = firstCustomer(year);
  const scheduledAt = new Date(clock.now().getTime() + 72 * 3_600_000);
  const before = orange.texts().length;
  const count = 20;
  await sends(year, shop, {
    key: "thursday",
    messageClass: "MARKETING",
    words: "MARKETING Jeudi",
    scheduledAt,
    numbers: numbers(ORANGE, count),
  });
  story.saw(`it is to leave at ${scheduledAt.toISOString()}`);
  await machine.pass(71);
  const { queues } = (await machine.bendre("queue", "show")) as { queues: Json[] };
  story.promise(orange.texts().length === before, `an hour before, nothing of ${name} has left`, queues);
  story.promise(JSON.stringify(queues).includes(`"scheduled":${count}`), "and the queue says why", queues);
  await machine.pass(1.01);
  const isThere = await comesTrue(() => orange.texts().length === before + count);
  story.promise(isThere, `on the hour ${count} texts leave`, orange.texts().length - before);
}
