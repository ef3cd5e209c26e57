/** The pages about accounts, money and prices. */
import { me } from "../../state/session.ts";
import { money } from "../../words/money.ts";
import { lazyPage, type PageEntry } from "../lazy-page.tsx";
import { Accounts } from "./accounts.tsx";

const pages = () => import("./money.ts");

export const MONEY_PAGES: readonly PageEntry[] = [
  {
    path: "/console/accounts",
    component: Accounts,
    capability: "accounts.read",
    entry: {
      group: "clients",
      name: () => (me.value?.account ? money.value.nav.account : money.value.nav.accounts),
      letter: "a",
    },
  },
  {
    path: "/console/money",
    component: lazyPage(async () => (await pages()).Money),
    capability: "money.read",
    entry: { group: "clients", name: () => money.value.nav.money, letter: "f" },
  },
  {
    path: "/console/accounts/:account",
    component: lazyPage(async () => (await pages()).Account),
    capability: "accounts.read",
    entry: null,
  },
  {
    path: "/console/accounts/:account/money",
    component: lazyPage(async () => (await pages()).Wallet),
    capability: "money.read",
    entry: null,
  },
  {
    path: "/console/accounts/:account/prices",
    component: lazyPage(async () => (await pages()).Prices),
    capability: "prices.read",
    entry: null,
  },
];
