/** The things that have a ceiling, done one after the other in a world where nothing goes wrong. */
import type { Thing } from "./ceilings.ts";
import { type Cost, type Spent, shared, withEach } from "./cost.ts";
import { type QuietWorld, quietWorld } from "./quiet-world.ts";

type Company = { readonly accountId: string; readonly apiKey: string };
type MessageClass = "OTP" | "TRANSACTIONAL" | "MARKETING";

/** What a thing cost, and the statements that it ran, of all items that were done. */
export type Measured = Spent & { readonly items: number };

/** Long enough for what follows at once, and too short for what is done now and then. */
const AT_ONCE_MS = 20;
/** Longer than the webhooks' own pace. */
const EVENTS_MS = 10_000;
const CAMPAIGN = 10_000;
const EVENTS = 1000;
const TIMES = 4;

export function measureAll(): Readonly<Record<Thing, Measured>> {
  const world = quietWorld();
  try {
    const [plain, told] = [company(world, "Faso Shop"), company(world, "Faso Mart")];
    world.post("/webhooks", told.apiKey, { url: "https://hooks.example.test/in" });
    // Whatever an account or a process does only once is done.
    for (const each of [plain, told]) whole(world, each, "OTP", 2);
    world.rest(120_000);
    const [otp, receipt] = leastOf(world, () => [send(world, plain, "OTP", 1), receipts(world)]);
    const [small] = leastOf(world, () => [send(world, plain, "TRANSACTIONAL", 100), receipts(world)]);
    const eventAlone = events(world, plain, told, 1);
    const campaign = send(world, plain, "TRANSACTIONAL", CAMPAIGN);
    const campaignReceipts = receipts(world);
    world.rest(120_000);
    const eventOfMany = events(world, plain, told, EVENTS);
    world.rest(120_000);
    return {
      "an OTP, from its request until the operator's answer is written down": of(1, otp),
      "the receipt of one message": of(1, receipt),
      "an event that is told alone": eventAlone,
      "a message of a campaign of 10,000, from its request until the operator's answer is written down": of(
        CAMPAIGN,
        campaign,
      ),
      "a receipt of a campaign of 10,000": of(CAMPAIGN, campaignReceipts),
      "a message of a batch of 100, from its request until the operator's answer is written down": of(
        100,
        small,
      ),
      "an event of 1,000": eventOfMany,
      "a minute at rest": of(
        1,
        world.costOf(() => world.rest(60_000)),
      ),
    };
  } finally {
    world.close();
  }
}

/**
 * The least that each of some things costs when it is done a few times, at moments that are not whole seconds apart: a job of the
 * appliance that does something now and then may fall into one of them.
 */
function leastOf(world: QuietWorld, things: () => readonly [Spent, Spent]): readonly [Spent, Spent] {
  let least: readonly [Spent, Spent] | null = null;
  for (let time = 0; time < TIMES; time++) {
    world.rest(EVENTS_MS + time * 137);
    const [one, other] = things();
    least = least ? [lesser(least[0], one), lesser(least[1], other)] : [one, other];
  }
  if (least === null) throw new Error("nothing was done");
  return least;
}

const lesser = (one: Spent, other: Spent): Spent => ({
  cost: withEach(one.cost, other.cost, Math.min),
  booked: one.cost.statements <= other.cost.statements ? one.booked : other.booked,
});

const of = (items: number, { cost, booked }: Spent): Measured => ({
  cost: shared(cost, items),
  booked,
  items,
});

function company({ admin }: QuietWorld, name: string): Company {
  const accountId = String(admin("account create", { name, billing: "prepaid" }).account_id);
  const ACCOUNT = { ACCOUNT: accountId };
  admin("wallet topup", { ...ACCOUNT, AMOUNT: "100000000", reference: name });
  admin("sender request", { ...ACCOUNT, NAME: "ACME" });
  admin("sender approve", { ...ACCOUNT, NAME: "ACME" });
  admin("sender register", { ...ACCOUNT, NAME: "ACME", operator: "orange" });
  return {
    accountId,
    apiKey: String(admin("key create", { ...ACCOUNT, name: "test", scopes: "all" }).api_key),
  };
}

let submissions = 0;

function send(world: QuietWorld, { apiKey }: Company, messageClass: MessageClass, count: number): Spent {
  submissions += 1;
  const first = 70_000_000 + submissions * CAMPAIGN;
  const recipients = Array.from({ length: count }, (_, index) => ({ msisdn: String(first + index) }));
  const request = { sender: "ACME", body: "Votre code est 4711.", message_class: messageClass, recipients };
  const all = world.centre.submits() + count;
  return world.costOf(() => {
    world.post("/batches", apiKey, request);
    world.until("every submit", () => world.centre.submits() === all);
    world.rest(AT_ONCE_MS);
  });
}

/** The receipts of all that was sent. */
function receipts(world: QuietWorld): Spent {
  return world.costOf(() => {
    world.centre.sendReceipts();
    world.until("every receipt is taken", () => world.centre.acknowledged() === world.centre.submits());
    world.rest(AT_ONCE_MS);
  });
}

/** The whole life of some messages, and what follows it. */
function whole(world: QuietWorld, who: Company, messageClass: MessageClass, count: number): void {
  send(world, who, messageClass, count);
  receipts(world);
  world.rest(EVENTS_MS);
}

/** What receipts cost a company with an endpoint more than one without, by event. */
function events(world: QuietWorld, plain: Company, told: Company, messages: number): Measured {
  const finished = (who: Company): Spent => {
    send(world, who, "TRANSACTIONAL", messages);
    return world.costOf(() => {
      receipts(world);
      world.rest(EVENTS_MS);
    });
  };
  const [without, before] = [finished(plain), world.told()];
  const withEvents = finished(told);
  const items = world.told() - before;
  const cost: Cost = withEach(withEvents.cost, without.cost, (some, none) => (some - none) / items);
  return { cost, booked: withEvents.booked, items };
}
