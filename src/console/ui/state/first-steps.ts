/** What there is of the first start's steps. */
import { type ApiAnswer, callApi } from "../api/client.ts";
import { type OnboardingState, listOnboardingSteps } from "./steps-of.ts";

/** Looks at operators, accounts and batches, a few rows of each. */
export async function readOnboarding(): Promise<ApiAnswer<OnboardingState>> {
  const [operators, accounts, batches] = await Promise.all([
    callApi("GET /operators", {}),
    callApi("GET /accounts", { query: { limit: 200 } }),
    callApi("GET /batches", { query: { limit: 1 } }),
  ]);
  if (!operators.ok) return operators;
  if (!accounts.ok) return accounts;
  if (!batches.ok) return batches;
  const hasSent = batches.value.batches.length > 0;
  return { ok: true, value: listOnboardingSteps(operators.value, accounts.value.accounts.length, hasSent) };
}
