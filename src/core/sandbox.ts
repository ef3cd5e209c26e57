/**
 * The two sides of an account: what is live, and its sandbox, which test keys open (docs/behaviour.md#test-keys).
 *
 * The sandbox of the account with the row id n is the account with the row id −n, as the schema holds. So whoever has an id knows
 * the side and finds the other one without asking the database. What a sandbox sends waits in queues of its own, whose codes no
 * operator of the configuration can have: a colon is in them.
 */

/** The row id of an account's sandbox. */
export function toSandboxId(accountId: number): number {
  return -Math.abs(accountId);
}

export function isSandbox(accountId: number): boolean {
  return accountId < 0;
}

/** The row id of the account itself, of either side. */
export function toLiveId(accountId: number): number {
  return Math.abs(accountId);
}

const MARK = "sandbox:";

/** The code of the queue in which messages of an account wait for an operator. */
export function toLane(accountId: number, operator: string): string {
  return isSandbox(accountId) ? `${MARK}${operator}` : operator;
}

/** Whether a queue's code is a sandbox's. */
export function isSandboxOperator(code: string): boolean {
  return code.startsWith(MARK);
}

/** The operator of a queue's code, whichever side's it is. */
export function toLaneOperator(code: string): string {
  return isSandboxOperator(code) ? code.slice(MARK.length) : code;
}
