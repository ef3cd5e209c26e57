import type { Config } from "./config.ts";
import { keyText } from "./fault.ts";

/** A PEM file that the configuration names. */
export type PemFile = {
  /** The key that names it. */
  readonly key: string;
  readonly path: string;
  /** Our own certificate with what stands between it and its authority, authorities that are trusted, or a private key. */
  readonly holds: "own" | "trusted" | "key";
};

/** Every PEM file that is named, in the order of the schema. */
export function pemFiles(config: Config): PemFile[] {
  const { server, webhooks, alerts, whatsapp, operators } = config;
  const named: PemFile[] = [
    { key: "server.tls_certificate", path: server.tls_certificate, holds: "own" },
    { key: "server.tls_key", path: server.tls_key, holds: "key" },
    { key: "webhooks.ca_file", path: webhooks.ca_file, holds: "trusted" },
    { key: "alerts.smtp.ca_file", path: alerts.smtp.ca_file, holds: "trusted" },
    { key: "whatsapp.ca_file", path: whatsapp.ca_file, holds: "trusted" },
  ];
  for (const [code, operator] of Object.entries(operators)) {
    for (const [index, connection] of operator.connections.entries()) {
      const keyOf = (name: string) => keyText(["operators", code, "connections", index, name]);
      named.push(
        { key: keyOf("tls_ca_file"), path: connection.tls_ca_file, holds: "trusted" },
        { key: keyOf("tls_certificate"), path: connection.tls_certificate, holds: "own" },
        { key: keyOf("tls_key"), path: connection.tls_key, holds: "key" },
      );
    }
  }
  return named.filter(({ path }) => path !== "");
}
