/** Whether the words of an alarm tell what an account has: not everybody may read that. */
export function revealsBalance(rule: string): boolean {
  return rule === "wallet_low";
}
