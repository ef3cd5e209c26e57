/** The version and commit of this executable. */
import { version as packageVersion } from "../../package.json";

/** X.Y.Z. */
export function version(): string {
  return process.env.BENDRE_VERSION ?? packageVersion;
}

/** The commit that it was built from. */
export function commit(): string {
  return process.env.BENDRE_COMMIT ?? "source";
}

/** `bendre X.Y.Z (commit)`. The build puts both in place of these two variables; from source there is no commit. */
export function versionLine(): string {
  return `bendre ${version()} (${commit()})`;
}
