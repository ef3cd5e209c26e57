import { describe, expect, test } from "vitest";
import { parseCostMilli } from "../../src/config/route-schema.ts";
import { findRouteWarnings } from "../../src/config/route-warnings.ts";
import { configOf, connection, faultsOf, operator } from "./sample.ts";

type Table = Readonly<Record<string, unknown>>;

const twoRoutes = { direct: { order: 1 }, agg: { order: 2 } };
const faultsIn = (routes: Table, connections: readonly Table[]): string[] =>
  faultsOf({ operators: { orange: operator({ routes, connections }) } });
const by = (route: string, changes: Table = {}) => connection({ route, ...changes });

describe("routes", () => {
  test("take the defaults of the contract", () => {
    const routes = { direct: { order: 1 }, agg: { order: 2 } };
    const connections = [by("direct"), by("agg")];
    const { orange } = configOf({ operators: { orange: operator({ routes, connections }) } }).operators;
    expect(orange?.routes.agg).toEqual({
      order: 2,
      classes: ["OTP", "TRANSACTIONAL", "MARKETING"],
      share: 100,
      responses: {},
      reroute_on: [],
      reroute_later: { OTP: 0, TRANSACTIONAL: 0, MARKETING: 0 },
      ill_below: { points: 0, messages: 50 },
      second_after_seconds: 0,
      accept_doubles: false,
      yield_seconds: { OTP: 2, TRANSACTIONAL: 30, MARKETING: 600 },
    });
  });

  test("one of the seconds leaves the others at their defaults", () => {
    const routes = { direct: { order: 1, yield_seconds: { OTP: 5 } } };
    const config = configOf({ operators: { orange: operator({ routes, connections: [by("direct")] }) } });
    expect(config.operators.orange?.routes.direct?.yield_seconds).toEqual({
      OTP: 5,
      TRANSACTIONAL: 30,
      MARKETING: 600,
    });
  });

  test("are named by every connection, or there are none", () => {
    expect(faultsIn(twoRoutes, [by("direct"), by("agg"), connection()])).toEqual([
      "operators.orange.connections[2].route: nothing, route_of_connection(direct, agg)",
    ]);
    expect(faultsIn({}, [by("direct")])).toEqual([
      'operators.orange.connections[0].route: "direct", route_table(orange, direct)',
    ]);
    expect(faultsIn(twoRoutes, [by("direct"), by("agg"), by("ag")])).toEqual([
      'operators.orange.connections[2].route: "ag", route_table(orange, ag)',
    ]);
  });

  test("have a connection that can submit", () => {
    expect(faultsIn(twoRoutes, [by("direct"), by("agg", { bind: "receiver" })])).toEqual([
      'operators.orange.routes.agg: nothing, route_connection(one_of("transceiver", "transmitter"))',
    ]);
    expect(faultsIn(twoRoutes, [by("direct")])).toEqual([
      'operators.orange.routes.agg: nothing, route_connection(one_of("transceiver", "transmitter"))',
    ]);
  });

  test("send a second SMS only where doubles are accepted, after half a minute, within the validity, and with receipts", () => {
    const connections = [by("direct"), by("agg")];
    const second = (changes: Table) =>
      faultsIn({ direct: { order: 1, accept_doubles: true, ...changes }, agg: { order: 2 } }, connections);
    const key = "operators.orange.routes.direct.second_after_seconds";
    expect(second({ second_after_seconds: 30 })).toEqual([]);
    expect(second({ second_after_seconds: 600 })).toEqual([]);
    expect(second({ second_after_seconds: 29 })).toEqual([`${key}: 29, second_least(30)`]);
    expect(second({ second_after_seconds: 601 })).toEqual([`${key}: 601, second_most(600)`]);
    expect(second({ second_after_seconds: 60, receipts: false })).toEqual([`${key}: 60, second_receipts`]);
    expect(second({ second_after_seconds: 60, accept_doubles: false })).toEqual([
      "operators.orange.routes.direct.accept_doubles: false, second_doubles",
    ]);
  });

  test("are eight at most", () => {
    const names = Array.from({ length: 9 }, (_, place) => `r${place}`);
    const routes = Object.fromEntries(names.map((name) => [name, { order: 1 }]));
    const lines = faultsIn(
      routes,
      names.map((name) => by(name)),
    );
    expect(lines).toEqual(["operators.orange.routes: 9, few_routes(8)"]);
  });

  test.each(["Direct", "a".repeat(21), "a_b", "a/b"])("a name is short and plain, not %s", (name) => {
    const [first] = faultsIn({ [name]: { order: 1 } }, [connection({ route: "x" })]);
    expect(first).toContain("operators.orange.");
    expect(faultsIn({ [name]: { order: 1 } }, [connection({ route: "x" })]).join("\n")).toContain(
      "route_name",
    );
  });

  test("of one order have a share above 0 among them", () => {
    const routes = { direct: { order: 1, share: 0 }, agg: { order: 1, share: 0 } };
    expect(faultsIn(routes, [by("direct"), by("agg")])).toEqual([
      "operators.orange.routes.direct.share: 0, route_share(1)",
    ]);
    const half = { direct: { order: 1, share: 0 }, agg: { order: 1 } };
    expect(faultsIn(half, [by("direct"), by("agg")])).toEqual([]);
  });

  test("carry every class together", () => {
    const routes = { direct: { order: 1, classes: ["OTP"] }, agg: { order: 2, classes: ["TRANSACTIONAL"] } };
    expect(faultsIn(routes, [by("direct"), by("agg")])).toEqual([
      "operators.orange.routes: nothing, route_class(MARKETING)",
    ]);
  });

  test("take codes as manuals write them, none of which responses would try again", () => {
    const routes = (reroute_on: readonly string[]) => ({ direct: { order: 1, reroute_on } });
    expect(faultsIn(routes(["0x45", "0x0000040A"]), [by("direct")])).toEqual([]);
    expect(faultsIn(routes(["45"]), [by("direct")])).toHaveLength(1);
    expect(faultsIn(routes(["0x0"]), [by("direct")])).toHaveLength(1);
    const twice = operator({
      routes: routes(["0x14"]),
      connections: [by("direct")],
      responses: { "0x14": "pause" },
    });
    expect(faultsOf({ operators: { orange: twice } })).toEqual([
      'operators.orange.routes.direct.reroute_on[0]: "0x14", reroute_on(pause)',
    ]);
  });

  test.each([
    [{ points: 101 }, "points"],
    [{ points: -1 }, "points"],
    [{ points: 30, messages: 9 }, "messages"],
    [{ points: 30, messages: 1001 }, "messages"],
    [{ points: 30, receipts: 50 }, "receipts"],
    [{ points: "30" }, "points"],
  ])("are ill below points and messages that mean something, not %j", (ill_below, key) => {
    const [first, ...more] = faultsIn({ direct: { order: 1, ill_below } }, [by("direct")]);
    expect(first).toContain(`operators.orange.routes.direct.ill_below.${key}: `);
    expect(more).toEqual([]);
  });

  test("that bring no receipts are not judged by them", () => {
    const ill_below = { points: 30 };
    expect(faultsIn({ direct: { order: 1, receipts: false, ill_below } }, [by("direct")])).toEqual([
      "operators.orange.routes.direct.ill_below.points: 30, ill_below",
    ]);
    expect(faultsIn({ direct: { order: 1, ill_below } }, [by("direct")])).toEqual([]);
  });

  test("have an order from 1 to 99, and no other keys", () => {
    expect(faultsIn({ direct: { order: 0 } }, [by("direct")])).toHaveLength(1);
    expect(faultsIn({ direct: {} }, [by("direct")])).toHaveLength(1);
    expect(faultsIn({ direct: { order: 1, orders: 2 } }, [by("direct")])).toHaveLength(1);
  });
});

describe("a throughput that is shared", () => {
  const other = (changes: Table) => operator({ prefixes: ["22601"], connections: [connection(changes)] });
  const faults = (one: Table, another: Table): string[] =>
    faultsOf({ operators: { orange: operator({ connections: [connection(one)] }), moov: other(another) } });

  test("is the same of all connections with its word, whatever their operator", () => {
    expect(faults({ shared_pace: "agg1", throughput: 20 }, { shared_pace: "agg1", throughput: 20 })).toEqual(
      [],
    );
    expect(faults({ shared_pace: "agg1", throughput: 20 }, { shared_pace: "agg2", throughput: 30 })).toEqual(
      [],
    );
    expect(faults({ throughput: 20 }, { throughput: 30 })).toEqual([]);
    expect(faults({ shared_pace: "agg1", throughput: 20 }, { shared_pace: "agg1" })).toEqual([
      "operators.moov.connections[0].throughput: 30, same_pace(agg1, operators.orange.connections[0].throughput, 20)",
    ]);
  });

  test("has a word that is short and plain", () => {
    expect(faults({ shared_pace: "Agg 1" }, {})).toEqual([
      'operators.orange.connections[0].shared_pace: "Agg 1", route_name',
    ]);
  });
});

describe("shares of an order", () => {
  const warnings = (shares: readonly [number, number], links: readonly Table[]) => {
    const routes = {
      direct: { order: 1, share: shares[0] },
      agg: { order: 1, share: shares[1] },
      last: { order: 2 },
    };
    const connections = [...links, by("last", { throughput: 1 })];
    return findRouteWarnings(configOf({ operators: { orange: operator({ routes, connections }) } })).map(
      ({ operator, detail }) => [operator, detail.params],
    );
  };

  test("are warned of where they leave much of the throughput unused", () => {
    const links = [by("direct", { throughput: 30 }), by("agg", { throughput: 30 })];
    expect(warnings([60, 40], links)).toEqual([]);
    expect(warnings([70, 30], links)).toEqual([
      [
        "orange",
        {
          operator: "orange",
          order: 1,
          routes: "direct, agg",
          throughput: 60,
          reachable: 43,
          route: "direct",
        },
      ],
    ]);
    expect(warnings([100, 0], links)).toEqual([]);
    expect(warnings([70, 30], [...links, by("direct", { throughput: 40 })])).toEqual([]);
  });

  test("count a throughput that routes share once, in equal parts, and none of receivers", () => {
    const shared = { throughput: 30, shared_pace: "agg1" };
    expect(warnings([50, 50], [by("direct", shared), by("agg", shared)])).toEqual([]);
    expect(warnings([50, 50], [by("direct", shared), by("direct", shared), by("agg", shared)])).toEqual([]);
    const links = [by("direct"), by("agg"), by("agg", { bind: "receiver", throughput: 300 })];
    expect(warnings([50, 50], links)).toEqual([]);
  });
});

test("a refusal that speaks of the number, and leads to the next route, is warned of", () => {
  const routes = (code: string) => ({ direct: { order: 1, reroute_on: ["0x45", code] }, agg: { order: 2 } });
  const warningsOf = (code: string) => {
    const connections = [by("direct"), by("agg")];
    const config = configOf({ operators: { orange: operator({ routes: routes(code), connections }) } });
    return findRouteWarnings(config).map(({ code, detail }) => [code, detail.params]);
  };
  expect(warningsOf("0x0b")).toEqual([["REROUTE_ON_NUMBER", { route: "orange/direct", code: "0x0b" }]]);
  expect(warningsOf("0x0A")).toEqual([]);
});

describe("what a route costs", () => {
  test.each([
    ["0", 0],
    ["9", 9000],
    ["11.5", 11_500],
    ["11.1", 11_100],
    ["0.001", 1],
    ["1.05", 1050],
    ["999999.999", 999_999_999],
  ])("%s XOF is exact in thousandths", (cost, milli) => {
    expect(parseCostMilli(cost)).toBe(milli);
  });

  test.each(["", "9,5", "1.2345", "-1", "+1", "1e3", " 9", "9.", ".5", "1000000"])(
    "%j is no cost, and refused with what is expected",
    (cost) => {
      expect(parseCostMilli(cost)).toBeNull();
      expect(faultsIn({ direct: { order: 1, cost } }, [by("direct")])).toEqual([
        `operators.orange.routes.direct.cost: ${JSON.stringify(cost)}, route_cost`,
      ]);
    },
  );

  test("is a text: a number could not hold every thousandth", () => {
    expect(faultsIn({ direct: { order: 1, cost: 9 } }, [by("direct")])).toEqual([
      "operators.orange.routes.direct.cost: unquoted(9), route_cost",
    ]);
  });

  test("is unknown where it is left out, and not 0", () => {
    const routes = { direct: { order: 1 }, agg: { order: 2, cost: "0" } };
    const { orange } = configOf({
      operators: { orange: operator({ routes, connections: [by("direct"), by("agg")] }) },
    }).operators;
    expect([orange?.routes.direct?.cost, orange?.routes.agg?.cost]).toEqual([undefined, "0"]);
  });
});
