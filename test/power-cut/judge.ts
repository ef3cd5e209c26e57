/** Opens what a power cut left, as the appliance would, and says what is wrong with it. */

import { verifyLedger } from "../../src/admin/reports/ledger-verification.ts";
import type { Clock } from "../../src/core/clock.ts";
import { readInSnapshots } from "../../src/db/connections.ts";
import type { Reader } from "../../src/db/reader.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { english } from "../../src/i18n/text.ts";
import { openSecretSeal } from "../../src/webhooks/signing.ts";
import { seededChance } from "../kit/test-chance.ts";
import { factsOf } from "./facts.ts";
import type { Fact } from "./told.ts";

/** So many missing facts are named. */
const MAX_NAMED = 5;

/** Judges a data directory that nobody else has. */
export async function judgeDirectory(
  directory: string,
  clock: Clock,
  promises: readonly Fact[],
): Promise<readonly string[]> {
  let store: Store;
  try {
    store = openStore(directory, clock);
  } catch (error) {
    return [`the store does not open: ${error instanceof Error ? error.message : error}`];
  }
  try {
    return [...problemsOf(store), ...missing(promises, factsOf(store.read))];
  } catch (error) {
    return [`the store cannot be read: ${error instanceof Error ? error.message : error}`];
  } finally {
    await store.close();
  }
}

function problemsOf({ read, directory }: Store): readonly string[] {
  const integrity = read
    .all<{ integrity_check: string }>("PRAGMA integrity_check")
    .map(({ integrity_check }) => integrity_check);
  const strays = read.all<{ table: string }>("PRAGMA foreign_key_check").map(({ table }) => table);
  const { differences } = readInSnapshots(directory, verifyLedger);
  return [
    ...(integrity.join() === "ok" ? [] : [`integrity: ${integrity.slice(0, MAX_NAMED).join("; ")}`]),
    ...(strays.length === 0 ? [] : [`rows that point at nothing: ${strays.slice(0, MAX_NAMED).join()}`]),
    ...differences.slice(0, MAX_NAMED).map((difference) => `books: ${english(difference)}`),
    ...sealedSecretsLost(read, directory),
  ];
}

/** Signing secrets that are there without the key that opens them: it is a file of its own. */
function sealedSecretsLost(read: Reader, directory: string): readonly string[] {
  const seal = openSecretSeal(directory, seededChance(1));
  return read
    .all<{ sealed: Uint8Array; ulid: string }>(
      "SELECT sealed, ulid FROM webhook_secrets s JOIN webhook_endpoints e ON e.id = s.endpoint_id",
    )
    .filter(({ sealed, ulid }) => seal.open(sealed, ulid) === null)
    .map(({ ulid }) => `a secret of webhook ${ulid} cannot be opened`);
}

function missing(promises: readonly Fact[], facts: ReadonlySet<Fact>): readonly string[] {
  const lost = promises.filter((fact) => !facts.has(fact));
  const rest = lost.length > MAX_NAMED ? [`and ${lost.length - MAX_NAMED} more are missing`] : [];
  return [...lost.slice(0, MAX_NAMED).map((fact) => `missing: ${fact}`), ...rest];
}
