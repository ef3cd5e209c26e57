/** The pages about accounts, money and prices. */
import { me } from "../../state/session.ts";
import { money } from "../../words/money.ts";
import type { PagePlace } from "../page-place.ts";
import { Account } from "./account.tsx";
import { Accounts } from "./accounts.tsx";
import { Prices } from "./prices.tsx";
import { Money, Wallet } from "./wallet.tsx";

export const MONEY_PAGES: readonly PagePlace[] = [
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
    component: Money,
    capability: "money.read",
    entry: { group: "clients", name: () => money.value.nav.money, letter: "f" },
  },
  { path: "/console/accounts/:account", component: Account, capability: "accounts.read", entry: null },
  { path: "/console/accounts/:account/money", component: Wallet, capability: "money.read", entry: null },
  { path: "/console/accounts/:account/prices", component: Prices, capability: "prices.read", entry: null },
];
