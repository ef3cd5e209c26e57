/** The pages about access: senders, API keys, webhooks, users. */
import { accessNames } from "../../words/access-nav.ts";
import { lazyPage, type PageEntry } from "../lazy-page.tsx";

const pages = () => import("./access.ts");

function place(
  path: string,
  name: keyof typeof accessNames.value,
  letter: string,
  capability: NonNullable<PageEntry["capability"]>,
  component: PageEntry["component"],
): PageEntry {
  const group = name === "users" ? "appliance" : "clients";
  return { path, component, capability, entry: { group, name: () => accessNames.value[name], letter } };
}

export const ACCESS_PAGES: readonly PageEntry[] = [
  place(
    "/console/senders",
    "senders",
    "n",
    "senders.read",
    lazyPage(async () => (await pages()).Senders),
  ),
  place(
    "/console/keys",
    "keys",
    "k",
    "keys.read",
    lazyPage(async () => (await pages()).Keys),
  ),
  place(
    "/console/webhooks",
    "webhooks",
    "w",
    "webhooks.read",
    lazyPage(async () => (await pages()).Webhooks),
  ),
  place(
    "/console/users",
    "users",
    "u",
    "users.read",
    lazyPage(async () => (await pages()).Users),
  ),
  {
    path: "/console/webhooks/:webhook",
    component: lazyPage(async () => (await pages()).Webhook),
    capability: "webhooks.read",
    entry: null,
  },
];
