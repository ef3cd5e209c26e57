/** Accounts of a run, and what is set for them before it begins. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { AccountPlan, ReceiverPlan } from "../plan.ts";
import { pick, shuffled, weighted } from "./draw.ts";
import type { Network } from "./draw-document.ts";
import { drawReceiverHabits, type Temper } from "./draw-habits.ts";
import { routeCodesIn } from "./draw-routes.ts";
import { drawRegular } from "./numbers.ts";
import type { Switches } from "./switches.ts";

const NAMES = ["kaya", "dori", "banfora", "tenkodogo"] as const;
const SENDERS = ["ACME", "FASO", "3500", "Info-BF", "22670000001"] as const;
const TIMEZONES = [
  "Africa/Ouagadougou",
  "Africa/Lagos",
  "Asia/Kathmandu",
  "America/New_York",
  "Pacific/Auckland",
];

/** A sender that every account asked for and nobody approved. */
export const UNAPPROVED = "NOBODY";

/** Every event type that an endpoint may ask for. */
export const EVENTS = [
  ...(["MESSAGE_TERMINAL", "BATCH_SETTLED", "BATCH_ACCEPTED", "BATCH_REJECTED", "BATCH_FAILED"] as const),
  ...(["BATCH_CANCELLED", "WALLET_LOW"] as const),
] as const;

/** What an endpoint asks for: what is usual, what an empty list means, everything, or some. */
export function drawEvents(chance: Chance): readonly string[] | null {
  return weighted<readonly string[] | null>(chance, [
    [2, null],
    [1, []],
    [3, EVENTS],
    [2, shuffled(chance, EVENTS).slice(0, between(chance, [1, 3]))],
  ]);
}

/** One receiver for each endpoint that may be registered. */
export function drawReceivers(seed: number, temper: Temper): readonly ReceiverPlan[] {
  const chance = forked(seed, "receivers");
  return Array.from({ length: between(chance, [0, 4]) }, (_, place) => {
    const name = `receiver${place + 1}`;
    const habits = drawReceiverHabits(forked(seed, "receiver", name), temper);
    return { name, url: `https://${name}.example/hook`, habits };
  });
}

/** One to four accounts. */
export function drawAccounts(
  seed: number,
  switches: Switches,
  network: Network,
  receivers: readonly ReceiverPlan[],
  wallStartMs: number,
): readonly AccountPlan[] {
  const chance = forked(seed, "accounts");
  const names = NAMES.slice(
    0,
    weighted(chance, [
      [2, 1],
      [4, 2],
      [3, 3],
      [1, 4],
    ]),
  );
  return names.map((name, place) => {
    const own = forked(seed, "account", name);
    const isPostpaid = happens(own, 0.35);
    const isPoor = switches("poor") && happens(own, 0.4);
    const timezone = happens(own, 0.5) ? "Africa/Ouagadougou" : pick(own, TIMEZONES);
    const money = isPoor ? between(own, [50, 12_000]) : 10_000_000;
    const mine = receivers.filter((_, index) => index % names.length === place);
    const senders = shuffled(own, SENDERS).slice(0, between(own, [1, 3]));
    return {
      name,
      billing: isPostpaid ? "postpaid" : "prepaid",
      creditLimit: isPostpaid ? money : 0,
      funds: isPostpaid
        ? weighted(own, [
            [1, 0],
            [1, 500],
          ])
        : money,
      timezone,
      chargeOn: weighted<AccountPlan["chargeOn"]>(own, [
        [2, null],
        [1, "accepted"],
        [1, "delivered"],
      ]),
      senders,
      ...(switches("route senders") && { registrations: drawRegistrations(seed, name, senders, network) }),
      endpoints: mine.map(({ name: receiver }) => ({ receiver, events: drawEvents(own) })),
      setUp: drawSetUp(own, seed, switches, network, { timezone, wallStartMs }),
    };
  });
}

/** Some senders of an account are registered for one of an operator's routes alone. */
function drawRegistrations(
  seed: number,
  account: string,
  senders: readonly string[],
  { document, codes }: Network,
): NonNullable<AccountPlan["registrations"]> {
  const routed = routeCodesIn(document);
  const drawn = senders.map((sender) => {
    const chance = forked(seed, "registrations", account, sender);
    const operators = codes.map((code) => {
      const routes = routed.find((one) => one.code === code)?.routes ?? [];
      return routes.length > 0 && happens(chance, 0.5) ? `${code}/${pick(chance, routes)}` : code;
    });
    return [sender, operators] as const;
  });
  return Object.fromEntries(drawn);
}

type Setting = AccountPlan["setUp"][number];

function drawSetUp(
  chance: Chance,
  seed: number,
  switches: Switches,
  { codes, prefixes }: Network,
  place: { readonly timezone: string; readonly wallStartMs: number },
): readonly Setting[] {
  const settings: Setting[] = [{ name: "sender request", args: { NAME: UNAPPROVED } }];
  const set = (args: Setting["args"]) => settings.push({ name: "account set", args });
  if (switches("policies")) {
    if (happens(chance, 0.25)) set({ "recipients-per-minute": String(between(chance, [5, 120])) });
    if (happens(chance, 0.2)) set({ "recipients-per-day": String(between(chance, [20, 300])) });
    if (happens(chance, 0.35)) set({ "marketing-hours": drawHours(chance, place) });
    if (happens(chance, 0.3)) set({ "marketing-per-day": String(between(chance, [0, 3])) });
    if (happens(chance, 0.08))
      set({ classes: oneOf(chance, ["OTP,TRANSACTIONAL", "MARKETING", "TRANSACTIONAL"]) });
  }
  if (happens(chance, 0.3)) set({ "low-balance": String(between(chance, [100, 5000])) });
  if (switches("price") && happens(chance, 0.5)) {
    const args = { operator: pick(chance, codes), amount: String(between(chance, [0, 60])) };
    settings.push({ name: "price set", args });
  }
  if (switches("suppressed")) {
    for (let count = between(chance, [1, 5]); count > 0; count--) {
      const MSISDN = drawRegular(chance, seed, prefixes);
      const args = { MSISDN, class: oneOf(chance, ["MARKETING", "all", "TRANSACTIONAL"]), note: "before" };
      settings.push({ name: "suppression add", args });
    }
  }
  return settings;
}

/** Hours that end and begin again within the run, so that quiet ones fall into it and do not last. */
function drawHours(
  chance: Chance,
  { timezone, wallStartMs }: { readonly timezone: string; readonly wallStartMs: number },
): string {
  const endMs = wallStartMs + between(chance, [-4, 8]) * 60_000;
  const beginMs = endMs + between(chance, [2, 8]) * 60_000;
  return `${hourAt(beginMs, timezone)}-${hourAt(endMs, timezone)}`;
}

function hourAt(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(atMs);
}
