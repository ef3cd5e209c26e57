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

/** Figures with what was charged, for those who may see money; null for others. */
export type MaybeCharged<Figures extends { readonly charged: number }> = Omit<Figures, "charged"> & {
  readonly charged: number | null;
};

/** Hides what was charged from those who may not see money. */
export function chargedFor<Figures extends { readonly charged: number }>(
  seesMoney: boolean,
  figures: Figures,
): MaybeCharged<Figures> {
  return { ...figures, charged: seesMoney ? figures.charged : null };
}

/** A setting of the configuration that is a price. */
const PRICE_SETTING = /\.price(\.|$)/;

/** Hides the value of a setting from those who may not see prices, as that of a secret. */
export function settingFor(seesPrices: boolean, path: string, value: unknown): unknown {
  if (seesPrices || value === null) return value;
  if (PRICE_SETTING.test(path)) return "(hidden)";
  // An operator that is new, or gone, is told whole.
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, settingFor(false, `${path}.${name}`, inner)]),
  );
}
