/**
 * One request that the console's pages make: path, permission, input and answer.
 *
 * A route is a value, so that a page's client takes its types from it, one test walks every route as every role, and the router
 * gets them in one place (`mountRouteTable`).
 */
import type { Static, TSchema } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { getOwn } from "../../../core/own-value.ts";
import type { Permission } from "../../../domain/accounts/roles.ts";
import type { Phrase } from "../../../i18n/phrase.ts";
import type { RouteRateLimit } from "../rate-limits.ts";
import { type PageContext, type PathSubject, resolveAccountFilter } from "./request-context.ts";
import { USUAL_ROWS } from "./schemas.ts";

/** The input of a request, parsed and checked. */
type RequestInput<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
};

/** The value of a schema; undefined where there is none. */
type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** The input of a route, as schemas, and how much of it there may be. */
type RouteInput<
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
> = {
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
> = RouteInput<Params, Query, Body> & {
  /** The permission of the table of roles that it needs. */
  readonly operation: Permission;
  readonly run: Run<Params, Query, Body, Answer>;
};

/** A query as a route is given it: what was left out is null, and a list has the usual number of rows. */
export type QueryOf<Query extends TSchema> = {
  readonly [Name in keyof Static<Query>]-?: Name extends "limit"
    ? number
    : undefined extends Static<Query>[Name]
      ? Exclude<Static<Query>[Name], undefined> | null
      : Static<Query>[Name];
};

/** All that a request brings, by name; the octets of a file as `bytes`. An `account` of the query is the caller's own; null: any. */
type Given<Params, Query, Body> = (Params extends TSchema ? Static<Params> : unknown) &
  (Query extends TSchema ? QueryOf<Query> : unknown) &
  (Body extends TSchema
    ? Static<Body> extends Uint8Array
      ? { readonly bytes: Static<Body> }
      : Static<Body>
    : unknown);

type Answered<Answer> = AdminOutcome<Answer> | Promise<AdminOutcome<Answer>>;

/** Defines a route by the permission that it needs, what it answers, and its input. */
export function route<
  Answer,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(
  operation: Permission,
  run: (asked: PageContext, given: Given<Params, Query, Body>) => Answered<Answer>,
  input: RouteInput<Params, Query, Body> = {},
): Route<Params, Query, Body, Answer> {
  return {
    ...input,
    operation,
    run: (asked, { params, query, body }) => {
      const filled = fillQuery(asked, input.query, query);
      if (!filled.ok) return filled;
      const raw: unknown = body;
      const brought = raw instanceof Uint8Array ? { bytes: raw } : raw;
      return run(asked, Object.assign({}, params, filled.value, brought) as Given<Params, Query, Body>);
    },
  };
}

function fillQuery(
  asked: PageContext,
  schema: TSchema | undefined,
  query: unknown,
): AdminOutcome<Readonly<Record<string, unknown>>> {
  const { properties = {} }: { readonly properties?: object } = schema ?? {};
  const brought: Readonly<Record<string, unknown>> = { ...Object(query) };
  const filled = Object.keys(properties).map((name) => [
    name,
    getOwn(brought, name) ?? (name === "limit" ? USUAL_ROWS : null),
  ]);
  const values = Object.fromEntries(filled);
  if (!("account" in properties)) return done(values);
  const account = resolveAccountFilter(asked, values.account ?? undefined);
  return account.ok ? done({ ...values, account: account.value }) : account;
}

/** Defines a route about one thing of the caller's own that its path names. */
export function routeOn<
  Answer,
  Params extends TSchema,
  Subject,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(
  { params, find }: PathSubject<Params, Subject>,
  operation: Permission,
  run: (asked: PageContext, subject: Subject, given: Given<Params, Query, Body>) => Answered<Answer>,
  input: Omit<RouteInput<Params, Query, Body>, "params"> = {},
): Route<Params, Query, Body, Answer> {
  return route<Answer, Params, Query, Body>(
    operation,
    (asked, given) => {
      const subject = find(asked, given as Static<Params>);
      return subject.ok ? run(asked, subject.value, given) : subject;
    },
    { ...input, params },
  );
}

const FILE = Symbol("file");

/** A download, one piece at a time. */
export type Download = {
  readonly [FILE]: true;
  readonly name: string;
  readonly type: string;
  readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
};

/** A file of comma-separated values. */
export function csvFile(name: string, pieces: Download["pieces"]): Download {
  return { [FILE]: true, name, type: "text/csv; charset=utf-8", pieces };
}

/** A file that is made in one piece. */
export function wholeFile(name: string, type: string, content: Uint8Array): Download {
  return { [FILE]: true, name, type, pieces: [content] };
}

export function isDownload(value: unknown): value is Download {
  return typeof value === "object" && value !== null && FILE in value;
}
