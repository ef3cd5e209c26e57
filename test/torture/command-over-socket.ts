import { tmpdir } from "node:os";
import { askServer } from "../../src/admin/control-client.ts";
import { english } from "../../src/i18n/text.ts";
import type { Command, CommandOutcome } from "../sim/actors.ts";
import type { Observe } from "../sim/observation.ts";

/** Codes that say that the end of the server cut the command off: it is done whole, or not at all. */
const CUT_OFF = ["SERVER_LOST", "STOPPING"];

/** Numbers of commands, shared by all ways to give one. */
export type Numbers = { readonly next: () => number };

export function numbers(): Numbers {
  let last = 0;
  return {
    next: () => {
      last += 1;
      return last;
    },
  };
}

/** Gives commands to the running server, by the socket in its data directory. */
export function commandOverSocket(directory: string, ids: Numbers, observe: Observe): Command {
  return async (name, args) => {
    const id = ids.next();
    observe({ kind: "command", id, name, args });
    const answer = await askServer(directory, { command: name, args, actor: "torture" });
    return told(id, observe, answer && outcomeOf(answer));
  };
}

/** Gives commands as a person types them: by the executable, whether a server runs or not. */
export function commandByExecutable(
  executable: string,
  config: string,
  ids: Numbers,
  observe: Observe,
): Command {
  return async (name, args) => {
    const id = ids.next();
    observe({ kind: "command", id, name, args });
    const child = Bun.spawn([executable, ...wordsOf(name, args), "--config", config, "--json"], {
      cwd: tmpdir(),
      stdout: "pipe",
      stderr: "ignore",
    });
    const printed = await new Response(child.stdout).text();
    await child.exited;
    return told(id, observe, printedOutcome(printed));
  };
}

/** Positionals have capital names and stand by their place; flags have small ones. */
function wordsOf(name: string, args: Readonly<Record<string, string>>): string[] {
  const words = name.split(" ");
  for (const [key, value] of Object.entries(args)) if (key === key.toUpperCase()) words.push(value);
  for (const [key, value] of Object.entries(args)) {
    if (key !== key.toUpperCase()) words.push(`--${key}`, ...(value === "" ? [] : [value]));
  }
  return words;
}

type Reply = {
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly detail: string };
};

function printedOutcome(printed: string): CommandOutcome | null {
  try {
    const { data, error } = JSON.parse(printed) as Reply;
    return error === undefined ? { ok: true, data } : { ok: false, ...error };
  } catch {
    return null;
  }
}

function outcomeOf(answer: Awaited<ReturnType<typeof askServer>> & object): CommandOutcome {
  return answer.ok
    ? { ok: true, data: answer.value }
    : { ok: false, code: answer.refusal.code, detail: english(answer.refusal.detail) };
}

function told(id: number, observe: Observe, outcome: CommandOutcome | null): CommandOutcome | null {
  if (outcome === null || (!outcome.ok && CUT_OFF.includes(outcome.code))) {
    observe({ kind: "no outcome", id });
    return null;
  }
  observe({ kind: "outcome", id, ...outcome });
  return outcome;
}
