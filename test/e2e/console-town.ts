/** An appliance that has something to show on each page of the console: accounts, traffic of every fate, lists, what waits. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  CONSOLE_FILE,
  CONSOLE_KEY_FILE,
  plainSecret,
  renderConsoleFile,
  sealSecrets,
} from "../../src/config/console-file.ts";
import { systemChance } from "../../src/core/chance.ts";
import { sealWith } from "../../src/db/data-keys.ts";
import { type Appliance, appliance, type Tenant } from "./appliance.ts";

export type Town = { readonly bendre: Appliance; readonly shop: Tenant; readonly other: Tenant };

/** The account that the people of the first one must see nothing of. */
export const OTHER_ACCOUNT = "Sahel Assurances";

/** Orange delivers most and fails some; nobody listens at Moov, so that what goes there waits. */
const ORANGE = ["--receipt-delay-ms", "20", "--receipt-jitter-ms", "0", "--delivered-percent", "80"];

const REHEARSAL = "[webhooks]\nallow_private_targets = true";

/** Starts it; what Orange takes is on its way when this resolves. */
export async function consoleTown(): Promise<Town> {
  const bendre = await appliance({ operators: { orange: ORANGE, moov: "away" }, settings: REHEARSAL });
  keepOperator(bendre);
  const shop = await bendre.tenant("Faso Shop");
  const other = await bendre.tenant(OTHER_ACCOUNT, { billing: "postpaid" });
  const { admin } = bendre;
  admin("sender", "request", shop.accountId, "WAITING");
  admin("suppression", "add", shop.accountId, "22605112299", "--class", "MARKETING");
  admin("suppression", "add", "--everywhere", "22605112298", "--class", "all", "--note", "asked by letter");
  admin("price", "set", shop.accountId, "--operator", "orange", "--amount", "11");
  // Nobody listens there: it stands in the list with what it was not told.
  admin("webhook", "create", shop.accountId, "--url", "https://127.0.0.1:1/bendre", "--description", "CRM");
  const send = senderOf(bendre);
  await send(shop, "70000001", "OTP", "Votre code est 4711", ["22605112233"]);
  await send(shop, "70000002", "TRANSACTIONAL", "Votre colis est arrivé à l’agence.", [
    ...Array.from({ length: 40 }, (_, at) => `226051200${String(at).padStart(2, "0")}`),
    ...["22670112233", "22601223344", "not a number", "22605112298", "+33612345678"],
  ]);
  await send(other, "70000003", "TRANSACTIONAL", "Rappel : échéance le 30.", ["22605445566"]);
  return { bendre, shop, other };
}

/** An operator that the console has written, beside those of the file by hand. */
function keepOperator({ directory, admin }: Appliance): void {
  const connection = { host: "127.0.0.1", port: 1, system_id: "bendre", password: plainSecret("secret") };
  const telecel = { name: "Telecel Faso", prefixes: ["22658"], price: 14, connections: [connection] };
  const seal = sealWith(join(directory, CONSOLE_KEY_FILE), systemChance);
  const sealed = sealSecrets({ operators: { telecel } }, seal.close);
  writeFileSync(join(directory, CONSOLE_FILE), renderConsoleFile(sealed), { mode: 0o600 });
  expect(admin("config", "reload").changes).toMatchObject([{ path: "operators.telecel" }]);
}

function senderOf(bendre: Appliance) {
  return async (
    { apiKey }: Tenant,
    reference: string,
    messageClass: string,
    body: string,
    numbers: readonly string[],
  ): Promise<void> => {
    const answer = await fetch(`${bendre.url()}/public/v1/batches`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "idempotency-key": reference,
      },
      body: JSON.stringify({
        sender: "ACME",
        body,
        message_class: messageClass,
        client_reference: reference,
        recipients: numbers.map((msisdn) => ({ msisdn })),
      }),
    });
    expect(answer.status).toBe(202);
  };
}
