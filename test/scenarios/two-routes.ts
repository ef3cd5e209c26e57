/** The appliance whole, over sockets, with two simulated operators: the network's own, and an aggregator that is the second route to it. */
import type { Config, ConnectionConfig, RouteConfig } from "../../src/config/config.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { configOf, operator } from "../config/sample.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type Client, type Stage, stage } from "./stage.ts";

/** Settings as a configuration writes them. */
export type Changes = Readonly<Record<string, unknown>>;

export type TwoRoutes = {
  readonly whole: Stage;
  /** The operator of the route `direct`, and that of the route `agg`. */
  readonly direct: TestSmsc;
  readonly agg: TestSmsc;
  readonly client: Client;
  /** What is in force at first: the operator without routes. */
  readonly atStart: Config;
  /** A configuration with both routes; `ofLinks` is of the connections of both. */
  readonly withRoutes: (ofDirect?: Changes, ofAgg?: Changes, ofLinks?: Partial<ConnectionConfig>) => Config;
  /** Puts a configuration in force, and waits until the aggregator is bound. */
  readonly take: (config: Config) => Promise<void>;
  /** Lets time pass until something is so. */
  readonly pass: (isWanted: () => unknown) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function twoRoutes(): Promise<TwoRoutes> {
  const whole = await stage();
  const agg = await testSmsc({ clock: whole.clock, chance: seededChance(2), quirks: PLAIN });
  const atStart = whole.settings.now();
  const orange = atStart.operators.orange;
  const link = orange?.connections[0];
  if (!orange || !link) throw new Error("the stage has an operator with a connection");
  const pass = async (isWanted: () => unknown): Promise<void> => {
    while (!(await isWanted())) await whole.clock.advance(20);
  };
  return {
    whole,
    direct: whole.smsc,
    agg,
    client: await whole.client(),
    atStart,
    withRoutes: (ofDirect = { order: 1 }, ofAgg = { order: 2 }, ofLinks = {}) => ({
      ...atStart,
      operators: {
        orange: {
          ...orange,
          routes: { direct: routeOf(ofDirect), agg: routeOf(ofAgg) },
          connections: [
            { ...link, ...ofLinks, route: "direct" },
            { ...link, ...ofLinks, route: "agg", port: agg.port },
          ],
        },
      },
    }),
    take: async (config) => {
      whole.write(config);
      await whole.admin("config reload");
      await pass(() => countBinds(agg) > 0);
    },
    pass,
    close: async () => {
      await whole.close();
      await agg.stop();
    },
  };
}

/** A route as the configuration makes one, beside another that carries every class. */
function routeOf(changes: Changes): RouteConfig {
  const connections = ["one", "rest"].map((route) => ({ host: route, system_id: "s", password: "p", route }));
  const routes = { one: changes, rest: { order: 99 } };
  const config = configOf({ operators: { orange: operator({ routes, connections }) } });
  return config.operators.orange!.routes.one!;
}

/** How often somebody has bound to an operator. */
export function countBinds(smsc: TestSmsc): number {
  return smsc.events.filter(({ kind }) => kind === "bound").length;
}

export function countSubmits(smsc: TestSmsc): number {
  return smsc.stats().submits;
}
