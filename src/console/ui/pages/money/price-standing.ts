/** Decides which of several prices applies. Pure. */
type Known = {
  readonly operator: string;
  readonly message_class: string | null;
  readonly source: string;
};

/** "all": it applies to all it names; "others": to classes without a price of their own; "none": an agreed price comes first. */
type PriceStanding = "all" | "others" | "none";

/** The price of an operator and class: the account's own of the class, its own of every class, the operator's. */
export function inForce<Price extends Known>(
  prices: readonly Price[],
  operator: string,
  messageClass: string | null,
): Price | undefined {
  const fitting = prices.filter((price) => price.operator === operator);
  return (
    fitting.find((price) => price.source === "account" && price.message_class === messageClass) ??
    fitting.find((price) => price.source === "account" && price.message_class === null) ??
    fitting.find((price) => price.source === "operator")
  );
}

/** How far a price of the list applies, whatever it was before. `classes`: all that there are. */
export function derivePriceStanding<Price extends Known>(
  prices: readonly Price[],
  price: Price,
  classes: readonly string[],
): PriceStanding {
  const asked = price.message_class === null ? classes : [price.message_class];
  const paid = asked.filter((one) => inForce(prices, price.operator, one) === price);
  if (paid.length === 0) return "none";
  return paid.length === asked.length ? "all" : "others";
}
