/** What is allowed of routes, and still deserves a look. Pure. */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { type Config, canSubmit, type OperatorConfig, routeCode } from "./config.ts";

export type RouteWarning = {
  readonly code: "SHARE_UNREACHABLE" | "REROUTE_ON_NUMBER";
  readonly operator: string;
  readonly detail: Phrase;
};

/** The command_status ESME_RINVDSTADR (SMPP 3.4 section 5.1.3). */
const INVALID_DESTINATION = 0x0b;
/** Shares that leave less than this of the throughput usable do not fit it. */
const MIN_USABLE = 0.8;

export function findRouteWarnings({ operators }: Pick<Config, "operators">): RouteWarning[] {
  return [...findUnreachableShares(operators), ...findNumberRefusals(operators)];
}

/** ESME_RINVDSTADR speaks of the number: by the next route it is refused once more, or worse, accepted and billed. */
function findNumberRefusals(operators: Config["operators"]): RouteWarning[] {
  return Object.entries(operators).flatMap(([operator, { routes }]) =>
    Object.entries(routes).flatMap(([route, { reroute_on }]): RouteWarning[] => {
      const code = reroute_on.find((one) => Number(one) === INVALID_DESTINATION);
      if (code === undefined) return [];
      const detail = phrase("config.warning.reroute_on_number", { route: routeCode(operator, route), code });
      return [{ code: "REROUTE_ON_NUMBER", operator, detail }];
    }),
  );
}

/** Orders of routes that share otherwise than their connections can carry: shares hold exactly, so that the others wait for the slowest. */
function findUnreachableShares(operators: Config["operators"]): RouteWarning[] {
  return Object.entries(operators).flatMap(([operator, config]) =>
    [...Map.groupBy(sharingRoutes(config), ({ order }) => order)].flatMap(
      ([order, alike]): RouteWarning[] => {
        const throughput = alike.reduce((sum, route) => sum + route.throughput, 0);
        const shares = alike.reduce((sum, { share }) => sum + share, 0);
        const [slowest] = alike.toSorted((a, b) => a.throughput / a.share - b.throughput / b.share);
        if (slowest === undefined || alike.length < 2) return [];
        const reachable = (slowest.throughput * shares) / slowest.share;
        if (reachable >= MIN_USABLE * throughput) return [];
        const detail = phrase("config.warning.share_unreachable", {
          operator,
          order,
          routes: alike.map(({ route }) => route).join(", "),
          throughput: Math.round(throughput),
          reachable: Math.round(reachable),
          route: slowest.route,
        });
        return [{ code: "SHARE_UNREACHABLE", operator, detail }];
      },
    ),
  );
}

/** The routes that carry a share, with the throughput of their connections. */
function sharingRoutes({ routes, connections }: OperatorConfig) {
  const names = Object.keys(routes);
  const inOrder = (name: string) =>
    names.filter((other) => routes[other]?.order === routes[name]?.order && (routes[other]?.share ?? 0) > 0);
  return Object.entries(routes)
    .filter(([, { share }]) => share > 0)
    .map(([route, { order, share }]) => ({
      route,
      order,
      share,
      throughput: throughputOf({ connections }, route, inOrder(route)),
    }));
}

/** Submits a second by a route; what it shares with others of its order is theirs in equal parts. */
function throughputOf(
  { connections }: Pick<OperatorConfig, "connections">,
  route: string,
  alike: readonly string[],
): number {
  const sending = connections.filter(canSubmit);
  const own = sending.filter((connection) => connection.route === route);
  const ofWords = [...new Set(own.map(({ shared_pace: word }) => word))].flatMap((word) => {
    if (word === "") return [];
    const sharing = sending.filter((one) => one.shared_pace === word && alike.includes(one.route));
    const users = new Set(sharing.map((one) => one.route)).size;
    return [(own.find(({ shared_pace }) => shared_pace === word)?.throughput ?? 0) / users];
  });
  const alone = own.flatMap(({ shared_pace, throughput }) => (shared_pace === "" ? [throughput] : []));
  return [...ofWords, ...alone].reduce((sum, throughput) => sum + throughput, 0);
}
