import type { Contract } from "../../api/contract.ts";

type Of = NonNullable<Contract["GET /accounts/:account/invoice"]["answer"]["seller"]>;

/** Who sells, at the head of what is printed; nothing where the configuration names nobody. */
export function Seller({ seller }: { readonly seller: Of | null | undefined }) {
  if (!seller) return null;
  return (
    <p class="seller">
      <strong>{seller.name}</strong>
      {[...seller.address, ...seller.tax_numbers].map((line) => (
        <span key={line} class="note">
          {line}
        </span>
      ))}
    </p>
  );
}
