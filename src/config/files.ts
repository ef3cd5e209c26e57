/**
 * Files that a configuration names: makes their paths absolute, reads the PEM files, and reports what is missing, unreadable
 * or does not fit its key.
 */
import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { systemErrorCode } from "../core/log.ts";
import { toRecord } from "../core/own-value.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import type { Config } from "./config.ts";
import { type Fault, keyText } from "./faults.ts";
import { type NoLogo, readLogo } from "./logo.ts";

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
    smpp_server: {
      ...config.smpp_server,
      tls_certificate: at(config.smpp_server.tls_certificate),
      tls_key: at(config.smpp_server.tls_key),
    },
    storage: { ...config.storage, directory: at(config.storage.directory) },
    backup: {
      ...config.backup,
      directory: at(config.backup.directory),
      copy_to: at(config.backup.copy_to),
    },
    webhooks: { ...config.webhooks, ca_file: at(config.webhooks.ca_file) },
    whatsapp: { ...config.whatsapp, ca_file: at(config.whatsapp.ca_file) },
    seller: { ...config.seller, logo: at(config.seller.logo) },
    operators: toRecord(operators),
  };
}

/** Checks what the configuration names on disk, and reads the PEM files. The data directory need not exist yet. */
export async function readNamedFiles(
  config: Config,
): Promise<{ readonly faults: readonly Fault[]; readonly pems: Pems }> {
  const directory = await directoryFault(config.storage.directory);
  const logo = await logoFault(config.seller.logo);
  const read = await Promise.all(pemFiles(config).map(({ key, path }) => readPem(key, path)));
  const pems = new Map(read.flatMap((one) => ("pem" in one ? [[one.path, one.pem] as const] : [])));
  const faults = read.flatMap((one) => ("found" in one ? [one] : []));
  return {
    pems,
    faults: [
      ...(directory ? [directory] : []),
      ...(logo ? [logo] : []),
      ...faults,
      ...pairFaults(config, pems),
    ],
  };
}

/** Certificates with the key of another one: nobody could be served, or bound, with them. */
function pairFaults({ server, smpp_server, operators }: Config, pems: Pems): Fault[] {
  const pairs = [
    { steps: ["server"], ...server },
    { steps: ["smpp_server"], ...smpp_server },
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

const NO_LOGO: Readonly<Record<NoLogo, (path: string) => Phrase>> = {
  "no regular file": (path) => phrase("config.found.no_regular_file", { path }),
  "too large": (path) => phrase("config.found.large_logo", { path }),
  neither: (path) => phrase("config.found.no_logo", { path }),
};

async function logoFault(path: string): Promise<Fault | null> {
  if (path === "") return null;
  const key = "seller.logo";
  const expected = phrase("config.expects.logo");
  try {
    const logo = await readLogo(path);
    return typeof logo === "string" ? { key, found: NO_LOGO[logo](path), expected } : null;
  } catch (error) {
    return { key, found: said(`${path} (${systemCode(error)})`), expected };
  }
}

/** The operating system's word for what went wrong, such as ENOENT or EACCES. */
export function systemCode(error: unknown): string {
  return systemErrorCode(error) || "unreadable";
}

/** A PEM file that the configuration names. */
export type PemFile = {
  /** The key that names it. */
  readonly key: string;
  readonly path: string;
  /** Our own certificate with its intermediates, authorities that are trusted, or a private key. */
  readonly holds: "own" | "trusted" | "key";
};

/** Every PEM file that is named, in the order of the schema. */
export function pemFiles(config: Config): PemFile[] {
  const { server, smpp_server, webhooks, alerts, whatsapp, operators } = config;
  const named: PemFile[] = [
    { key: "server.tls_certificate", path: server.tls_certificate, holds: "own" },
    { key: "server.tls_key", path: server.tls_key, holds: "key" },
    { key: "smpp_server.tls_certificate", path: smpp_server.tls_certificate, holds: "own" },
    { key: "smpp_server.tls_key", path: smpp_server.tls_key, holds: "key" },
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

/** The texts of the PEM files that a configuration names, by path, as they were when it was read. */
export type Pems = ReadonlyMap<string, string>;

export const NO_PEMS: Pems = new Map();

/** The fingerprint by which a person tells two versions of a file apart. */
export function fingerprint(pem: string): string {
  return createHash("sha256").update(pem).digest("hex").slice(0, 16);
}

/** Why a certificate and a key cannot be used together, in words; null where they fit. */
function pairFault(certificate: string, key: string): Phrase | null {
  let first: X509Certificate;
  try {
    first = new X509Certificate(certificate);
  } catch {
    return phrase("config.found.certificate_unreadable");
  }
  try {
    const fits = first.checkPrivateKey(createPrivateKey(key));
    return fits ? null : phrase("config.found.certificate_unfit");
  } catch {
    return phrase("config.found.key_unreadable");
  }
}
