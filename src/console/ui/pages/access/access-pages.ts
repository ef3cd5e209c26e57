/** The pages about access: who may send under which name, by which program, who is told, who signs in, what comes first. */
import { accessNames } from "../../words/access-nav.ts";
import { later } from "../later.tsx";
import type { PagePlace } from "../page-place.ts";

const pages = () => import("./access.ts");

function place(
  path: string,
  name: keyof typeof accessNames.value,
  letter: string,
  capability: NonNullable<PagePlace["capability"]>,
  component: PagePlace["component"],
): PagePlace {
  const group = name === "users" ? "appliance" : "clients";
  return { path, component, capability, entry: { group, name: () => accessNames.value[name], letter } };
}

export const ACCESS_PAGES: readonly PagePlace[] = [
  place(
    "/console/senders",
    "senders",
    "n",
    "senders.read",
    later(async () => (await pages()).Senders),
  ),
  place(
    "/console/keys",
    "keys",
    "k",
    "keys.read",
    later(async () => (await pages()).Keys),
  ),
  place(
    "/console/webhooks",
    "webhooks",
    "w",
    "webhooks.read",
    later(async () => (await pages()).Webhooks),
  ),
  place(
    "/console/users",
    "users",
    "u",
    "users.read",
    later(async () => (await pages()).Users),
  ),
  {
    path: "/console/webhooks/:webhook",
    component: later(async () => (await pages()).Webhook),
    capability: "webhooks.read",
    entry: null,
  },
];
