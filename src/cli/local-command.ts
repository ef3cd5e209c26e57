/** The type of a command that the executable does itself, without a running server. */
import type { Args } from "../admin/command.ts";
import type { Invocable } from "./parse.ts";
import type { Io } from "./terminal.ts";

/** What a command of the executable itself is run with. */
export type LocalInvocation = {
  readonly io: Io;
  readonly configPath: string;
  /** Whether a flag or the environment named it; else it is where a configuration is looked for. */
  readonly isConfigNamed: boolean;
  readonly json: boolean;
  readonly args: Args;
  /** The words behind a command that takes them all; empty for the others. */
  readonly words: readonly string[];
};

/** A command that is no administrative operation: nobody else does it. Resolves with the exit code. */
export type LocalCommand = Invocable & {
  readonly kind: "own";
  readonly run: (invocation: LocalInvocation) => Promise<number>;
};
