/** The pages about traffic. */
import { traffic } from "../../words/traffic.ts";
import { lazyPage, type PageEntry } from "../lazy-page.tsx";
import { Batches } from "./batches.tsx";
import { Messages } from "./messages.tsx";

const pages = () => import("./traffic.ts");

type Name = keyof typeof traffic.value.nav;

function place(
  path: string,
  component: PageEntry["component"],
  capability: PageEntry["capability"],
  name: Name,
  letter: string,
): PageEntry {
  return {
    path,
    component,
    capability,
    entry: { group: "work", name: () => traffic.value.nav[name], letter },
  };
}

export const TRAFFIC_PAGES: readonly PageEntry[] = [
  place("/console/messages", Messages, "messages.read", "messages", "m"),
  place("/console/batches", Batches, "batches.read", "batches", "b"),
  place(
    "/console/queue",
    lazyPage(async () => (await pages()).Queue),
    "queue.read",
    "queue",
    "q",
  ),
  place(
    "/console/operators",
    lazyPage(async () => (await pages()).Operators),
    "operators.read",
    "operators",
    "o",
  ),
  place(
    "/console/templates",
    lazyPage(async () => (await pages()).Templates),
    "operators.read",
    "templates",
    "p",
  ),
  place(
    "/console/doubts",
    lazyPage(async () => (await pages()).UnknownOutcomes),
    "doubts.read",
    "doubts",
    "d",
  ),
  place(
    "/console/inbound",
    lazyPage(async () => (await pages()).Inbound),
    "inbound.read",
    "inbound",
    "i",
  ),
  place(
    "/console/suppressions",
    lazyPage(async () => (await pages()).Suppressions),
    "suppressions.read",
    "suppressions",
    "x",
  ),
  {
    path: "/console/messages/:message",
    component: lazyPage(async () => (await pages()).Message),
    capability: "messages.read",
    entry: null,
  },
  {
    path: "/console/batches/:batch",
    component: lazyPage(async () => (await pages()).Batch),
    capability: "batches.read",
    entry: null,
  },
  {
    path: "/console/batches/:batch/report",
    component: lazyPage(async () => (await pages()).BatchReport),
    capability: "batches.read",
    entry: null,
  },
];
