/** Mounts the route table on a set of the router: the permission is checked first, then the body is read, then the route answers. */
import type { Clock } from "../../../core/clock.ts";
import { fairScheduler } from "../../../core/concurrency.ts";
import { streamedResponse } from "../../../core/http-connection.ts";
import { accountUlid } from "../../../domain/accounts/accounts.ts";
import { may, type Permission } from "../../../domain/accounts/roles.ts";
import { type Phrase, phrase } from "../../../i18n/phrase.ts";
import { renderTo } from "../../../i18n/text.ts";
import { declaredBytes, findBodyHeadFault, readBody } from "../../../ingress/http/body.ts";
import { type BodyBudget, type BodyClaim, bodyBudget } from "../../../ingress/http/body-budget.ts";
import type { FailureCode } from "../../../ingress/http/error-codes.ts";
import { parseJson } from "../../../ingress/http/json.ts";
import { jsonAnswer } from "../../../ingress/http/problem.ts";
import type { KnownCaller, RequestContext } from "../../../ingress/http/request-context.ts";
import type { createRoutes, RouteContext } from "../../../ingress/http/router.ts";
import type { Permit } from "../console.ts";
import { resolvePageReader } from "../principal.ts";
import { type ConsoleLimits, TRANSFER_RETRY_SECONDS, toShareKey } from "../rate-limits.ts";
import { noteRefusalCause } from "../refusals.ts";
import { MAX_FILE_BYTES } from "../send/file-jobs.ts";
import { createUploads } from "../send/uploads.ts";
import type { ConsoleRoutes } from "../sign-in-routes.ts";
import type { PageContext } from "./request-context.ts";
import type { Download, Route } from "./route.ts";
import { type Refused, runRoute } from "./run-route.ts";
import { ROUTES } from "./table.ts";

/** Largest body of most routes; those that take a file set their own. */
const USUAL_BYTES = 65_536;

type MountDeps<Caller extends KnownCaller> = {
  readonly clock: Clock;
  readonly limits: ConsoleLimits;
  /** Returns the caller's context, or the answer that refuses them. */
  readonly askedOf: (exchange: RequestContext<Caller>, operation: Permission) => PageContext | Response;
};

/** A set of routes to be filled. */
type RouteSet<Caller extends KnownCaller> = ReturnType<typeof createRoutes<Caller>>;

/** Adds every route of the table to a set. */
export function mountRouteTable<Caller extends KnownCaller>(
  set: RouteSet<Caller>,
  deps: MountDeps<Caller>,
): void {
  const turn = fairScheduler(deps.clock);
  const budget = bodyBudget(MAX_FILE_BYTES, deps.clock);
  const bodyOf = (asking: OneRequest, { takesFile, mostBytes = USUAL_BYTES }: Route): Promise<ReadBody> =>
    takesFile === undefined ? jsonOf(asking, mostBytes) : fileOf(asking, takesFile.tooLarge);
  for (const [name, route] of Object.entries(ROUTES) as unknown as readonly [string, Route][]) {
    const [method = "", path = ""] = name.split(" ");
    const { rateLimit } = route;
    /** Returns the seconds until the same may be done to that again; null: at once. */
    const waitFor = (
      { user, account }: PageContext,
      params: RequestInput["params"] | undefined,
    ): number | null => {
      if (rateLimit === undefined) return null;
      return deps.limits.takeRateLimit(
        rateLimit,
        [account ?? user, ...Object.values(params ?? {})].join(" "),
      );
    };
    const handler = async ({
      exchange,
      request,
      params,
    }: RouteContext<Caller> & RequestInput): Promise<Response> => {
      const asked = deps.askedOf(exchange, route.operation);
      if (asked instanceof Response) return asked;
      const wait = waitFor(asked, params);
      if (rateLimit && wait !== null) return tooMuch(asked, exchange, rateLimit.tooOften, wait);
      const end = isTransfer(path, route) ? deps.limits.beginTransfer(asked) : () => {};
      if (end === null) {
        const answer = tooMuch(asked, exchange, TOO_MANY_FILES, TRANSFER_RETRY_SECONDS);
        // The rest of a file may still arrive.
        if (request.body !== null) answer.headers.set("connection", "close");
        return answer;
      }
      const claims = bodyClaims(budget, asked);
      let isFetched = false;
      try {
        const body = await bodyOf({ exchange, asked, request, clock: deps.clock, claims }, route);
        if (!body.ok) return body.answer;
        const query = Object.fromEntries(new URL(request.url).searchParams);
        const answered = await runRoute(route, asked, { params, query, body: body.json });
        switch (answered.kind) {
          case "data":
            return jsonAnswer(200, JSON.stringify(answered.data));
          case "file":
            isFetched = true;
            return fileAnswer(answered.file, turn, end);
          case "refused":
            if (answered.status === 404 && asked.account !== null) noteRefusalCause(exchange, "NOT_THEIRS");
            if (route.takesFile && answered.code === "INVALID_FILE")
              noteRefusalCause(exchange, "FILE_REFUSED");
            return refusal(asked, exchange, answered);
        }
      } finally {
        claims.release();
        if (!isFetched) end();
      }
    };
    set.route(method, path, handler, { parse: "none" });
  }
}

const TOO_MANY_FILES = phrase("refusal.RATE_LIMITED.files_read");

/** Whether a route uploads or downloads a file. */
function isTransfer(path: string, { takesFile, mostBytes = 0 }: Route): boolean {
  return takesFile !== undefined || mostBytes > USUAL_BYTES || path.endsWith(".csv");
}

/** Claims budget for a body, which is in memory until its request is answered. Users of one account share a bound. */
function bodyClaims(budget: BodyBudget, asked: PageContext) {
  const claims: BodyClaim[] = [];
  return {
    take: (longest: number): BodyClaim => {
      const claim = budget.claim(toShareKey(asked), longest);
      claims.push(claim);
      return claim;
    },
    release: (): void => {
      for (const claim of claims) claim.release();
    },
  };
}

/** A request whose body is to be read. */
type OneRequest = {
  readonly exchange: RequestContext;
  readonly asked: PageContext;
  readonly request: Request;
  readonly clock: Clock;
  readonly claims: ReturnType<typeof bodyClaims>;
};

type RequestInput = { readonly request: Request; readonly params: Readonly<Record<string, string>> };

type ReadBody =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly answer: Response };

async function jsonOf(
  { exchange, asked, request, clock, claims }: OneRequest,
  most: number,
): Promise<ReadBody> {
  const hasBody = request.headers.has("transfer-encoding") || (declaredBytes(request.headers) ?? 0) > 0;
  if (!hasBody) return { ok: true, json: undefined };
  const no = (detail: Phrase, headers: Readonly<Record<string, string>> = {}): ReadBody => {
    const answer = refusal(asked, exchange, { status: 422, code: "VALIDATION_FAILED", detail }, headers);
    return { ok: false, answer };
  };
  // The rest of it may still arrive.
  const close = { connection: "close" };
  const fault = findBodyHeadFault(request.headers, most);
  if (fault !== null) return no(fault.detail, close);
  const body = await readBody(request, most, clock, claims.take);
  if (!body.ok && body.refusal.code === "SERVICE_UNAVAILABLE")
    return busy(asked, exchange, body.refusal.detail);
  if (!body.ok) return no(body.refusal.detail, close);
  const json = parseJson(body.value);
  return json.ok ? { ok: true, json: json.value } : no(json.refusal.detail);
}

async function fileOf(
  { exchange, asked, request, clock, claims }: OneRequest,
  tooLarge: Phrase,
): Promise<ReadBody> {
  const read = await readFileBody(request, { clock, claim: claims.take, mostBytes: MAX_FILE_BYTES });
  // From here on the upload store bounds its memory.
  claims.release();
  if (read.ok) return { ok: true, json: read.bytes };
  noteRefusalCause(exchange, "FILE_REFUSED");
  const told = read.isTooLarge ? { status: 413, detail: tooLarge } : { status: 422, detail: read.detail };
  // The rest of it may still arrive.
  const headers = { connection: "close" };
  return { ok: false, answer: refusal(asked, exchange, { ...told, code: "INVALID_FILE" }, headers) };
}

/** Refuses a body for which there is no memory, because others hold it. */
function busy(asked: PageContext, exchange: RequestContext, detail: Phrase): ReadBody {
  const headers = { "retry-after": String(TRANSFER_RETRY_SECONDS), connection: "close" };
  return { ok: false, answer: refusal(asked, exchange, { status: 503, code: "NOT_NOW", detail }, headers) };
}

/** Refuses a caller who is over a rate limit. */
function tooMuch(
  asked: PageContext,
  exchange: RequestContext,
  detail: Phrase,
  retrySeconds: number,
): Response {
  return refusal(asked, exchange, { status: 429, code: "RATE_LIMITED", detail, retrySeconds });
}

/** What a refusal is to the log, which has its own code beside it, by its status. */
const IN_THE_LOG: Readonly<Record<number, FailureCode>> = {
  404: "NOT_FOUND",
  413: "VALIDATION_FAILED",
  422: "VALIDATION_FAILED",
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

function refusal(
  { translate }: PageContext,
  exchange: RequestContext,
  {
    status,
    code,
    detail,
    faults = [],
    retrySeconds,
  }: Omit<Refused, "kind" | "faults"> & Partial<Pick<Refused, "faults">>,
  more: Readonly<Record<string, string>> = {},
): Response {
  exchange.failure = IN_THE_LOG[status] ?? "VALIDATION_FAILED";
  exchange.answeredCode = code;
  const body = { status, code, detail: translate(detail), request_id: exchange.requestId };
  const seconds = retrySeconds ?? (status === 429 ? TRANSFER_RETRY_SECONDS : null);
  const headers = { ...(seconds === null ? {} : { "retry-after": String(seconds) }), ...more };
  const errors = faults.map(({ path, message }) => ({ path, message: translate(message) }));
  return jsonAnswer(status, JSON.stringify(errors.length > 0 ? { ...body, errors } : body), headers);
}

/** Streams a file, one piece a turn of the event loop. Calls `end` once nothing more of it is sent. */
function fileAnswer({ name, type, pieces }: Download, turn: () => Promise<void>, end: () => void): Response {
  const encoder = new TextEncoder();
  const each = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await turn();
        try {
          const piece = await each.next();
          if (!piece.done)
            return controller.enqueue(
              typeof piece.value === "string" ? encoder.encode(piece.value) : piece.value,
            );
        } catch (error) {
          end();
          throw error;
        }
        end();
        controller.close();
      },
      cancel: async () => {
        end();
        await each.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  // Whatever a name contains, it ends no header and begins no other.
  const named = name.replaceAll(/[^\w.-]/g, "-");
  const headers = { "content-type": type, "content-disposition": `attachment; filename="${named}"` };
  return streamedResponse(stream, { headers });
}

/** An uploaded file, or why it was not read. */
type FileBody =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly isTooLarge: false; readonly detail: Phrase }
  | { readonly ok: false; readonly isTooLarge: true };

type FileBodyDeps = {
  readonly clock: Clock;
  /** Claims memory; the caller releases it. */
  readonly claim: (longest: number) => BodyClaim;
  readonly mostBytes: number;
};

/** Sixteen megabytes over a slow telephone line. An upload that drips is cut as soon as others need its memory. */
const DEADLINE_MS = 600_000;

/** Reads a file that is the whole body of a request. One declared too large is refused before any of it is read. */
async function readFileBody(request: Request, { clock, claim, mostBytes }: FileBodyDeps): Promise<FileBody> {
  const declared = declaredBytes(request.headers);
  if (declared !== null && declared > mostBytes) return { ok: false, isTooLarge: true };
  if (request.headers.has("content-encoding")) {
    return { ok: false, isTooLarge: false, detail: phrase("refusal.VALIDATION_FAILED.encoding") };
  }
  const read = await readBody(request, mostBytes, clock, claim, DEADLINE_MS);
  if (read.ok) return { ok: true, bytes: read.value };
  return read.isTooLarge
    ? { ok: false, isTooLarge: true }
    : { ok: false, isTooLarge: false, detail: read.refusal.detail };
}

// Mounts the route table behind the console's guard.

/** Adds every route to the console's set: the `fill` of `console.ts`. */
export function mountConsoleRoutes(
  clock: Clock,
): (routes: ConsoleRoutes, permitted: Permit, limits: ConsoleLimits) => void {
  const files = createUploads(clock);
  return (routes, permitted, limits) =>
    mountRouteTable(routes, {
      clock,
      limits,
      askedOf: (exchange, operation) => {
        const found = permitted(exchange, operation);
        if (found instanceof Response) return found;
        const { context, accountId, visitor } = found;
        const { role } = visitor.principal;
        const language = visitor.reads;
        const reader = resolvePageReader(visitor, context.store.read, context.config);
        return {
          context,
          files,
          user: visitor.user.id,
          account: accountId === null ? null : accountUlid(context.store.read, accountId),
          // Operations staff need no amounts; everybody else pays, sells or explains them.
          seesMoney: role !== "OPERATIONS",
          may: (wanted) => may(role, wanted),
          language,
          translate: (phrase) => renderTo(reader, phrase),
        };
      },
    });
}
