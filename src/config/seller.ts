import type { Config } from "./config.ts";

/** Who sells, as it stands on paper. */
export type Seller = Config["seller"];

/** Null where the configuration names nobody. */
export function readSeller({ seller }: Pick<Config, "seller">): Seller | null {
  return seller.name === "" ? null : seller;
}
