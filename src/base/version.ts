import { version as packageVersion } from "../../package.json";

/** X.Y.Z. */
export function version(): string {
  return process.env.BENDRE_VERSION ?? packageVersion;
}

/** `bendre X.Y.Z (commit)`. The build puts both in place of these two variables; from source there is no commit. */
export function versionLine(): string {
  return `bendre ${version()} (${process.env.BENDRE_COMMIT ?? "source"})`;
}
