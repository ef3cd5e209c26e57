import { ORANGE } from "../customer.ts";
import { comesTrue, type Json } from "../machine.ts";
import { alarmComes, type Chapter, firstCustomer, health, sends } from "../year.ts";

/** An operator's machine is away for hours: texts wait, somebody is told, and they leave once when it is back. */
export const operatorDown: Chapter = async (year) => {
  const { story, machine, orange, numbers, size } = year;
  const shop = firstCustomer(year);
  story.typed("orange", "(its machine is switched off)");
  await orange.kill();
  const count = Math.ceil(size.campaign / 3);
  const before = orange.texts().length;
  await sends(year, shop, {
    key: "down",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Votre commande",
    numbers: numbers(ORANGE, count),
  });
  await machine.pass(0.1);
  await alarmComes(year, "operator_down", "start", "orange");
  const { status, of } = await health(year);
  story.promise(
    status === 200 && of("operators").status === "degraded",
    "health says who is away, and takes requests",
    of("operators"),
  );
  const { queues } = (await machine.bendre("queue", "show")) as { queues: Json[] };
  const waiting = queues.find(
    ({ operator, message_class }) => operator === "orange" && message_class === "TRANSACTIONAL",
  );
  story.promise(waiting?.messages === count, `${count} messages wait for it`, queues);
  await machine.pass(4);
  story.typed("orange", "(its machine is back)");
  await orange.start();
  await machine.bendre("operator", "reconnect", "orange");
  const isThere = await comesTrue(() => orange.texts().length - before >= count);
  story.promise(
    isThere && orange.texts().length - before === count,
    "all of them leave, once",
    orange.texts().length - before,
  );
  await alarmComes(year, "operator_down", "end", "orange");
};
