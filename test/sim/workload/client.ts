import type { ActorEdges, Ask } from "../actors.ts";
import { forked } from "../chance.ts";
import type { ReceiverPlan, Step } from "../plan.ts";
import { type Call, callPatiently } from "./api.ts";
import { changeEndpoint, registerEndpoint } from "./endpoints.ts";
import type { Memory } from "./memory.ts";
import type { Patience } from "./patience.ts";
import { drawn, type ReadStep, read } from "./reading.ts";
import { type SubmitStep, submit } from "./submit.ts";

export type WebhookStep = Extract<Step, { readonly kind: "webhook" }>;

type CancelStep = Extract<Step, { readonly kind: "cancel" }>;

/** A client company at the API. What it does with a step depends on the step, and on what it was told until then. */
export type Client = {
  readonly memory: Memory;
  readonly submit: (step: SubmitStep) => Promise<void>;
  readonly read: (step: ReadStep, others: readonly Memory[]) => Promise<void>;
  readonly register: (receiver: ReceiverPlan, events: readonly string[] | null) => Promise<void>;
  /** Calls one of its newest batches off. */
  readonly cancel: (step: CancelStep) => Promise<void>;
  readonly change: (step: WebhookStep, what: "disable" | "enable" | "rotate") => Promise<void>;
};

/** How often it asks again where it may. */
const TRIES = 6;

/** Opens a client; `seed` is the plan's, from which each step's own chance is forked. */
export function openClient(memory: Memory, seed: number, { clock }: ActorEdges, ask: Ask): Client {
  const patienceFor = (...names: readonly (string | number)[]): Patience => ({
    clock,
    chance: forked(seed, "client", ...names),
    tries: TRIES,
  });
  return {
    memory,
    submit: (step) => submit(memory, ask, step, patienceFor(step.index)),
    read: (step, others) => read(memory, others, ask, step, forked(seed, "client", step.index)),
    register: (receiver, events) =>
      registerEndpoint(memory, ask, { receiver, events }, patienceFor(memory.account.name, receiver.name)),
    cancel: async ({ index }) => {
      const [id] = drawn(forked(seed, "cancel", index), memory.batches.slice(-4), 1);
      const body = JSON.stringify({ reason: `step ${index}` });
      const request: Call = { method: "POST", path: `/batches/${id}/cancel`, body };
      if (id !== undefined) await callPatiently(memory, ask, request, patienceFor(index));
    },
    change: (step, what) => changeEndpoint(memory, ask, step.receiver, what, patienceFor(step.index)),
  };
}
