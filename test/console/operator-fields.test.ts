/** The form of an operator that stands there. */
import { expect, test } from "vitest";
import {
  typedOf,
  withConnection,
  writtenOperator,
} from "../../src/console/ui/pages/configure/operator-fields.ts";

const link = { system_id: "us", bind: "transceiver", window: 10, throughput: 30, route: "" } as const;
const shown = {
  code: "moov",
  in: "console",
  line: 3,
  name: "Moov Africa",
  prefixes: ["22660"],
  price: 12,
  receipts: true,
  routes: [],
  connections: [
    { ...link, host: "smsc.example.net", port: 2775, url: null },
    { ...link, host: "sms.partner.example", port: 443, url: "https://sms.partner.example/public/v1" },
  ],
} as const;

test("a connection to another Bendre is known by its address, and goes back with its place and pace", () => {
  const typed = typedOf(shown);
  expect(typed.connections.map(({ url }) => url)).toEqual([null, "https://sms.partner.example/public/v1"]);
  const { connections } = writtenOperator(withConnection(typed, 1, { throughput: "50" }), false);
  expect(connections).toMatchObject([
    { was: 0, password: null, throughput: 30 },
    { was: 1, password: null, throughput: 50 },
  ]);
});
