/** The auditor's verdict on what a run left, and what may still be waiting when it is spoken. */
import { audit, type Verdict } from "../sim/auditor/audit.ts";
import type { Finding } from "../sim/auditor/finding.ts";
import type { Observation } from "../sim/observation.ts";
import { readObservations } from "./read-observations.ts";

export type Judgement = {
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  /** Messages that the appliance lists as unanswered, and that wait for an hour for a late answer: nobody waits for them here. */
  readonly inDoubt: number;
};

/** Judges the observations in a file of lines. */
export function judge(path: string): Judgement {
  const { seen, close } = readObservations(path);
  try {
    const inDoubt = listedAtRest(seen);
    const verdict = audit(seen);
    const findings = verdict.findings.filter((finding) => !isOfWaiting(finding, inDoubt));
    return { findings, verdict, inDoubt: inDoubt.messages.size };
  } finally {
    close();
  }
}

type InDoubt = { readonly messages: ReadonlySet<string>; readonly batches: ReadonlySet<string> };

/** What says that a message, or its batch, has not ended. */
const OF_ENDS: readonly string[] = ["lost-batch", "stated-truth"];

/**
 * A message in doubt waits for `wait_hours`, an hour at least, and its batch with it (docs/behaviour.md#unanswered-submits). That it has
 * not ended is no finding; anything else about it is.
 */
export function isOfWaiting({ rule, about }: Pick<Finding, "rule" | "about">, inDoubt: InDoubt): boolean {
  return OF_ENDS.includes(rule) && about.some((id) => inDoubt.messages.has(id) || inDoubt.batches.has(id));
}

type Listed = {
  readonly messages?: readonly { readonly message_id: string; readonly until: string | null }[];
};

/** What `operator unanswered` listed after the rest, with the batches that clients were shown of it. */
export function listedAtRest(seen: readonly Observation[]): InDoubt {
  const restAt = seen.findIndex(({ kind }) => kind === "rest");
  const after = restAt < 0 ? [] : seen.slice(restAt);
  const asked = after.find((one) => one.kind === "command" && one.name === "operator unanswered");
  const told = after.find(
    (one) => one.kind === "outcome" && asked?.kind === "command" && one.id === asked.id,
  );
  const listed = told?.kind === "outcome" && told.ok ? ((told.data as Listed).messages ?? []) : [];
  const messages = new Set(listed.flatMap(({ message_id: id, until }) => (until === null ? [] : [id])));
  return { messages, batches: messages.size === 0 ? new Set() : batchesOf(messages, after) };
}

const OF_A_MESSAGE = /"message_id":"(\w{26})","batch_id":"(\w{26})"/g;

function batchesOf(messages: ReadonlySet<string>, after: readonly Observation[]): Set<string> {
  const batches = new Set<string>();
  for (const one of after) {
    if (one.kind !== "answer") continue;
    for (const [, message = "", batch = ""] of one.body.matchAll(OF_A_MESSAGE)) {
      if (messages.has(message)) batches.add(batch);
    }
  }
  return batches;
}
