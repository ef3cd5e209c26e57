/** What is left to be set up before clients come: nothing goes wrong without it today. */
import type { AnswerOf } from "../../server/sign-in-contract.ts";
import { type ApiAnswer, callApi } from "../api/client.ts";
import { isSetUp, listOnboardingSteps, type OnboardingState } from "./onboarding-steps.ts";
import { may } from "./session.ts";

export type Todo = AnswerOf<"POST /me/todos">["dismissed"][number];

/** Read once a page, as far as the reader may see and has not dismissed. What is unknown is not reported as missing. */
export async function readMissingSetup(): Promise<ApiAnswer<readonly Todo[]>> {
  const [steps, backups, alarms, settings] = await Promise.all([
    may("appliance.change") ? readOnboarding() : null,
    may("backups.read") ? callApi("GET /backups") : null,
    may("alarms.read") ? callApi("GET /alarms") : null,
    may("appliance.read") ? callApi("GET /configuration") : null,
  ]);
  const isBegun = steps?.ok === true && !isSetUp(steps.value);
  const isUnmade = backups?.ok === true && backups.value.backups.length === 0;
  const isUntold = alarms?.ok === true && alarms.value.channels.length === 0;
  const isUnnamed =
    settings?.ok === true &&
    settings.value.settings.some(({ path, value }) => path === "server.public_url" && value === "");
  const missing: readonly (readonly [Todo, boolean])[] = [
    ["FIRST_STEPS", isBegun],
    ["BACKUP", isUnmade],
    ["ALARMS", isUntold],
    ["PUBLIC_URL", isUnnamed],
  ];
  const left = missing.flatMap(([each, isMissing]) => (isMissing ? [each] : []));
  const told = await callApi("POST /me/todos", { body: { left: left.join(",") } });
  if (!told.ok) return told;
  return { ok: true, value: left.filter((each) => !told.value.dismissed.includes(each)) };
}

// The state of the first steps.

/** Looks at operators, accounts and batches, a few rows of each. */
export async function readOnboarding(): Promise<ApiAnswer<OnboardingState>> {
  const [operators, accounts, batches] = await Promise.all([
    callApi("GET /operators"),
    callApi("GET /accounts", { query: { limit: 200 } }),
    callApi("GET /batches", { query: { limit: 1 } }),
  ]);
  if (!operators.ok) return operators;
  if (!accounts.ok) return accounts;
  if (!batches.ok) return batches;
  const hasSent = batches.value.batches.length > 0;
  return { ok: true, value: listOnboardingSteps(operators.value, accounts.value.accounts.length, hasSent) };
}
