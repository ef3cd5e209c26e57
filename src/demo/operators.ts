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

/** The number of WhatsApp: its operator code, its name, and what a message costs. */
export const DEMO_NUMBER = { code: "whatsapp:main", name: "WhatsApp", price: 5 };
export const CLOUD_SECRETS = { appSecret: "demo", verifyToken: "demo" };

/** What a segment costs at an operator. */
export function priceAt(code: string): number {
  return [...DEMO_OPERATORS, DEMO_NUMBER].find((operator) => operator.code === code)?.price ?? 0;
}

/** A number whose Cloud API is on a port of this machine. */
function demoNumber(port: number): object {
  return {
    api: `http://127.0.0.1:${port}`,
    app_secret: CLOUD_SECRETS.appSecret,
    verify_token: CLOUD_SECRETS.verifyToken,
    numbers: {
      main: {
        phone_number_id: "100000000000001",
        waba_id: "200000000000002",
        token: "demo",
        price: { OTP: 6, TRANSACTIONAL: DEMO_NUMBER.price, MARKETING: 21 },
      },
    },
  };
}

/** The configuration document of the demonstration, as the file would say it; `cloudPort` once there is a stand-in for Meta. */
export function demoConfig(
  directory: string,
  ports: ReadonlyMap<string, number>,
  cloudPort: number | null = null,
): unknown {
  return {
    ...(cloudPort === null ? {} : { whatsapp: demoNumber(cloudPort) }),
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
