/** When the certificates end that the configuration names. */
import { X509Certificate } from "node:crypto";
import type { Config } from "../config/config.ts";
import { type PemFile, pemFiles } from "../config/files.ts";

/** A file of certificates and when it is of no use any more. */
export type CertificateEnd = Pick<PemFile, "key" | "path"> & {
  /** Epoch milliseconds; null where nothing in the file can be read as a certificate. */
  readonly endsAtMs: number | null;
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Every file of certificates that is named. A chain of our own ends with the first certificate of it that does; a list of
 * authorities is good while one of them is.
 */
export function certificateEnds(
  config: Config,
  readPem: (path: string) => string | null,
): readonly CertificateEnd[] {
  return pemFiles(config)
    .filter(({ holds }) => holds !== "key")
    .map(({ key, path, holds }) => {
      const ends = endsIn(path, readPem);
      const endsAtMs = ends.length === 0 ? null : holds === "own" ? Math.min(...ends) : Math.max(...ends);
      return { key, path, endsAtMs };
    });
}

/** When the certificates of a file end; none of a file that cannot be read. */
function endsIn(path: string, readPem: (path: string) => string | null): number[] {
  try {
    const pems = (readPem(path) ?? "").matchAll(CERTIFICATE);
    return [...pems].map(([pem]) => Date.parse(new X509Certificate(pem).validTo));
  } catch {
    return [];
  }
}
