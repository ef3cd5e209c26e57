/** The configuration of a measurement: nothing that limits or delays but the product itself. */
export type Places = {
  readonly directory: string;
  readonly data: string;
  readonly port: number;
  readonly centrePort: number;
  readonly receipts: boolean;
  /** Where customers bind; null: nowhere. */
  readonly smppPort: number | null;
};

/** Bound sessions of all customers. */
const MAX_SESSIONS = 1_100;

export function configuration({ directory, data, port, centrePort, receipts, smppPort }: Places): string {
  const smpp =
    smppPort === null
      ? ""
      : `[smpp_server]\nlisten = "127.0.0.1:${smppPort}"\nmax_connections = ${MAX_SESSIONS}\n`;
  return `
[server]
listen = "127.0.0.1:${port}"
[storage]
directory = "${data}"
[log]
level = "error"
[api]
requests_per_second = 100000
burst = 1000000
[policy]
recipients_per_day = 1000000000
marketing_hours = "00:00-24:00"
marketing_per_day = 0
marketing_per_week = 0
[webhooks]
allow_private_targets = true
ca_file = "${directory}/ca.pem"
${smpp}[operators.bench]
prefixes = ["2267"]
price = 15
receipts = ${receipts}
[[operators.bench.connections]]
host = "127.0.0.1"
port = ${centrePort}
system_id = "bench"
password = "bench"
window = 100
throughput = 100000
reconnect_seconds = 1
`;
}
