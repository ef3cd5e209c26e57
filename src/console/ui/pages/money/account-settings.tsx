import { useState } from "preact/hooks";
import { Facts } from "../../kit/facts.tsx";
import { Button, Section } from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import type { ShownAccount } from "./account.tsx";
import { SettingsForm } from "./settings-form.tsx";

type Props = { readonly view: ShownAccount; readonly onSaved: () => void };

/** Ceilings by their names in the answer and in the words. */
export const CEILINGS = [
  ["recipients_per_minute", "recipientsPerMinute"],
  ["recipients_per_day", "recipientsPerDay"],
  ["marketing_per_day", "marketingPerDay"],
  ["marketing_per_week", "marketingPerWeek"],
] as const;

/** What holds for an account but money; a setting of its own stands before that of the configuration. */
export function AccountSettings({ view, onSaved }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { account: words, change, asConfigured, noLimit } = money.value;
  const ceiling = (own: number | null, inForce: number) => {
    const shown = inForce === 0 ? noLimit : figures.number(inForce);
    return own === null ? asConfigured({ value: shown }) : shown;
  };
  return (
    <Section
      title={words.settings}
      aside={may("accounts.change") && <Button onPress={() => setEditing(true)}>{change}</Button>}
    >
      <Facts
        rows={[
          [words.timezone, view.timezone],
          ...CEILINGS.slice(0, 2).map(
            ([name, label]) => [words[label], ceiling(view[name], view.policy[name])] as const,
          ),
          [
            words.marketingHours,
            view.marketing_hours === null
              ? asConfigured({ value: view.policy.marketing_hours })
              : view.policy.marketing_hours,
          ],
          ...CEILINGS.slice(2).map(
            ([name, label]) => [words[label], ceiling(view[name], view.policy[name])] as const,
          ),
          [words.textPolicy, words.textPolicies[view.text_policy] ?? view.text_policy],
          [words.missing, words.missings[view.missing_attributes] ?? view.missing_attributes],
        ]}
      />
      {isEditing && (
        <SettingsForm
          view={view}
          onSaved={() => {
            setEditing(false);
            onSaved();
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </Section>
  );
}
