import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { idFactory } from "../../../src/core/ids.ts";
import { openStore, type Store } from "../../../src/db/store.ts";
import { createAccount, type NewAccount } from "../../../src/domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../../src/domain/accounts/message-class.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type TestClock, testClock } from "../../kit/test-clock.ts";

export type AccountsFixture = {
  readonly store: Store;
  readonly clock: TestClock;
  /** Adds an account and returns its row id. */
  readonly account: (changes?: Partial<NewAccount>) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** A real store in a directory of its own. */
export function accountsFixture(): AccountsFixture {
  const directory = mkdtempSync(join(tmpdir(), "bendre-accounts-"));
  const clock = testClock();
  const store = openStore(directory, clock);
  const newId = idFactory(clock, seededChance(1));
  return {
    store,
    clock,
    account: (changes = {}) =>
      store.write((tx) =>
        createAccount(
          tx,
          {
            ulid: newId(),
            name: "Faso Shop",
            timezone: "Africa/Ouagadougou",
            billingMode: "PREPAID",
            creditLimit: 0,
            chargeOn: null,
            classes: MESSAGE_CLASSES,
            ...changes,
          },
          clock.nowMs(),
        ),
      ),
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}
