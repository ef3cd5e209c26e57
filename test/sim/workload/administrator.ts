/** An administrator: commands, and what he does when one was broken off. */
import type { ActorEdges, Command, CommandOutcome } from "../actors.ts";
import { forked } from "../chance.ts";
import type { Step } from "../plan.ts";
import { tableOf, textOf } from "./json.ts";
import type { Memory } from "./memory.ts";
import { type Patience, pause, wait } from "./patience.ts";
import { drawn } from "./reading.ts";

type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;
type Args = Readonly<Record<string, string>>;

export type Administrator = {
  /** Gives a command once: what may not be done twice. */
  readonly once: Command;
  /** A moment between two commands. */
  readonly think: () => Promise<void>;
  /** Gives a command until there is an outcome: what may be done twice. Null when patience was over. */
  readonly insist: Command;
  /** A new key for the client, which it uses from then on. A key whose command was broken off is known to nobody. */
  readonly giveKey: (memory: Memory) => Promise<void>;
  /** A key beside it, for messages only. */
  readonly giveNarrowKey: (memory: Memory) => Promise<void>;
  readonly command: (step: StepOf<"command">) => Promise<void>;
  readonly cancel: (step: StepOf<"cancel">, memory: Memory) => Promise<void>;
  readonly suspend: (step: StepOf<"suspend">) => Promise<void>;
  /** Resumes it under the name that it has by then. */
  readonly pause: (step: StepOf<"pause">) => Promise<void>;
  readonly rename: (step: StepOf<"rename operator">) => Promise<void>;
  readonly topUp: (step: StepOf<"top up">) => Promise<void>;
  readonly rotateKey: (memory: Memory) => Promise<void>;
  readonly webhook: (step: StepOf<"webhook">, memory: Memory) => Promise<void>;
};

/** Tries of a command: about five minutes. */
const TRIES = 24;

/** How long an old key is left alone after its successor was handed out. */
const KEY_OVERLAP_MS = 3000;

/** The longest moment between two commands. */
const THOUGHT_MS = 400;

/** Commands that would count twice. */
const NOT_TWICE: readonly string[] = ["wallet adjust", "key create", "webhook test", "webhook replay"];

/** Opens an administrator; `seed` is the plan's. */
export function openAdministrator(seed: number, edges: ActorEdges, command: Command): Administrator {
  const { clock } = edges;
  const insisting =
    (most: number): Command =>
    async (name, args) => {
      const patience: Patience = { clock, chance: forked(seed, name, JSON.stringify(args)), tries: most };
      for (let tries = 0; tries < patience.tries; tries++) {
        const outcome = await command(name, args);
        if (!isTemporary(outcome)) return outcome;
        await pause(patience, tries, null);
      }
      return null;
    };
  const insist = insisting(TRIES);
  // What is left suspended waits for ever, and a process may be down for longer than patience lasts.
  const neverGivingUp = insisting(Number.POSITIVE_INFINITY);
  const createKey = async ({ account, keys }: Memory, scopes: string): Promise<string | null> => {
    const outcome = await insist("key create", { ACCOUNT: account.name, name: "simulation", scopes });
    const apiKey = outcome?.ok ? textOf(tableOf(outcome.data).api_key) : null;
    if (apiKey !== null) keys.push(apiKey);
    return apiKey;
  };
  const giveKey = async (memory: Memory): Promise<void> => {
    const apiKey = await createKey(memory, "all");
    if (apiKey !== null) memory.apiKey = apiKey;
  };
  /** By the old names: the new ones, told once the command is over that moves what the old one had. */
  const renamed = new Map<string, Promise<string>>();
  const thinking = forked(seed, "administrator");
  return {
    once: command,
    think: () => wait(clock, thinking.fraction() * THOUGHT_MS),
    insist,
    giveKey,
    giveNarrowKey: async (memory) => {
      memory.narrowKey = await createKey(memory, "MESSAGES_READ");
    },
    command: async ({ name, args }) => {
      await (NOT_TWICE.includes(name) ? command : insist)(name, args);
    },
    cancel: async (step, memory) => {
      const chance = forked(seed, "cancel", step.index);
      // The newest are the likeliest to have something left.
      const [BATCH] = drawn(chance, memory.batches.slice(-4), 1);
      if (BATCH !== undefined) await insist("batch cancel", { BATCH, reason: `step ${step.index}` });
    },
    suspend: async ({ account, forMs, index }) => {
      await insist("account suspend", { ACCOUNT: account, reason: `step ${index}` });
      await wait(clock, forMs);
      await neverGivingUp("account resume", { ACCOUNT: account });
    },
    pause: async ({ code, isFirst, route, forMs, index }) => {
      const ending = route === undefined ? "" : `/${route}`;
      const all = { CODE: `${code}${ending}`, ...(isFirst && { CONNECTION: "1" }) };
      const paused = await insist("operator pause", { ...all, reason: `step ${index}` });
      if (route !== undefined && paused?.ok === false) return;
      await wait(clock, forMs);
      for (let name: string | undefined = code; name !== undefined; name = await renamed.get(name)) {
        // A route that left the configuration, or whose operator is paused as a whole, goes on with all of that.
        for (const CODE of new Set([`${name}${ending}`, name])) {
          const outcome = await neverGivingUp("operator resume", { CODE });
          if (outcome?.ok) return;
        }
      }
    },
    rename: async ({ from: OLD, to: NEW }) => {
      const renaming = insist("operator rename", { OLD, NEW });
      renamed.set(
        OLD,
        renaming.then(() => NEW),
      );
      await renaming;
    },
    topUp: async ({ account, amount, reference }) => {
      await insist("wallet topup", { ACCOUNT: account, AMOUNT: String(amount), reference });
    },
    rotateKey: async (memory) => {
      const old = memory.apiKey;
      await giveKey(memory);
      if (old === null || old === memory.apiKey) return;
      await wait(clock, KEY_OVERLAP_MS);
      await insist("key revoke", { KEY_ID: old.split("_")[1] ?? "" });
    },
    webhook: async (step, memory) => {
      const endpoint = memory.webhooks.findLast(({ receiver }) => receiver === step.receiver);
      if (!endpoint) return;
      const { name, args } = webhookCommand(step, endpoint.id, clock.nowMs());
      await (NOT_TWICE.includes(name) ? command : insist)(name, args);
    },
  };
}

/** Outcomes after which an administrator tries again: the server ended meanwhile, or its disk takes nothing. */
const TEMPORARY: readonly string[] = ["STOPPING", "INTERNAL_ERROR"];

/** Nobody was there, or it was not done for now; in some of these cases nobody knows whether it was. */
function isTemporary(outcome: CommandOutcome | null): boolean {
  return outcome === null || (!outcome.ok && TEMPORARY.includes(outcome.code));
}

/** How far back a replay goes. */
const REPLAY_MS = 120_000;

/** The command of a step that is not done over the API. */
function webhookCommand(
  { what, events }: StepOf<"webhook">,
  WEBHOOK: string,
  nowMs: number,
): { readonly name: string; readonly args: Args } {
  switch (what) {
    case "delete":
      return { name: "webhook delete", args: { WEBHOOK } };
    case "test":
      return { name: "webhook test", args: { WEBHOOK } };
    case "replay":
      return {
        name: "webhook replay",
        args: { WEBHOOK, since: new Date(nowMs - REPLAY_MS).toISOString() },
      };
    case "update":
      return { name: "webhook update", args: { WEBHOOK, events: events?.join(",") ?? "all" } };
    case "enable":
      return { name: "webhook enable", args: { WEBHOOK } };
    case "disable":
      return { name: "webhook disable", args: { WEBHOOK, reason: "as planned" } };
    case "register":
    case "rotate":
      return { name: "webhook show", args: { WEBHOOK } };
  }
}
