import type { Plan } from "../plan.ts";
import type { Administrator } from "./administrator.ts";
import type { Client } from "./client.ts";
import { tableOf, textOf } from "./json.ts";
import type { SmppClient } from "./smpp-client.ts";

/**
 * Makes an account as its plan says, over whatever deaths: each command is one that may be given twice, or is looked after. A name
 * that is taken was taken by the same command, whose outcome was lost.
 */
export async function setUpAccount(plan: Plan, client: Client, administrator: Administrator): Promise<void> {
  const { account } = client.memory;
  const insist: Administrator["insist"] = async (name, args) => {
    await administrator.think();
    return administrator.insist(name, args);
  };
  const ACCOUNT = account.name;
  await insist("account create", {
    name: account.name,
    billing: account.billing,
    timezone: account.timezone,
    ...(account.billing === "postpaid" && { "credit-limit": String(account.creditLimit) }),
  });
  if (account.chargeOn !== null) await insist("account set", { ACCOUNT, "charge-on": account.chargeOn });
  if (account.funds > 0) {
    await insist("wallet topup", { ACCOUNT, AMOUNT: String(account.funds), reference: `opening ${ACCOUNT}` });
  }
  for (const sender of account.senders) {
    await insist("sender request", { ACCOUNT, NAME: sender });
    await insist("sender approve", { ACCOUNT, NAME: sender });
    const numbers = numbersOf(plan).filter((code) => account.numbers?.includes(code) ?? true);
    const operators = account.registrations?.[sender] ?? operatorsOf(plan.document);
    for (const operator of [...operators, ...numbers.map((code) => `whatsapp:${code}`)]) {
      await insist("sender register", { ACCOUNT, NAME: sender, operator });
    }
  }
  if (plan.cloud) await insist("whatsapp sync", {});
  for (const { name, args } of account.setUp) await insist(name, { ACCOUNT, ...args });
  await administrator.giveKey(client.memory);
  await administrator.giveNarrowKey(client.memory);
  for (const { receiver, events } of account.endpoints) {
    const planned = plan.receivers.find(({ name }) => name === receiver);
    if (planned) await client.register(planned, events);
  }
}

/** Makes a user, and hands its client the password; whoever lost it asks for another. */
export async function setUpSmppUser(client: SmppClient, administrator: Administrator): Promise<void> {
  const { account: ACCOUNT, systemId, settings } = client.plan;
  const made = await administrator.insist("smpp create", { ACCOUNT, "system-id": systemId, ...settings });
  const given = made?.ok ? made : await administrator.insist("smpp password", { ID: systemId });
  const password = textOf(tableOf(given?.ok ? given.data : null).password);
  if (password !== null) client.begin(password);
}

/** The codes of a document's operators. */
export function operatorsOf(document: Plan["document"]): readonly string[] {
  return Object.keys((document.operators ?? {}) as Readonly<Record<string, unknown>>);
}

/** The codes of its numbers of WhatsApp. */
function numbersOf({ document }: Plan): readonly string[] {
  const { numbers = {} } = (document.whatsapp ?? {}) as { readonly numbers?: object };
  return Object.keys(numbers);
}
