/**
 * One operation of the administration, defined once: what it is called, who may, what it takes, what it does.
 *
 * A room exports its operations as one table, each under the noun and the verb that people type: "sender approve". From there come the
 * command (`admin/registry.ts`), the route of the console (`console/routes`), the types of its pages and who may. What is special of a
 * surface, such as the columns of a table, stands beside the surface.
 */
import type { TSchema } from "typebox";
import type { Permission } from "../../domain/accounts/roles.ts";
import type { AdminContext } from "./context.ts";
import type { AdminOutcome } from "./refusal.ts";

/** How a parameter is typed on a command line. */
export type CommandLineForm<Value> = {
  /** The capital name of a word that stands by its place; a flag is called by the parameter's own name. */
  readonly word?: string;
  /** What the flag is called where that is not the parameter's name. */
  readonly flag?: string;
  /** What stands behind the flag, in capitals; null: nothing. */
  readonly value: string | null;
  /** What its help is filled in with. */
  readonly told?: Readonly<Record<string, string>>;
  /** The only texts there are. */
  readonly choices?: readonly string[];
  /** Flags that it makes no sense together with. */
  readonly excludes?: readonly string[];
  /** The word that this flag stands in place of: where it is given, the other is not. */
  readonly replaces?: string;
  /** The word is the path of a file that the command line reads: the operation is given what stands in it. */
  readonly isFile?: boolean;
  /** The word is a path that the operation itself goes to: it is made absolute, because a running server is in another directory. */
  readonly isPath?: boolean;
  /** It is no flag: a form of the console brings it, or the command line adds it by itself. */
  readonly isUnlisted?: boolean;
  /** What was typed, as a value. */
  readonly read: (text: string) => AdminOutcome<Value>;
};

/** What is named by a parameter, so that a surface can ask whose it is. */
export type Named = "account" | "batch" | "message" | "inbound" | "webhook" | "key" | "user";

/** One thing that an operation takes: as JSON brings it, and as it is typed. `IsOptional`: it may be left out. */
export type Parameter<Value, IsOptional extends boolean = boolean> = {
  readonly schema: TSchema;
  readonly typed: CommandLineForm<Value>;
  readonly names?: Named;
  /** It says why a text is read. The console gives null for whoever reads texts of their own account as they like. */
  readonly isToRead?: boolean;
  /** What holds where it is left out; absent of one that must be given. */
  readonly otherwise?: { readonly value: Value };
  /** Only the command line takes it: what JSON brings never has it, and what holds is what holds where it is left out. */
  readonly isTypedAlone?: true;
  /** For the types alone. */
  readonly isOptional?: IsOptional;
};

/** A parameter that only the command line takes. */
export type TypedAlone<Value> = Parameter<Value, true> & { readonly isTypedAlone: true };

/** The parameters of an operation by name, words in the order in which they are typed. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters, as an operation is given them. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

type OptionalIn<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<unknown, false> ? never : Name;
}[keyof P];

type TypedAloneIn<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends TypedAlone<unknown> ? Name : never;
}[keyof P];

/** The same as JSON brings them: what may be left out is not there, or null. */
export type JsonOf<P extends Parameters> = Readonly<Omit<ValuesOf<P>, OptionalIn<P>>> & {
  readonly [Name in Exclude<OptionalIn<P>, TypedAloneIn<P>>]?: ValuesOf<P>[Name] | null;
};

/**
 * What an operation does to the database: "changes" it unless given; "reads", and then it leaves no trace in the data directory; or "notes",
 * which reads and notes that where it can, and is opened to be read alone where nothing can be written.
 */
export type DatabaseEffect = "reads" | "notes" | "changes";

export type Operation<P extends Parameters, Value> = {
  /**
   * What a route of the console asks for that does this and nothing else (`doing`). Absent where there is none: a page that composes its
   * answer, or hides amounts from some, says it itself.
   */
  readonly may?: Permission;
  readonly params: P;
  /** By whether each parameter was given where that makes the difference. */
  readonly does?: DatabaseEffect | ((isGiven: (name: keyof P & string) => boolean) => DatabaseEffect);
  /** It asks what only a running server knows: without one it is refused with SERVER_NOT_RUNNING. */
  readonly needsServer?: boolean;
  /** A method, so that operations of other parameters fit into one list. */
  run(context: AdminContext, params: ValuesOf<P>): AdminOutcome<Value> | Promise<AdminOutcome<Value>>;
};

/** Whatever it takes and answers. */
export type AnyOperation = Operation<Parameters, unknown>;

/** Operations by name. */
export type Operations = Readonly<Record<string, AnyOperation>>;

/** An operation, with the types of what it takes and answers. */
export function operation<P extends Parameters, Value>(defined: Operation<P, Value>): Operation<P, Value> {
  return defined;
}

/** The value that an operation answers. */
export type ValueOf<O> = O extends Operation<infer _, infer Value> ? Value : never;
