/**
 * One operation of the administration, defined once: its name, permission, parameters and effect.
 *
 * A room exports its operations as one table, each under the noun and verb that people type: "sender approve". From it derive the
 * command (`admin/registry.ts`), the console's route (`console/server/routes/`), the types of its pages and the permission. What is
 * special to a surface, such as table columns, stands beside the surface.
 */
import type { TSchema } from "typebox";
import type { Permission } from "../../domain/accounts/roles.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done } from "./refusal.ts";

/** How a parameter is typed on a command line. */
export type CommandLineForm<Value> = {
  /** The capital name of a word that stands by its place; a flag is called by the parameter's own name. */
  readonly word?: string;
  /** What the flag is called where that is not the parameter's name. */
  readonly flag?: string;
  /** What stands behind the flag, in capitals; null: nothing. */
  readonly value: string | null;
  /** What its help is filled in with. */
  readonly helpValues?: Readonly<Record<string, string>>;
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
export type Named = "account" | "batch" | "message" | "inbound" | "webhook" | "key" | "user" | "smpp_user";

/** One thing that an operation takes: as JSON brings it, and as it is typed. `IsOptional`: it may be left out. */
export type Parameter<Value, IsOptional extends boolean = boolean> = {
  readonly schema: TSchema;
  readonly typed: CommandLineForm<Value>;
  /** What neither type nor bounds say. Whatever brings the value, it is checked before the operation runs; absent and null are not. */
  check?(value: Value): AdminOutcome<Value>;
  readonly names?: Named;
  /** The reason for reading a text. The console gives null for users who may read texts of their own account. */
  readonly isToRead?: boolean;
  /** The default; absent where it must be given. */
  readonly otherwise?: { readonly value: Value };
  /** Only the command line takes it: JSON never has it, and its default applies there. */
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
 * An operation's effect on the database: "changes" by default; "reads" leaves no trace in the data directory; "notes" reads and records
 * that where it can, and opens the database read-only where nothing can be written.
 */
type DatabaseEffect = "reads" | "notes" | "changes";

export type Operation<P extends Parameters, Value> = {
  /**
   * The permission of a console route that only runs this operation (`doing`). Absent without such a route: a page that composes its
   * answer, or hides amounts from some, states its own.
   */
  readonly may?: Permission;
  readonly params: P;
  /** The effect, by which parameters are given where that matters. */
  readonly does?: DatabaseEffect | ((isGiven: (name: keyof P & string) => boolean) => DatabaseEffect);
  /** Needs a running server: without one it is refused with SERVER_NOT_RUNNING. */
  readonly needsServer?: boolean;
  /** A method, so that operations of other parameters fit into one list. */
  run(context: AdminContext, params: ValuesOf<P>): AdminOutcome<Value> | Promise<AdminOutcome<Value>>;
};

/** Whatever it takes and answers. */
export type AnyOperation = Operation<Parameters, unknown>;

/** Operations by name. */
export type Operations = Readonly<Record<string, AnyOperation>>;

/** Defines an operation, with the types of what it takes and answers; it runs with checked values. */
export function operation<P extends Parameters, Value>({
  run,
  ...defined
}: Operation<P, Value>): Operation<P, Value> {
  return {
    ...defined,
    run: (context, params) => {
      const checked = checkValues(defined.params, params);
      return checked.ok ? run(context, checked.value) : checked;
    },
  };
}

function checkValues<P extends Parameters>(params: P, values: ValuesOf<P>): AdminOutcome<ValuesOf<P>> {
  const checked: Record<string, unknown> = { ...values };
  for (const [name, parameter] of Object.entries(params)) {
    const value = checked[name] ?? null;
    const outcome = value === null ? undefined : parameter.check?.(value);
    if (outcome?.ok === false) return outcome;
    if (outcome) checked[name] = outcome.value;
  }
  return done(checked as ValuesOf<P>);
}

/** The value that an operation answers. */
export type ValueOf<O> = O extends Operation<infer _, infer Value> ? Value : never;
