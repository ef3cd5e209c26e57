import type { Scope } from "../accounts/scopes.ts";

/** One operation the server offers, as the gate must know it before Elysia routes the request. */
export type Route = {
  readonly method: string;
  /** As Elysia writes it: `/public/v1/batches/:batch_id`. */
  readonly path: string;
  /** What a key needs for it; null outside the API, where no key is asked for. */
  readonly scope: Scope | null;
};

/** All operations of one path. */
export type PathRoutes = {
  readonly path: string;
  readonly methods: ReadonlyMap<string, Route>;
  /** For the Allow header (RFC 9110 section 10.2.1). */
  readonly allow: string;
};

/** Finds the operations of a request's path, or null when no path of the server matches. */
export type RouteTable = (path: string) => PathRoutes | null;

/** Paths match to the letter: no trailing slash, no doubled one, no encoded letters. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const fixed = new Map<string, PathRoutes>();
  const patterns: { readonly steps: readonly string[]; readonly found: PathRoutes }[] = [];
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const methods = new Map(group.map((route) => [route.method, route]));
    const found = { path, methods, allow: [...methods.keys()].sort().join(", ") };
    if (path.includes(":")) patterns.push({ steps: path.split("/"), found });
    else fixed.set(path, found);
  }
  return (path) => {
    const found = fixed.get(path);
    if (found) return found;
    const steps = path.split("/");
    return patterns.find((pattern) => fits(steps, pattern.steps))?.found ?? null;
  };
}

function fits(steps: readonly string[], pattern: readonly string[]): boolean {
  return (
    steps.length === pattern.length &&
    pattern.every((wanted, place) => (wanted.startsWith(":") ? steps[place] !== "" : wanted === steps[place]))
  );
}
