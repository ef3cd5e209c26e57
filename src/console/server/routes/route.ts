/**
 * One request that the console's pages make: path, permission, input and answer.
 *
 * A route is a value, so that a page's client takes its types from it, one test walks every route as every role, and the router
 * gets them in one place (`mountRouteTable`).
 */
import type { Static, TSchema } from "typebox";
import type { AdminOutcome } from "../../../admin/operations/refusal.ts";
import type { Permission } from "../../../domain/accounts/roles.ts";
import type { Phrase } from "../../../i18n/phrase.ts";
import type { RouteRateLimit } from "../rate-limits.ts";
import type { PageContext } from "./request-context.ts";

/** The input of a request, parsed and checked. */
type RequestInput<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
};

/** The value of a schema; undefined where there is none. */
type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** The path of a route and its input. */
type RouteShape<
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
> = {
  /** The permission of the table of roles that it needs. */
  readonly operation: Permission;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Largest body; 65,536 bytes without it. */
  readonly mostBytes?: number;
  /** Its body is a raw file; the message about one that is too large. */
  readonly takesFile?: { readonly tooLarge: Phrase };
  /** How often users of one account may do it to what its path names. `tooOften`: the message about one more. */
  readonly rateLimit?: RouteRateLimit & { readonly tooOften: Phrase };
};

type Run<Params, Query, Body, Answer> = (
  asked: PageContext,
  brought: RequestInput<Of<Params>, Of<Query>, Of<Body>>,
) => AdminOutcome<Answer> | Promise<AdminOutcome<Answer>>;

export type Route<
  Params extends TSchema | undefined = TSchema | undefined,
  Query extends TSchema | undefined = TSchema | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Answer = unknown,
> = RouteShape<Params, Query, Body> & { readonly run: Run<Params, Query, Body, Answer> };

/** Types a route by its input and answer. */
export function route<
  Answer,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(
  shape: RouteShape<Params, Query, Body>,
  run: Run<Params, Query, Body, Answer>,
): Route<Params, Query, Body, Answer> {
  return { ...shape, run };
}

const FILE = Symbol("file");

/** A download, one piece at a time. */
export type Download = {
  readonly [FILE]: true;
  readonly name: string;
  readonly type: string;
  readonly pieces: Iterable<string> | AsyncIterable<string>;
};

export function download(name: string, type: string, pieces: Download["pieces"]): Download {
  return { [FILE]: true, name, type, pieces };
}

export function isDownload(value: unknown): value is Download {
  return typeof value === "object" && value !== null && FILE in value;
}
