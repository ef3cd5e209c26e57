/** What is typed of a further route, and what is asked of it. */
import { describe, expect, test } from "vitest";
import {
  additionFaults,
  additionTo,
  keyOfField,
  type TypedAddition,
  writtenAddition,
} from "../../src/console/ui/pages/configure/route-fields.ts";

const connection = (typed: TypedAddition) => ({ ...typed.connections[0]!, host: " agg.example.net " });
const SECOND = additionTo({ routes: [] });
const typed: TypedAddition = {
  first: { ...SECOND.first!, cost: "9" },
  route: { ...SECOND.route, name: " agg ", cost: "11,5", rerouteOn: "0x45, 0x0A;0x14" },
  connections: [connection(SECOND)],
};

describe("a further route", () => {
  test("comes after those that there are, or makes a first one of what is there", () => {
    expect(SECOND).toMatchObject({ first: { name: "direct", order: "1" }, route: { order: "2" } });
    const third = additionTo({
      routes: [
        { name: "direct", order: 1 },
        { name: "agg", order: 7 },
      ],
    });
    expect(third).toMatchObject({ first: null, route: { order: "8" } });
  });

  test("is asked for as it was typed, with a French comma in its cost", () => {
    const classes = ["OTP", "TRANSACTIONAL", "MARKETING"];
    const yields = { OTP: 2, TRANSACTIONAL: 30, MARKETING: 600 };
    expect(
      writtenAddition("moov", { ...typed, route: { ...typed.route, classes: ["MARKETING", "OTP"] } }),
    ).toEqual({
      code: "moov",
      first: { name: "direct", order: 1, cost: "9", classes, yield_seconds: yields, reroute_on: [] },
      route: {
        name: "agg",
        order: 2,
        cost: "11.5",
        classes: ["OTP", "MARKETING"],
        yield_seconds: yields,
        reroute_on: ["0x45", "0x0A", "0x14"],
      },
      connections: [
        {
          host: "agg.example.net",
          port: 2775,
          system_id: "",
          password: "",
          bind: "transceiver",
          window: 10,
          throughput: 30,
        },
      ],
    });
    expect(writtenAddition("moov", SECOND).first).toMatchObject({ cost: null });
  });

  test("is told what cannot be sent at the field of it", () => {
    expect([...additionFaults(typed).keys()]).toEqual([]);
    const wrong: TypedAddition = {
      first: { ...SECOND.first!, name: "Direct!" },
      route: { ...typed.route, order: "two", yields: { ...typed.route.yields, OTP: "" } },
      connections: [{ ...connection(SECOND), port: "" }],
    };
    expect([...additionFaults(wrong)]).toEqual([
      ["first.name", "ROUTE"],
      ["route.order", "NUMBER"],
      ["route.yield_seconds.OTP", "NUMBER"],
      ["connections[0].port", "NUMBER"],
    ]);
  });

  test("has each field at its key of the configuration", () => {
    const keys = ["first.cost", "route.name", "route.yield_seconds.OTP", "connections[0].host"];
    expect(keys.map((field) => keyOfField("moov", 2, typed, field))).toEqual([
      "operators.moov.routes.direct.cost",
      "operators.moov.routes.agg",
      "operators.moov.routes.agg.yield_seconds.OTP",
      "operators.moov.connections[2].host",
    ]);
  });
});
