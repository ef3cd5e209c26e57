/** Every page of the console: where it is, who sees it, what it is called. A new page is a line here. */

import { ACCESS_PAGES } from "./access/access-pages.ts";
import { APPLIANCE_PAGES } from "./appliance/appliance-pages.ts";
import { CONNECT_PAGES } from "./connect/connect-pages.ts";
import type { PageEntry } from "./lazy-page.tsx";
import { MONEY_PAGES } from "./money/money-pages.ts";
import { REPORTS_PAGES } from "./reports/reports-pages.ts";
import { SEND_PAGES } from "./send/send-pages.ts";
import { Sessions } from "./sessions.tsx";
import { Start } from "./start.tsx";
import { TRAFFIC_PAGES } from "./traffic/traffic-pages.ts";

export const PAGES: readonly PageEntry[] = [
  {
    path: "/console",
    component: Start,
    capability: null,
    entry: { group: "today", name: (words) => words.start.nav, letter: "s" },
  },
  {
    path: "/console/you",
    component: Sessions,
    capability: null,
    entry: { group: "today", name: (words) => words.account.menu, letter: "y" },
  },
  ...SEND_PAGES,
  ...TRAFFIC_PAGES,
  ...MONEY_PAGES,
  ...REPORTS_PAGES,
  ...ACCESS_PAGES,
  ...CONNECT_PAGES,
  ...APPLIANCE_PAGES,
];
