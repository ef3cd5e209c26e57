import type { Plan } from "../plan.ts";
import { withOnly } from "../workload/draw-plan.ts";

/**
 * The fewest steps with which a plan still fails, by leaving out ever smaller parts of them (Zeller, delta debugging). `fails` runs a
 * plan; `told` hears how many steps are left.
 */
export function shrink(plan: Plan, fails: (plan: Plan) => boolean, told: (steps: number) => void): Plan {
  let kept = plan.steps.map(({ index }) => index);
  let parts = 2;
  while (kept.length > 0) {
    const size = Math.ceil(kept.length / parts);
    const smaller = partsOf(kept, size)
      .map((part) => kept.filter((index) => !part.includes(index)))
      .find((rest) => fails(withOnly(plan, rest)));
    if (smaller) {
      kept = smaller;
      parts = Math.max(2, parts - 1);
      told(kept.length);
    } else if (size === 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return fewerRecipients(withOnly(plan, kept), fails, told);
}

/** Then fewer recipients in each submission: halves, as long as it still fails. */
function fewerRecipients(plan: Plan, fails: (plan: Plan) => boolean, told: (steps: number) => void): Plan {
  let smallest = plan;
  for (const { index } of plan.steps) {
    for (;;) {
      const smaller = withHalf(smallest, index);
      if (smaller === null || !fails(smaller)) break;
      smallest = smaller;
      told(smallest.steps.length);
    }
  }
  return smallest;
}

/** The plan with the first half of a submission's recipients; null where there is nothing to halve. */
function withHalf(plan: Plan, index: number): Plan | null {
  const step = plan.steps.find((each) => each.index === index);
  if (step?.kind !== "submit" || step.request.recipients.length < 2) return null;
  const recipients = step.request.recipients.slice(0, Math.ceil(step.request.recipients.length / 2));
  const smaller = { ...step, request: { ...step.request, recipients } };
  return { ...plan, steps: plan.steps.map((each) => (each.index === index ? smaller : each)) };
}

function partsOf(items: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
