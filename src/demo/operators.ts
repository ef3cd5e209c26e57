import type { Quirks } from "../simulator/quirks.ts";

/**
 * One of the simulated operators: ranges as in docs/behaviour.md#9-burkina-faso-ranges, an illustrative price, habits
 * of its own.
 */
export type DemoOperator = {
  readonly code: string;
  readonly name: string;
  /** The first two digits of its national numbers. */
  readonly ranges: readonly string[];
  /** Whole XOF per segment. */
  readonly price: number;
  readonly quirks: Partial<Quirks>;
};

/** Three networks that write their ids and receipts in three ways. */
export const DEMO_OPERATORS: readonly DemoOperator[] = [
  {
    code: "orange",
    name: "Orange Burkina Faso",
    ranges: "04 05 06 07 44 45 46 54 55 56 57 64 65 66 67 74 75 76 77".split(" "),
    price: 15,
    quirks: { idFormat: "decimal" },
  },
  {
    code: "moov",
    name: "Moov Africa Burkina Faso",
    ranges: "01 02 03 50 51 52 53 60 61 62 63 70 71 72 73".split(" "),
    price: 14,
    quirks: { idFormat: "hex_response_decimal_receipt" },
  },
  {
    code: "telecel",
    name: "Telecel Faso",
    ranges: "58 68 69 78 79".split(" "),
    price: 12,
    quirks: { idFormat: "uuid", noTlvs: true },
  },
];

/** The configuration document of the demonstration, as the file would say it. */
export function demoConfig(directory: string, ports: ReadonlyMap<string, number>): unknown {
  return {
    server: { listen: "127.0.0.1:0" },
    metrics: { listen: "" },
    storage: { directory },
    operators: Object.fromEntries(
      DEMO_OPERATORS.map(({ code, name, ranges, price }) => [
        code,
        {
          name,
          price,
          prefixes: ranges.map((range) => `226${range}`),
          connections: [
            {
              host: "127.0.0.1",
              port: ports.get(code),
              system_id: "bendre",
              password: "demo",
              reconnect_seconds: 1,
            },
          ],
        },
      ]),
    ),
  };
}
