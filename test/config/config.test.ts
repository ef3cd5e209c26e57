import { describe, expect, test } from "vitest";
import { canReceive, canSubmit, operatorMaxSegments, responseActions } from "../../src/config/config.ts";
import { configOf, connection, operator } from "./sample.ts";

function orange(changes: Record<string, unknown>) {
  return configOf({ operators: { orange: operator(changes) } }).operators.orange!;
}

describe("connections", () => {
  test("a transceiver does both, the others one thing each", () => {
    const binds = ["transceiver", "transmitter", "receiver"] as const;
    expect(binds.map((bind) => canSubmit({ bind }))).toEqual([true, true, false]);
    expect(binds.map((bind) => canReceive({ bind }))).toEqual([true, false, true]);
  });

  test("the longest message is the least of the connections that can submit", () => {
    const connections = [
      connection({ max_segments: 10 }),
      connection({ max_segments: 6 }),
      connection({ max_segments: 2, bind: "receiver" }),
    ];
    expect(operatorMaxSegments(orange({ connections }), "OTP")).toBe(6);
    expect(operatorMaxSegments(orange({}), "OTP")).toBe(255);
  });

  test("the longest message of a class is the least of the routes that carry it", () => {
    const routed = orange({
      routes: { direct: { order: 1 }, agg: { order: 2, classes: ["OTP"] } },
      connections: [
        connection({ route: "direct", max_segments: 10 }),
        connection({ route: "agg", max_segments: 1 }),
      ],
    });
    expect(operatorMaxSegments(routed, "OTP")).toBe(1);
    expect(operatorMaxSegments(routed, "MARKETING")).toBe(10);
  });
});

describe("responses", () => {
  test("are read as numbers, however they are written", () => {
    const responses = { "0x45": "retry", "0x0000040A": "fail" };
    expect([...responseActions(orange({ responses }))]).toEqual([
      [0x45, "retry"],
      [0x40a, "fail"],
    ]);
    expect(responseActions(orange({})).size).toBe(0);
  });
});
