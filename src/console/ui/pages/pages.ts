/**
 * Every page of the console: where it is, who sees it, what it is called. A new page is a line here. The order is that of the
 * navigation. What most readers open first is in the first piece of code; other pages are loaded by the piece with the first of them.
 */
import { language } from "../state/preferences.ts";
import { me } from "../state/session.ts";
import { accessNames } from "../words/access-nav.ts";
import { money } from "../words/money.ts";
import { places } from "../words/places.ts";
import { traffic } from "../words/traffic.ts";
import { lazyPage, type PageEntry } from "./lazy-page.tsx";
import { Sessions } from "./sessions.tsx";
import { Start } from "./start.tsx";
import { Batches } from "./traffic/batches.tsx";
import { Messages } from "./traffic/messages.tsx";

const access = () => import("./access/access.ts");
const configure = () => import("./configure/configure.ts");
const connect = () => import("./connect/connect.ts");
const ofMoney = () => import("./money/money.ts");
const ofTraffic = () => import("./traffic/traffic.ts");

type Entry = NonNullable<PageEntry["entry"]>;

/** A page of the navigation. `letter`: what goes there after `g`. */
function listed(
  path: string,
  component: PageEntry["component"],
  capability: PageEntry["capability"],
  group: Entry["group"],
  letter: string,
  name: Entry["name"],
): PageEntry {
  return { path, component, capability, under: null, entry: { group, letter, name } };
}

/** A page that other pages lead to. `under`: the page of the navigation that it belongs to. */
function linked(
  path: string,
  under: string | (() => string),
  component: PageEntry["component"],
  capability: PageEntry["capability"],
): PageEntry {
  const marked = typeof under === "string" ? () => under : under;
  return { path, component, capability, under: marked, entry: null };
}

/** Where the money of an account is found: by its people on a page of their own, by staff below its account. */
const ofWallet = () => (me.value?.account ? "/console/money" : "/console/accounts");

const SEND_NAMES = { en: "Send", fr: "Envoyer" };

export const PAGES: readonly PageEntry[] = [
  listed("/console", Start, null, "home", "s", (words) => words.start.nav),

  listed(
    "/console/send",
    lazyPage(
      () => import("./send/send.tsx"),
      ({ Send }) => Send,
    ),
    "batches.send",
    "work",
    "e",
    () => SEND_NAMES[language.value],
  ),

  listed("/console/messages", Messages, "messages.read", "work", "m", () => traffic.value.nav.messages),
  listed("/console/batches", Batches, "batches.read", "work", "b", () => traffic.value.nav.batches),
  listed(
    "/console/queue",
    lazyPage(ofTraffic, ({ Queue }) => Queue),
    "queue.read",
    "work",
    "q",
    () => traffic.value.nav.queue,
  ),
  listed(
    "/console/operators",
    lazyPage(ofTraffic, ({ Operators }) => Operators),
    "operators.read",
    "work",
    "o",
    () => traffic.value.nav.operators,
  ),
  listed(
    "/console/templates",
    lazyPage(ofTraffic, ({ Templates }) => Templates),
    "operators.read",
    "work",
    "p",
    () => traffic.value.nav.templates,
  ),
  listed(
    "/console/doubts",
    lazyPage(ofTraffic, ({ UnknownOutcomes }) => UnknownOutcomes),
    "doubts.read",
    "work",
    "d",
    () => traffic.value.nav.doubts,
  ),
  listed(
    "/console/inbound",
    lazyPage(ofTraffic, ({ Inbound }) => Inbound),
    "inbound.read",
    "work",
    "i",
    () => traffic.value.nav.inbound,
  ),
  listed(
    "/console/suppressions",
    lazyPage(ofTraffic, ({ Suppressions }) => Suppressions),
    "suppressions.read",
    "work",
    "x",
    () => traffic.value.nav.suppressions,
  ),
  linked(
    "/console/messages/:message",
    "/console/messages",
    lazyPage(ofTraffic, ({ Message }) => Message),
    "messages.read",
  ),
  linked(
    "/console/batches/:batch",
    "/console/batches",
    lazyPage(ofTraffic, ({ Batch }) => Batch),
    "batches.read",
  ),
  linked(
    "/console/batches/:batch/report",
    "/console/batches",
    lazyPage(ofTraffic, ({ BatchReport }) => BatchReport),
    "batches.read",
  ),

  listed(
    "/console/accounts",
    lazyPage(ofMoney, ({ Accounts }) => Accounts),
    "accounts.read",
    "clients",
    "a",
    () => (me.value?.account ? money.value.nav.account : money.value.nav.accounts),
  ),
  listed(
    "/console/money",
    lazyPage(ofMoney, ({ Money }) => Money),
    "money.read",
    "clients",
    "f",
    () => money.value.nav.money,
  ),
  linked(
    "/console/accounts/:account",
    "/console/accounts",
    lazyPage(ofMoney, ({ Account }) => Account),
    "accounts.read",
  ),
  linked(
    "/console/accounts/:account/money",
    ofWallet,
    lazyPage(ofMoney, ({ Wallet }) => Wallet),
    "money.read",
  ),
  linked(
    "/console/accounts/:account/statement",
    ofWallet,
    lazyPage(ofMoney, ({ Statement }) => Statement),
    "money.read",
  ),
  linked(
    "/console/accounts/:account/consumption",
    ofWallet,
    lazyPage(ofMoney, ({ Consumption }) => Consumption),
    "money.read",
  ),
  linked(
    "/console/accounts/:account/prices",
    "/console/accounts",
    lazyPage(ofMoney, ({ Prices }) => Prices),
    "prices.read",
  ),

  listed(
    "/console/reports",
    lazyPage(
      () => import("./reports/reports.tsx"),
      ({ Reports }) => Reports,
    ),
    "reports.read",
    "work",
    "r",
    () => places.value.reports,
  ),
  listed(
    "/console/margin",
    lazyPage(
      () => import("./reports/margin.tsx"),
      ({ Margin }) => Margin,
    ),
    "books.read",
    "clients",
    "h",
    () => places.value.margin,
  ),

  listed(
    "/console/senders",
    lazyPage(access, ({ Senders }) => Senders),
    "senders.read",
    "clients",
    "n",
    () => accessNames.value.senders,
  ),
  listed(
    "/console/keys",
    lazyPage(access, ({ Keys }) => Keys),
    "keys.read",
    "clients",
    "k",
    () => accessNames.value.keys,
  ),
  listed(
    "/console/webhooks",
    lazyPage(access, ({ Webhooks }) => Webhooks),
    "webhooks.read",
    "clients",
    "w",
    () => accessNames.value.webhooks,
  ),
  listed(
    "/console/smpp",
    lazyPage(access, ({ Smpp }) => Smpp),
    "smpp.read",
    "clients",
    "z",
    () => "SMPP",
  ),
  linked(
    "/console/smpp/:user",
    "/console/smpp",
    lazyPage(access, ({ SmppUser }) => SmppUser),
    "smpp.read",
  ),
  listed(
    "/console/users",
    lazyPage(access, ({ Users }) => Users),
    "users.read",
    "appliance",
    "u",
    () => accessNames.value.users,
  ),
  linked(
    "/console/webhooks/:webhook",
    "/console/webhooks",
    lazyPage(access, ({ Webhook }) => Webhook),
    "webhooks.read",
  ),

  linked(
    "/console/first",
    "/console",
    lazyPage(connect, ({ First }) => First),
    "appliance.change",
  ),
  linked(
    "/console/operators/new",
    "/console/operators",
    lazyPage(connect, ({ NewOperator }) => NewOperator),
    "appliance.change",
  ),
  linked(
    "/console/operators/:operator",
    "/console/operators",
    lazyPage(ofTraffic, ({ Operator }) => Operator),
    "operators.read",
  ),

  listed(
    "/console/alarms",
    lazyPage(
      () => import("./appliance/alarms.tsx"),
      ({ Alarms }) => Alarms,
    ),
    "alarms.read",
    "appliance",
    "l",
    () => places.value.alarms,
  ),
  listed(
    "/console/state",
    lazyPage(
      () => import("./appliance/state.tsx"),
      ({ State }) => State,
    ),
    "appliance.read",
    "appliance",
    "t",
    () => places.value.appliance,
  ),
  linked(
    "/console/state/settings",
    "/console/state",
    lazyPage(
      () => import("./appliance/settings.tsx"),
      ({ Settings }) => Settings,
    ),
    "appliance.read",
  ),
  listed(
    "/console/settings",
    lazyPage(configure, ({ Settings }) => Settings),
    "settings.change",
    "appliance",
    "v",
    () => places.value.settings,
  ),
  linked(
    "/console/settings/operators/:code",
    "/console/settings",
    lazyPage(configure, ({ WrittenOperator }) => WrittenOperator),
    "settings.change",
  ),
  linked(
    "/console/settings/operators/:code/route",
    "/console/settings",
    lazyPage(configure, ({ AddRoute }) => AddRoute),
    "settings.change",
  ),
  listed(
    "/console/backups",
    lazyPage(
      () => import("./appliance/backups.tsx"),
      ({ Backups }) => Backups,
    ),
    "backups.read",
    "appliance",
    "c",
    () => places.value.backups,
  ),
  listed(
    "/console/audit",
    lazyPage(
      () => import("./appliance/audit.tsx"),
      ({ Audit }) => Audit,
    ),
    "audit.read",
    "appliance",
    "j",
    () => places.value.audit,
  ),

  listed("/console/you", Sessions, null, "you", "y", (words) => words.account.menu),
];
