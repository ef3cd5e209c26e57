/** The pages about traffic. */
import { traffic } from "../../words/traffic.ts";
import { later } from "../later.tsx";
import type { PagePlace } from "../page-place.ts";
import { Batches } from "./batches.tsx";
import { Messages } from "./messages.tsx";

const pages = () => import("./traffic.ts");

type Name = keyof typeof traffic.value.nav;

function place(
  path: string,
  component: PagePlace["component"],
  capability: PagePlace["capability"],
  name: Name,
  letter: string,
): PagePlace {
  return {
    path,
    component,
    capability,
    entry: { group: "work", name: () => traffic.value.nav[name], letter },
  };
}

export const TRAFFIC_PAGES: readonly PagePlace[] = [
  place("/console/messages", Messages, "messages.read", "messages", "m"),
  place("/console/batches", Batches, "batches.read", "batches", "b"),
  place(
    "/console/queue",
    later(async () => (await pages()).Queue),
    "queue.read",
    "queue",
    "q",
  ),
  place(
    "/console/operators",
    later(async () => (await pages()).Operators),
    "operators.read",
    "operators",
    "o",
  ),
  place(
    "/console/templates",
    later(async () => (await pages()).Templates),
    "operators.read",
    "templates",
    "p",
  ),
  place(
    "/console/doubts",
    later(async () => (await pages()).Doubts),
    "doubts.read",
    "doubts",
    "d",
  ),
  place(
    "/console/inbound",
    later(async () => (await pages()).Inbound),
    "inbound.read",
    "inbound",
    "i",
  ),
  place(
    "/console/suppressions",
    later(async () => (await pages()).Suppressions),
    "suppressions.read",
    "suppressions",
    "x",
  ),
  {
    path: "/console/messages/:message",
    component: later(async () => (await pages()).Message),
    capability: "messages.read",
    entry: null,
  },
  {
    path: "/console/batches/:batch",
    component: later(async () => (await pages()).Batch),
    capability: "batches.read",
    entry: null,
  },
  {
    path: "/console/batches/:batch/report",
    component: later(async () => (await pages()).BatchReport),
    capability: "batches.read",
    entry: null,
  },
];
