import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config } from "./config.ts";
import type { Fault } from "./fault.ts";
import { pemFiles } from "./pem-files.ts";

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
    operators: Object.fromEntries(operators),
  };
}

/** Looks at what the configuration names on disk. The data directory need not exist yet. */
export async function fileFaults(config: Config): Promise<Fault[]> {
  const faults = await Promise.all([
    directoryFault(config.storage.directory),
    ...pemFiles(config).map(({ key, path }) => pemFault(key, path)),
  ]);
  return faults.filter((fault) => fault !== null);
}

async function pemFault(key: string, path: string): Promise<Fault | null> {
  const expected = "a PEM file that can be read";
  try {
    const content = await readFile(path, "latin1");
    return content.includes("-----BEGIN ") ? null : { key, found: `${path}, which is no PEM file`, expected };
  } catch (error) {
    return { key, found: `${path} (${systemCode(error)})`, expected };
  }
}

async function directoryFault(path: string): Promise<Fault | null> {
  const key = "storage.directory";
  const expected = "a directory, or nothing there yet";
  try {
    return (await stat(path)).isDirectory() ? null : { key, found: `${path}, which is a file`, expected };
  } catch (error) {
    const code = systemCode(error);
    return code === "ENOENT" ? null : { key, found: `${path} (${code})`, expected };
  }
}

/** The operating system's word for what went wrong, such as ENOENT or EACCES. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unreadable";
}
