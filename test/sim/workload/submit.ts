/** A submission as real clients make it: the same body under the same key until there is an answer, or patience is over. */
import type { Ask, HttpAnswer } from "../actors.ts";
import type { Step } from "../plan.ts";
import { type Call, call, dataOf, waitOf } from "./api.ts";
import { textOf } from "./json.ts";
import { type Memory, rememberBatch } from "./memory.ts";
import { type Patience, pause } from "./patience.ts";

export type SubmitStep = Extract<Step, { readonly kind: "submit" }>;

/** Submits, and remembers the batch it is told of. It keeps to the key that it began with, to which the idempotency key belongs. */
export async function submit(
  memory: Memory,
  ask: Ask,
  step: SubmitStep,
  patience: Omit<Patience, "tries">,
): Promise<void> {
  const request = requestOf(step, patience.clock.nowMs());
  const first = { ...callOf(step, request), apiKey: memory.apiKey };
  // Of two at once each has its own way; both are answered the same, or one is told that the other still runs.
  const twin = step.isDoubled === true ? call(memory, ask, first) : null;
  const answer = await insist(memory, ask, first, step, patience);
  const otherAnswer = await twin;
  const batchId = textOf(dataOf(answer ?? otherAnswer)?.batch_id);
  if (batchId !== null) rememberBatch(memory, batchId);
  if (answer === null) return;
  if (step.afterwards === "repeat") await call(memory, ask, first);
  if (step.afterwards === "another body") {
    const other = { ...request, body: `${step.request.body} (2)` };
    await call(memory, ask, { ...first, ...callOf(step, other) });
  }
}

/** The last answer; null when none came, or none that stands. */
async function insist(
  memory: Memory,
  ask: Ask,
  request: Call,
  { fates, tries }: SubmitStep,
  patience: Omit<Patience, "tries">,
): Promise<HttpAnswer | null> {
  for (let made = 0; made < tries; made++) {
    const answer = await call(memory, ask, { ...request, fate: fates[made] ?? "well" });
    const waitMs = answer ? waitOf(answer) : null;
    if (answer && waitMs === null) return answer;
    if (made + 1 < tries) await pause({ ...patience, tries }, made, waitMs);
  }
  return null;
}

function callOf(step: SubmitStep, request: unknown): Call {
  return {
    method: "POST",
    path: "/batches",
    headers: step.idempotencyKey === null ? {} : { "idempotency-key": step.idempotencyKey },
    body: JSON.stringify(request),
  };
}

/** A client that has names of its own for its batches, and for every other recipient. */
function named<Asked extends { readonly recipients?: unknown }>(asked: Asked, index: number) {
  const recipients = Array.isArray(asked.recipients) ? (asked.recipients as readonly unknown[]) : null;
  return {
    ...asked,
    client_reference: `step ${index}`,
    ...(recipients && {
      recipients: recipients.map((recipient, place) =>
        place % 2 === 0 && typeof recipient === "object"
          ? { ...recipient, client_reference: index + place }
          : recipient,
      ),
    }),
  };
}

function requestOf({ request, index }: SubmitStep, nowMs: number) {
  const { scheduledInMs, timezone, ...asked } = request;
  const rest = index % 3 === 0 ? named(asked, index) : asked;
  if (scheduledInMs === undefined) return { ...rest, ...(timezone !== undefined && { timezone }) };
  const atMs = nowMs + scheduledInMs;
  if (timezone === undefined) return { ...rest, scheduled_at: new Date(atMs).toISOString() };
  return { ...rest, scheduled_at: localTime(atMs, timezone), timezone };
}

/** Wall time of a timezone, to the second, without an offset. */
function localTime(atMs: number, timeZone: string): string {
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return shown.format(atMs).replace(" ", "T");
}
