import { customerOf, MOOV, ORANGE, SENDER } from "../customer.ts";
import { comesTrue, type Json } from "../machine.ts";
import { allEnds, type Chapter, handsets, sends, type Year } from "../year.ts";

/** Two companies become customers, one that pays before and one that pays afterwards, and send. */
export const sell: Chapter = async (year) => {
  const shop = await enrol(year, "Faso Shop", "prepaid");
  const bank = await enrol(year, "Banque du Faso", "postpaid");
  await year.machine.bendre("price", "set", bank.name, "--operator", "orange", "--amount", "13");
  const { story, size, numbers, hooks } = year;
  const made = await shop.api.ask("/webhooks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `${hooks.url}/events` }),
  });
  year.hookSecret = String(made.data.secret);
  story.promise(made.status === 201, "a customer names the address that it wants to be told at", made.text);

  const orange = size.campaign;
  const moov = Math.ceil(orange / 2);
  const before = handsets(year).length;
  await sends(year, shop, {
    key: "january",
    messageClass: "MARKETING",
    words: "MARKETING Bonne annee",
    numbers: [...numbers(ORANGE, orange), ...numbers(MOOV, moov)],
  });
  await sends(year, bank, {
    key: "january",
    messageClass: "TRANSACTIONAL",
    words: "TRANSACTIONAL Votre releve de janvier",
    numbers: numbers(ORANGE, 20),
  });
  for (let code = 1; code <= 5; code++) {
    await bank.send({
      key: `code-${code}`,
      messageClass: "OTP",
      words: `OTP Votre code est ${1000 + code}`,
      numbers: numbers(MOOV, 1),
    });
  }
  story.promise(await allEnds(shop), "the campaign is over");
  story.promise(await allEnds(bank), "the bank's texts are over");
  const all = orange + moov + 25;
  story.promise(handsets(year).length - before === all, `${all} texts are on ${all} handsets`);
  const events = () => [...hooks.events.values()].filter(({ type }) => type === "MESSAGE_DELIVERED").length;
  const isTold = await comesTrue(() => hooks.events.size >= orange + moov + 1);
  story.promise(
    isTold && hooks.forged() === 0,
    `the customer was told of each, signed: ${hooks.events.size} events`,
    events(),
  );
  await costs(year, shop.name, orange * 15 + moov * 12);
  await costs(year, bank.name, 20 * 13 + 5 * 12);
};

async function enrol(year: Year, name: string, billing: "prepaid" | "postpaid") {
  const { machine } = year;
  const credit = billing === "postpaid" ? ["--credit-limit", "1000000"] : [];
  const { account_id } = await machine.bendre(
    "account",
    "create",
    "--name",
    name,
    "--billing",
    billing,
    ...credit,
  );
  if (billing === "prepaid")
    await machine.bendre("wallet", "topup", name, "1000000", "--reference", "cheque 1");
  await machine.quietly("sender", "request", name, SENDER);
  await machine.bendre("sender", "approve", name, SENDER);
  await machine.bendre("sender", "register", name, SENDER, "--operator", "all");
  const { api_key } = await machine.bendre("key", "create", name, "--name", "website", "--scopes", "all");
  const customer = customerOf(name, String(account_id), () => year.machine.url(), String(api_key));
  year.customers.push(customer);
  return customer;
}

/** The invoice comes to what a customer reckons. */
async function costs({ machine, story }: Year, account: string, amount: number): Promise<void> {
  const { total } = (await machine.bendre("wallet", "invoice", account)) as { total: Json };
  story.promise(total.charged === amount, `the invoice comes to ${amount} XOF, as reckoned by hand`, total);
}
