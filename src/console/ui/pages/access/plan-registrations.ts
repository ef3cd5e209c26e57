/**
 * How the registrations of a sender become those that were ticked, step by step, so that no step takes away what stays: what waits under
 * the sender would fail meanwhile.
 */

/** A route to an operator, by name. */
type Route = { readonly operator: string; readonly route: string };

type Step = { readonly verb: "register" | "unregister"; readonly operator: string };

/**
 * The steps from the codes that a sender is registered for to those that are `chosen`: an operator's stands for all of its routes,
 * "orange/agg" for one. Pure. From all routes to some, each of the others but one is registered by itself first, or the server
 * refuses. Where every route is chosen by itself, the registration for all stays.
 */
export function planRegistrations(
  known: readonly string[],
  chosen: readonly string[],
  routes: readonly Route[],
): readonly Step[] {
  const routesOf = (operator: string) =>
    routes.filter((one) => one.operator === operator).map(({ route }) => `${operator}/${route}`);
  /** What is ticked of an operator by itself counts while the operator is not. */
  const wanted = chosen.filter((code) => !code.includes("/") || !chosen.includes(toOperator(code)));
  const narrowed = known.filter(
    (code) => !wanted.includes(code) && wanted.some((one) => one.startsWith(`${code}/`)),
  );
  const narrowing = narrowed.flatMap((operator): Step[] => {
    const all = routesOf(operator);
    const [last, ...others] = all.filter((code) => !wanted.includes(code));
    if (last === undefined) return [];
    const first = all.filter((code) => code !== last && !known.includes(code));
    return [...toSteps("register", first), ...toSteps("unregister", [last, ...others])];
  });
  const isElsewhere = (code: string) => !narrowed.includes(toOperator(code));
  const added = wanted.filter((code) => isElsewhere(code) && !known.includes(code));
  const gone = known.filter(
    (code) => isElsewhere(code) && !wanted.includes(code) && !wanted.includes(toOperator(code)),
  );
  return [...toSteps("register", added), ...narrowing, ...toSteps("unregister", gone)];
}

function toOperator(code: string): string {
  return code.split("/", 1)[0] ?? code;
}

function toSteps(verb: Step["verb"], codes: readonly string[]): Step[] {
  return codes.map((operator) => ({ verb, operator }));
}
