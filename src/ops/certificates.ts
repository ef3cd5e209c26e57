/** When the certificates end that the configuration names. */
import { X509Certificate } from "node:crypto";
import type { Config } from "../config/config.ts";
import { type PemFile, pemFiles } from "../config/files.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";

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

/** How long before its end a certificate is reported: time enough for a person, and an operator, to renew it. */
const SOON_MS = 14 * 24 * 3_600_000;

/** Those that have ended, end soon, or cannot be read. */
export function lateCertificates(ends: readonly CertificateEnd[], nowMs: number): CertificateEnd[] {
  return ends.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs - nowMs < SOON_MS);
}

/** When the first of them ends. */
export function firstEndMs(ends: readonly CertificateEnd[]): number {
  return Math.min(...ends.map(({ endsAtMs }) => endsAtMs ?? Number.POSITIVE_INFINITY));
}

export function renderEnd({ key, endsAtMs }: CertificateEnd, nowMs: number): Phrase {
  if (endsAtMs === null) return phrase("health.certificates.unreadable", { key });
  return phrase(endsAtMs <= nowMs ? "health.certificates.ended" : "health.certificates.ends", {
    key,
    end: endsAtMs,
  });
}
