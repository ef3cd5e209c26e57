/** The pages about traffic. */
import { traffic } from "../../words/traffic.ts";
import type { PagePlace } from "../page-place.ts";
import { Batch } from "./batch.tsx";
import { BatchReport } from "./batch-report.tsx";
import { Batches } from "./batches.tsx";
import { Doubts } from "./doubts.tsx";
import { Inbound } from "./inbound.tsx";
import { Message } from "./message.tsx";
import { Messages } from "./messages.tsx";
import { Operators } from "./operators.tsx";
import { Queue } from "./queue.tsx";
import { Suppressions } from "./suppressions.tsx";
import { Templates } from "./templates.tsx";

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
  place("/console/queue", Queue, "queue.read", "queue", "q"),
  place("/console/operators", Operators, "operators.read", "operators", "o"),
  place("/console/templates", Templates, "operators.read", "templates", "p"),
  place("/console/doubts", Doubts, "doubts.read", "doubts", "d"),
  place("/console/inbound", Inbound, "inbound.read", "inbound", "i"),
  place("/console/suppressions", Suppressions, "suppressions.read", "suppressions", "x"),
  { path: "/console/messages/:message", component: Message, capability: "messages.read", entry: null },
  { path: "/console/batches/:batch", component: Batch, capability: "batches.read", entry: null },
  { path: "/console/batches/:batch/report", component: BatchReport, capability: "batches.read", entry: null },
];
