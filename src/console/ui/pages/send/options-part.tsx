import { Choice, Field } from "../../kit/field.tsx";
import { sending } from "../../words/send.ts";
import { change, form, type MissingRule, type RewriteRule } from "./form.ts";
import type { SendingAccount } from "./send.tsx";

const POLICIES: readonly RewriteRule[] = ["as_is", "rewrite", "gsm_only"];
const MISSING: readonly MissingRule[] = ["empty", "reject"];

/** What becomes of rare characters and of missing values, and what the batch is called. */
export function OptionsPart({ account }: { readonly account: SendingAccount }) {
  const { options: words } = sending.value;
  const { textPolicy, missing, reference } = form.value;
  return (
    <details class="more options">
      <summary>{words.title}</summary>
      <Choice
        label={words.policy}
        value={textPolicy ?? account.text_policy}
        options={POLICIES.map((value) => ({ value, label: words.policies[value] }))}
        onValue={(value) => change({ textPolicy: value })}
      />
      <Choice
        label={words.missing}
        value={missing ?? account.missing_attributes}
        options={MISSING.map((value) => ({ value, label: words.missings[value] }))}
        onValue={(value) => change({ missing: value })}
      />
      <Field
        label={words.reference}
        name="reference"
        value={reference}
        onValue={(value) => change({ reference: value })}
        hint={words.referenceHint}
        input={{ maxLength: 64, autocomplete: "off" }}
      />
    </details>
  );
}
