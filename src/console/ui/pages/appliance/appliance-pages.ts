/** The pages about the appliance itself. */
import { places } from "../../words/places.ts";
import { later } from "../later.tsx";
import type { PagePlace } from "../page-place.ts";

export const APPLIANCE_PAGES: readonly PagePlace[] = [
  {
    path: "/console/alarms",
    component: later(async () => (await import("./alarms.tsx")).Alarms),
    capability: "alarms.read",
    entry: { group: "appliance", name: () => places.value.alarms, letter: "l" },
  },
  {
    path: "/console/state",
    component: later(async () => (await import("./state.tsx")).State),
    capability: "appliance.read",
    entry: { group: "appliance", name: () => places.value.appliance, letter: "t" },
  },
  {
    path: "/console/backups",
    component: later(async () => (await import("./backups.tsx")).Backups),
    capability: "backups.read",
    entry: { group: "appliance", name: () => places.value.backups, letter: "c" },
  },
  {
    path: "/console/audit",
    component: later(async () => (await import("./audit.tsx")).Audit),
    capability: "audit.read",
    entry: { group: "appliance", name: () => places.value.audit, letter: "j" },
  },
];
