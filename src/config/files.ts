import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { toRecord } from "../core/own-value.ts";
import { phrase, said } from "../i18n/phrase.ts";
import type { Config } from "./config.ts";
import { type Fault, keyText } from "./fault.ts";
import { pemFiles } from "./pem-files.ts";
import { type Pems, pairFault } from "./pems.ts";

/** The same configuration with every path absolute, relative ones seen from `directory`. */
export function resolvePaths(config: Config, directory: string): Config {
  const at = (path: string): string => (path === "" ? "" : resolve(directory, path));
  const operators = Object.entries(config.operators).map(([code, operator]) => {
    const connections = operator.connections.map((connection) => ({
      ...connection,
      tls_ca_file: at(connection.tls_ca_file),
      tls_certificate: at(connection.tls_certificate),
      tls_key: at(connection.tls_key),
    }));
    return [code, { ...operator, connections }] as const;
  });
  return {
    ...config,
    server: {
      ...config.server,
      tls_certificate: at(config.server.tls_certificate),
      tls_key: at(config.server.tls_key),
    },
    storage: { ...config.storage, directory: at(config.storage.directory) },
    backup: {
      ...config.backup,
      directory: at(config.backup.directory),
      copy_to: at(config.backup.copy_to),
    },
    webhooks: { ...config.webhooks, ca_file: at(config.webhooks.ca_file) },
    whatsapp: { ...config.whatsapp, ca_file: at(config.whatsapp.ca_file) },
    operators: toRecord(operators),
  };
}

/**
 * Looks at what the configuration names on disk, and reads the PEM files. The data directory need not exist yet.
 */
export async function readNamedFiles(
  config: Config,
): Promise<{ readonly faults: readonly Fault[]; readonly pems: Pems }> {
  const directory = await directoryFault(config.storage.directory);
  const read = await Promise.all(pemFiles(config).map(({ key, path }) => readPem(key, path)));
  const pems = new Map(read.flatMap((one) => ("pem" in one ? [[one.path, one.pem] as const] : [])));
  const faults = read.flatMap((one) => ("found" in one ? [one] : []));
  return {
    pems,
    faults: [...(directory ? [directory] : []), ...faults, ...pairFaults(config, pems)],
  };
}

/** Certificates whose key is that of another one: nobody could be served, or bound, with them. */
function pairFaults({ server, operators }: Config, pems: Pems): Fault[] {
  const pairs = [
    { steps: ["server"], ...server },
    ...Object.entries(operators).flatMap(([code, { connections }]) =>
      connections.map((connection, index) => ({
        steps: ["operators", code, "connections", index],
        ...connection,
      })),
    ),
  ];
  return pairs.flatMap(({ steps, tls_certificate, tls_key }) => {
    const [certificate, key] = [pems.get(tls_certificate), pems.get(tls_key)];
    if (certificate === undefined || key === undefined) return [];
    const found = pairFault(certificate, key);
    const expected = phrase("config.expects.certificate_and_key", { key: tls_key });
    return found === null ? [] : [{ key: keyText([...steps, "tls_certificate"]), found, expected }];
  });
}

async function readPem(
  key: string,
  path: string,
): Promise<Fault | { readonly path: string; readonly pem: string }> {
  const expected = phrase("config.expects.pem");
  try {
    const pem = await readFile(path, "latin1");
    return pem.includes("-----BEGIN ")
      ? { path, pem }
      : { key, found: phrase("config.found.no_pem", { path }), expected };
  } catch (error) {
    return { key, found: said(`${path} (${systemCode(error)})`), expected };
  }
}

async function directoryFault(path: string): Promise<Fault | null> {
  const key = "storage.directory";
  const expected = phrase("config.expects.directory");
  try {
    const isDirectory = (await stat(path)).isDirectory();
    return isDirectory ? null : { key, found: phrase("config.found.file", { path }), expected };
  } catch (error) {
    const code = systemCode(error);
    return code === "ENOENT" ? null : { key, found: said(`${path} (${code})`), expected };
  }
}

/** The operating system's word for what went wrong, such as ENOENT or EACCES. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unreadable";
}
