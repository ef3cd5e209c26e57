/** How far an appliance is that was started for the first time. */
import { type ApiAnswer, ask } from "../api/client.ts";

export type FirstSteps = {
  /** Operators by their code, bound or not. */
  readonly bound: readonly string[];
  readonly unbound: readonly string[];
  readonly accounts: number;
  readonly hasSent: boolean;
};

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
  const { operators: known, connections } = operators.value;
  const isBound = (code: string): boolean =>
    connections.some(({ operator, state }) => operator === code && state === "BOUND");
  const codes = known.map(({ code }) => code);
  return {
    ok: true,
    value: {
      bound: codes.filter(isBound),
      unbound: codes.filter((code) => !isBound(code)),
      accounts: accounts.value.accounts.length,
      hasSent: batches.value.batches.length > 0,
    },
  };
}

/** Whether nothing is left to be done. */
export function isSetUp({ bound, accounts, hasSent }: FirstSteps): boolean {
  return bound.length > 0 && accounts > 0 && hasSent;
}
