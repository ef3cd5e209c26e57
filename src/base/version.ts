import { version as packageVersion } from "../../package.json";

/** `bendre X.Y.Z (commit)`. The build puts both in place of these two variables; from source there is no commit. */
export function versionLine(): string {
  return `bendre ${process.env.BENDRE_VERSION ?? packageVersion} (${process.env.BENDRE_COMMIT ?? "source"})`;
}
