/** Amounts of messages and batches, for those who may see money; null for others. */
type Amounts = { readonly [Name in AmountName]?: number };
type AmountName = "amount" | "reserved_amount" | "charged_amount" | "released_amount";

const NAMES: readonly AmountName[] = ["amount", "reserved_amount", "charged_amount", "released_amount"];

/** The same with amounts that may be hidden. */
export type MaybeMoney<T> = {
  readonly [Name in keyof T]: Name extends AmountName ? T[Name] | null : T[Name];
};

/** Hides the amounts of a row from those who may not see money. */
export function moneyFor<T extends Amounts>(seesMoney: boolean, row: T): MaybeMoney<T> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    !seesMoney && isAmount(name) ? null : value,
  ]);
  return Object.fromEntries(entries) as MaybeMoney<T>;
}

function isAmount(name: string): boolean {
  return NAMES.some((amount) => amount === name);
}
