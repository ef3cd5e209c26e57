import { useState } from "preact/hooks";
import { Field } from "../../kit/field.tsx";
import { Section } from "../../kit/page.tsx";
import { sending } from "../../words/send.ts";
import { change, form } from "./form.ts";
import { Radios } from "./radios.tsx";
import type { SendingAccount } from "./send.tsx";

/** Now, or at a time of the account's zone. */
export function When({ account }: { readonly account: SendingAccount }) {
  const { check: words } = sending.value;
  const { scheduledAt } = form.value;
  const [isAsked, setAsked] = useState(false);
  // A time may be chosen elsewhere too.
  const isLater = isAsked || scheduledAt !== "";
  return (
    <Section title={words.when}>
      <Radios
        name="when"
        legend={words.when}
        value={isLater ? "later" : "now"}
        options={[
          { value: "now", label: words.whenNow },
          { value: "later", label: words.whenLater },
        ]}
        onValue={(value) => {
          setAsked(value === "later");
          if (value === "now") change({ scheduledAt: "" });
        }}
        isRow
      />
      {isLater && (
        <div class="narrow">
          <Field
            label={words.at({ zone: account.timezone })}
            name="scheduled"
            value={scheduledAt}
            onValue={(value) => change({ scheduledAt: value })}
            input={{ type: "datetime-local", required: true }}
          />
        </div>
      )}
    </Section>
  );
}
