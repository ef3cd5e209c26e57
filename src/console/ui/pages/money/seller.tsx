/** Who sells, as it stands on papers. */
import type { Answer } from "../../api/contract.ts";
import { pageData } from "../../browser.ts";
import { may } from "../../state/session.ts";
import { money } from "../../words/money.ts";
import { SettingsWay } from "../settings-way.tsx";

type Of = NonNullable<Answer<"GET /accounts/:account/invoice">["seller"]>;

/** The seller, at the head of printed pages; nothing where none is configured. */
export function Seller({ seller }: { readonly seller: Of | null | undefined }) {
  if (!seller) return null;
  return (
    <p class="seller">
      {pageData("logo") !== "" && <img src={pageData("logo")} alt="" />}
      <strong>{seller.name}</strong>
      {[...seller.address, ...seller.tax_numbers].map((line) => (
        <span key={line} class="note">
          {line}
        </span>
      ))}
    </p>
  );
}

/** Example of the seller's configuration. */
const SELLER_EXAMPLE = `[seller]
name = "Faso SMS SARL"
address = ["01 BP 1234, Ouagadougou 01"]
tax_numbers = ["IFU 00012345 A"]
taxes = [{ name = "TVA", percent = 18 }]`;

/** Says on the screen, to whoever may change that, that no seller stands on what is printed. */
export function SellerMissing() {
  if (!may("appliance.change")) return null;
  return (
    <div class="unprinted">
      <p>{money.value.money.sellerMissing}</p>
      <pre class="file" tabIndex={-1}>
        {SELLER_EXAMPLE}
      </pre>
      <SettingsWay />
    </div>
  );
}
