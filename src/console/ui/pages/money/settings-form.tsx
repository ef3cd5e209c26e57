import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button, Choice, Dialog, ErrorBox, Field, say } from "../../kit/kit.ts";
import { money } from "../../words/money.ts";
import { classWord, words as common } from "../../words/words.ts";
import type { ShownAccount } from "./account.tsx";
import { CEILINGS } from "./account-settings.tsx";
import { typedOrEmpty } from "./amounts.ts";

type Body = Contract["PATCH /accounts/:account"]["body"];
type Props = {
  readonly view: ShownAccount;
  readonly onSaved: () => void;
  readonly onClose: () => void;
};

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;

type Draft = Readonly<Record<(typeof CEILINGS)[number][0], string>> & {
  readonly timezone: string;
  readonly marketing_hours: string;
  readonly classes: readonly (typeof CLASSES)[number][];
  readonly text_policy: NonNullable<Body["text_policy"]>;
  readonly missing_attributes: NonNullable<Body["missing_attributes"]>;
};

function draftOf(view: ShownAccount): Draft {
  const typed = (value: number | null) => (value === null ? "" : String(value));
  return {
    timezone: view.timezone,
    classes: CLASSES.filter((each) => view.classes.includes(each)),
    recipients_per_minute: typed(view.recipients_per_minute),
    recipients_per_day: typed(view.recipients_per_day),
    marketing_per_day: typed(view.marketing_per_day),
    marketing_per_week: typed(view.marketing_per_week),
    marketing_hours: view.marketing_hours ?? "",
    text_policy: view.text_policy,
    missing_attributes: view.missing_attributes,
  };
}

/** What of a draft is new; null where a number cannot be read. */
function changesOf(before: Draft, draft: Draft): Body | null {
  const body: { -readonly [Name in keyof Body]: Body[Name] } = {};
  for (const [name] of CEILINGS) {
    if (draft[name] === before[name]) continue;
    const value = typedOrEmpty(draft[name]);
    if (value === undefined) return null;
    body[name] = value;
  }
  if (draft.timezone !== before.timezone) body.timezone = draft.timezone.trim();
  if (draft.marketing_hours !== before.marketing_hours)
    body.marketing_hours = draft.marketing_hours.trim() || null;
  if (draft.classes.join() !== before.classes.join()) body.classes = [...draft.classes];
  if (draft.text_policy !== before.text_policy) body.text_policy = draft.text_policy;
  if (draft.missing_attributes !== before.missing_attributes)
    body.missing_attributes = draft.missing_attributes;
  return body;
}

/** Changes settings that are no money; only what was changed is sent. */
export function SettingsForm({ view, onSaved, onClose }: Props) {
  const [before] = useState(() => draftOf(view));
  const [draft, setDraft] = useState(before);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { account: words, save, saved, unchanged, money: moneyWords } = money.value;
  const put = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = changesOf(before, draft);
    if (body === null) return;
    if (Object.keys(body).length === 0) {
      say(unchanged);
      return onClose();
    }
    const answer = await ask("PATCH /accounts/:account", { params: { account: view.account_id }, body });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    say(saved);
    onSaved();
  };
  const line = (name: keyof Draft & string, label: string, value: string, fault: string | null) => (
    <Field
      label={label}
      name={name}
      value={value}
      onValue={(text) => put({ [name]: text })}
      fault={fault}
      input={{ autocomplete: "off" }}
    />
  );
  return (
    <Dialog title={words.settings} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {problem && <ErrorBox problem={problem} />}
        <p class="note">{words.emptyHint}</p>
        <Classes chosen={draft.classes} onChosen={(classes) => put({ classes })} />
        {line("timezone", words.timezone, draft.timezone, null)}
        {CEILINGS.map(([name, label]) =>
          line(
            name,
            words[label],
            draft[name],
            typedOrEmpty(draft[name]) === undefined ? moneyWords.notWhole : null,
          ),
        )}
        {line("marketing_hours", words.marketingHours, draft.marketing_hours, null)}
        <TextRules draft={draft} onPut={put} />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits>
            {save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ClassesProps = {
  readonly chosen: Draft["classes"];
  readonly onChosen: (classes: Draft["classes"]) => void;
};

function Classes({ chosen, onChosen }: ClassesProps) {
  return (
    <fieldset class="choices">
      <legend>{money.value.accounts.classes}</legend>
      {CLASSES.map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={({ currentTarget: { checked } }) =>
              onChosen(CLASSES.filter((one) => (one === each ? checked : chosen.includes(one))))
            }
          />{" "}
          {classWord(each)}
        </label>
      ))}
    </fieldset>
  );
}

const POLICIES = ["as_is", "rewrite", "gsm_only"] as const;
const MISSINGS = ["empty", "reject"] as const;

type RulesProps = { readonly draft: Draft; readonly onPut: (part: Partial<Draft>) => void };

function TextRules({ draft, onPut }: RulesProps) {
  const { account: words } = money.value;
  return (
    <>
      <Choice
        label={words.textPolicy}
        value={draft.text_policy}
        options={POLICIES.map((value) => ({ value, label: words.textPolicies[value] ?? value }))}
        onValue={(text_policy) => onPut({ text_policy })}
      />
      <Choice
        label={words.missing}
        value={draft.missing_attributes}
        options={MISSINGS.map((value) => ({ value, label: words.missings[value] ?? value }))}
        onValue={(missing_attributes) => onPut({ missing_attributes })}
      />
    </>
  );
}
