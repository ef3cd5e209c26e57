/** The form of a further route to an operator that the console writes, and the request made of it. Pure. */
import type { Answer, Contract } from "../../api/contract.ts";
import { parseWholeNumber } from "../connect/operator-form.ts";
import {
  connectionFaults,
  NEW_CONNECTION,
  type OwnFault,
  type TypedConnection,
  writtenConnection,
} from "./operator-fields.ts";

type Written = NonNullable<Contract["POST /settings/preview"]["body"]["route"]>;
type WrittenRoute = Written["route"];
type Shown = Answer<"GET /settings">["operators"][number];
export type RouteClass = WrittenRoute["classes"][number];

export const ROUTE_CLASSES: readonly RouteClass[] = ["OTP", "TRANSACTIONAL", "MARKETING"];

/** As typed. */
export type TypedRoute = {
  readonly name: string;
  readonly order: string;
  readonly cost: string;
  readonly classes: readonly RouteClass[];
  /** Seconds. */
  readonly yields: Readonly<Record<RouteClass, string>>;
  readonly rerouteOn: string;
};

export type TypedAddition = {
  /** What the connections that there are become a route by; null where the operator has routes. */
  readonly first: TypedRoute | null;
  readonly route: TypedRoute;
  readonly connections: readonly TypedConnection[];
};

/** The parts of the form that are routes. */
export const ROUTE_PARTS = ["first", "route"] as const;
export type RoutePart = (typeof ROUTE_PARTS)[number];

/** The defaults of the configuration. */
function newRoute(name: string, order: number): TypedRoute {
  return {
    name,
    order: String(order),
    cost: "",
    classes: ROUTE_CLASSES,
    yields: { OTP: "2", TRANSACTIONAL: "30", MARKETING: "600" },
    rerouteOn: "",
  };
}

/** The form as it is opened: the new route comes after those that there are. */
export function additionTo({ routes }: Pick<Shown, "routes">): TypedAddition {
  const hasRoutes = routes.length > 0;
  const last = hasRoutes ? Math.max(...routes.map(({ order }) => order)) : 1;
  return {
    first: hasRoutes ? null : newRoute("direct", 1),
    route: newRoute("", Math.min(99, last + 1)),
    connections: [NEW_CONNECTION],
  };
}

/** What the form itself finds, before the server is asked: what cannot be sent as it is. By part and field. */
export function additionFaults({ first, route, connections }: TypedAddition): ReadonlyMap<string, OwnFault> {
  return new Map([
    ...(first === null ? [] : routeFaults("first", first)),
    ...routeFaults("route", route),
    ...connectionFaults(connections),
  ]);
}

function routeFaults(part: RoutePart, { name, order, yields }: TypedRoute): (readonly [string, OwnFault])[] {
  const isNamed = /^[a-z0-9-]{1,20}$/.test(name.trim());
  const numbers = [
    ["order", order] as const,
    ...ROUTE_CLASSES.map((one) => [`yield_seconds.${one}`, yields[one]] as const),
  ];
  return [
    ...(isNamed ? [] : [[`${part}.name`, "ROUTE"] as const]),
    ...numbers.flatMap(([field, text]) =>
      parseWholeNumber(text) === null ? [[`${part}.${field}`, "NUMBER"] as const] : [],
    ),
  ];
}

/** The key of the configuration that a field of the form is at. `there`: connections that the operator has already. */
export function keyOfField(
  code: string,
  there: number,
  { first, route }: TypedAddition,
  field: string,
): string {
  const operator = `operators.${code}`;
  const place = /^connections\[(\d+)\](.*)$/.exec(field);
  if (place) return `${operator}.connections[${there + Number(place[1])}]${place[2]}`;
  const [part = "", ...rest] = field.split(".");
  const name = (part === "first" ? first : route)?.name.trim() ?? "";
  const below = rest.join(".");
  return below === "name" ? `${operator}.routes.${name}` : `${operator}.routes.${name}.${below}`;
}

export function writtenAddition(code: string, { first, route, connections }: TypedAddition): Written {
  return {
    code,
    first: first && writtenRoute(first),
    route: writtenRoute(route),
    connections: connections.map((one) => {
      const { was: _, route: __, ...written } = writtenConnection(one);
      return written;
    }),
  };
}

function writtenRoute({ name, order, cost, classes, yields, rerouteOn }: TypedRoute): WrittenRoute {
  const whole = (text: string) => parseWholeNumber(text) ?? -1;
  const amount = cost.trim().replace(",", ".");
  return {
    name: name.trim(),
    order: whole(order),
    cost: amount === "" ? null : amount,
    // In the order of the configuration's default, whatever was ticked first.
    classes: ROUTE_CLASSES.filter((one) => classes.includes(one)),
    yield_seconds: {
      OTP: whole(yields.OTP),
      TRANSACTIONAL: whole(yields.TRANSACTIONAL),
      MARKETING: whole(yields.MARKETING),
    },
    reroute_on: rerouteOn.split(/[\s,;]+/).filter((status) => status !== ""),
  };
}
