/** A request's target apart: scheme and host, path, and the query string after the question mark. */
export type Target = {
  /** Where the path begins in the URL. */
  readonly pathAt: number;
  readonly path: string;
  readonly query: string;
};

/**
 * Takes the URL of a request apart. The runtime has resolved dot segments, `%2e%2e` among them (RFC 3986 section 6.2.2);
 * nothing else is decoded or normalised. A request without a usable Host has a URL that begins with its path.
 */
export function targetOf(url: string): Target {
  const pathAt = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const queryAt = url.indexOf("?", pathAt);
  return queryAt === -1
    ? { pathAt, path: url.slice(pathAt), query: "" }
    : { pathAt, path: url.slice(pathAt, queryAt), query: url.slice(queryAt + 1) };
}

export function queryOf(request: Request): URLSearchParams {
  return new URLSearchParams(targetOf(request.url).query);
}

/** Elysia looks for the path from this place of the URL on, and would miss it behind a host of one to three letters. */
const ELYSIA_PATH_FROM = 11;

/** The request as Elysia can route it: the same one, unless its host is too short for Elysia. */
export function routable(request: Request, target: Target): Request {
  if (target.pathAt >= ELYSIA_PATH_FROM) return request;
  return new Request(`http://localhost${request.url.slice(target.pathAt)}`, request);
}
