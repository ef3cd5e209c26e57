/** What the administrator writes into the configuration that `install` left. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TEST_AUTHORITY } from "../../test/kit/certificates.ts";
import { FIRST_CERTIFICATE } from "./certificates.ts";
import { ALARM_SECRET } from "./receiver.ts";
import type { Year } from "./year.ts";

/** The reserve of the disk: small, so that a disk that holds it is small too. */
export const RESERVE_MEGABYTES = 16;
/** Whole XOF for a segment. */
export const PRICES = { orange: 15, moov: 12 } as const;
export const PASSWORDS = { orange: "or4nge", moov: "m00v" } as const;
const PREFIXES = { orange: ["22674"], moov: ["22670"] } as const;

/** What the service is given from its file of variables. */
export const VARIABLES = {
  ORANGE_SMPP_PASSWORD: PASSWORDS.orange,
  MOOV_SMPP_PASSWORD: PASSWORDS.moov,
  BACKUP_PASSPHRASE: "kept in the safe",
};

/** Where backups are copied to: another disk, as the configuration sees it. */
export const otherDisk = ({ place }: Year) => join(place, "other-disk");

/** Writes configuration, variables and certificates of the machine in use. */
export function configure(year: Year, metricsPort: number): void {
  const { machine } = year;
  const directory = dirname(machine.config);
  writeFileSync(machine.config, textOf(year, metricsPort));
  const lines = Object.entries(VARIABLES).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(directory, "environment"), lines.join(""));
  machine.environment(VARIABLES);
  writeFileSync(join(directory, "cert.pem"), FIRST_CERTIFICATE.certificate);
  writeFileSync(join(directory, "key.pem"), FIRST_CERTIFICATE.key, { mode: 0o600 });
  writeFileSync(join(directory, "ca.pem"), TEST_AUTHORITY);
  mkdirSync(otherDisk(year), { recursive: true });
}

/** Brings the files of one machine's configuration to another, as they are. */
export function copyConfiguration(from: string, to: string): void {
  for (const name of ["config.toml", "environment", "cert.pem", "key.pem", "ca.pem"])
    copyFileSync(join(dirname(from), name), join(dirname(to), name));
}

function textOf(year: Year, metricsPort: number): string {
  const operators = (["orange", "moov"] as const).map((known) => {
    const { port } = year[known];
    return `
[operators.${known}]
prefixes = ${JSON.stringify(PREFIXES[known])}
price = ${PRICES[known]}
[[operators.${known}.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "\${${known.toUpperCase()}_SMPP_PASSWORD}"
window = 50
throughput = 1000
response_timeout_seconds = 2
reconnect_seconds = 1
`;
  });
  return `
[server]
listen = "127.0.0.1:0"
tls_certificate = "cert.pem"
tls_key = "key.pem"
[storage]
directory = "${year.machine.data}"
reserve_megabytes = ${RESERVE_MEGABYTES}
[api]
requests_per_second = 1000
burst = 1000
[webhooks]
allow_private_targets = true
ca_file = "ca.pem"
[backup]
copy_to = "${otherDisk(year)}"
passphrase = "\${BACKUP_PASSPHRASE}"
[metrics]
listen = "127.0.0.1:${metricsPort}"
[alerts]
webhook = "${year.hooks.url}/alarms"
secret = "${ALARM_SECRET}"
${operators.join("")}`;
}
