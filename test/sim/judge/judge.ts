/** One run, judged: by the auditor, by the log, and by the world itself. */
import { audit } from "../auditor/audit.ts";
import type { Finding } from "../auditor/finding.ts";
import type { Plan } from "../plan.ts";
import { type Run, run } from "../world/run.ts";
import { faultsInLog } from "./log-faults.ts";

export type Judged = {
  readonly seed: number;
  readonly findings: readonly Finding[];
  readonly figures: Readonly<Record<string, number>>;
  /** What was reached and how often, by name. */
  readonly reached: Readonly<Record<string, number>>;
};

/** Runs a plan and judges it; the run is there for a story. */
export function judge(plan: Plan): { readonly judged: Judged; readonly run: Run } {
  const made = run(plan);
  const verdict = audit(made.observations);
  const { disk, ...figures } = made.figures;
  const findings = [...verdict.findings, ...worldsFindings(made), ...faultsInLog(made.log)];
  const ofDisk = Object.entries(disk).map(([name, times]) => [`disk: ${name}`, times] as const);
  return {
    run: made,
    judged: {
      seed: plan.seed,
      findings,
      figures: { ...figures, ...verdict.figures },
      reached: Object.fromEntries([...verdict.reached, ...ofDisk]),
    },
  };
}

function worldsFindings({ troubles, figures }: Run): Finding[] {
  return troubles.map((what) => ({
    rule: "comes-to-rest",
    promise: "whatever waits has a deadline",
    what,
    atMs: figures.simulatedMs,
    about: [],
  }));
}
