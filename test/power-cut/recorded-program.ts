/**
 * A small program over the store, to be recorded: opens accounts and tells each in the log, either once that is durable, or as
 * soon as it is committed without a wait for the disk.
 *
 *   bun recorded-program.ts DIRECTORY LOG durable|early
 */
import { appendFileSync } from "node:fs";
import { systemClock } from "../../src/core/clock.ts";
import { idFactory } from "../../src/core/ids.ts";
import { openStore } from "../../src/db/store.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../src/domain/accounts/message-class.ts";
import { topUp } from "../../src/domain/ledger/funding.ts";
import { openWallet } from "../../src/domain/ledger/wallet.ts";
import { seededChance } from "../kit/test-chance.ts";
import { recordOf } from "./told.ts";

const ACCOUNTS = 8;
const [directory = "", log = "", when = ""] = process.argv.slice(2);
const newId = idFactory(systemClock, seededChance(1));
const store = openStore(directory, systemClock);
for (let number = 0; number < ACCOUNTS; number++) {
  const ulid = newId();
  const atMs = systemClock.nowMs();
  await store.write(
    (tx) => {
      const id = createAccount(
        tx,
        {
          ulid,
          name: "Faso Shop",
          timezone: "Africa/Ouagadougou",
          billingMode: "PREPAID",
          creditLimit: 0,
          chargeOn: null,
          classes: MESSAGE_CLASSES,
        },
        atMs,
      );
      openWallet(tx, id);
      topUp(tx, { accountId: id, accountUlid: ulid, amount: 100, reference: "cash", atMs });
    },
    when === "early" ? "with the next" : "at once",
  );
  appendFileSync(log, recordOf({ seen: [`account ${ulid}`, `entry topup:${ulid}:cash`] }));
}
await store.close();
