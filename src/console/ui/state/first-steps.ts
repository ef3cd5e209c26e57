/** What there is of the first start's steps. */
import { type ApiAnswer, ask } from "../api/client.ts";
import { type FirstSteps, stepsOf } from "./steps-of.ts";

/** Looks at operators, accounts and batches, a few rows of each. */
export async function firstSteps(): Promise<ApiAnswer<FirstSteps>> {
  const [operators, accounts, batches] = await Promise.all([
    ask("GET /operators", {}),
    ask("GET /accounts", { query: { limit: 200 } }),
    ask("GET /batches", { query: { limit: 1 } }),
  ]);
  if (!operators.ok) return operators;
  if (!accounts.ok) return accounts;
  if (!batches.ok) return batches;
  const hasSent = batches.value.batches.length > 0;
  return { ok: true, value: stepsOf(operators.value, accounts.value.accounts.length, hasSent) };
}
