import { expect, test } from "vitest";
import { operatorStatus } from "../../src/admin/operators.ts";
import { adminFixture, granted } from "./fixture.ts";

test("a running server tells of its connections", async () => {
  const fixture = adminFixture(() => [
    {
      operator: "orange",
      connections: [
        {
          connection: 1,
          host: "smsc",
          port: 1,
          bind: "transceiver",
          state: "BOUND",
          inFlight: 3,
          window: 10,
          rate: 12,
          throughput: 30,
          lastError: null,
        },
      ],
    },
  ]);
  expect(granted(operatorStatus(fixture.context))).toEqual({
    server: "running",
    connections: [
      {
        operator: "orange",
        connection: 1,
        host: "smsc",
        port: 1,
        bind: "transceiver",
        state: "BOUND",
        in_flight: 3,
        window: 10,
        rate: 12,
        throughput: 30,
        last_error: null,
      },
    ],
  });
  await fixture.close();
});

test("without a server every configured connection is closed, and it says why", async () => {
  const fixture = adminFixture();
  const status = granted(operatorStatus({ ...fixture.context, server: null }));
  expect(status.server).toBe("not running");
  expect(status.connections.map(({ operator, state, last_error }) => [operator, state, last_error])).toEqual([
    ["orange", "CLOSED", "server not running"],
    ["moov", "CLOSED", "server not running"],
  ]);
  expect(JSON.stringify(status)).not.toContain("secret99");
  await fixture.close();
});
