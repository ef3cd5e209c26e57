import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button, Choice, Dialog, ErrorBox, Field, say } from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { money } from "../../words/money.ts";
import { words } from "../../words/words.ts";
import { typedFrancs } from "./amounts.ts";

const BILLINGS = ["PREPAID", "POSTPAID"] as const;

/** Makes an account with an empty wallet, and goes to it. */
export function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [shortName, setShortName] = useState("");
  const [billing, setBilling] = useState<(typeof BILLINGS)[number]>("PREPAID");
  const [limit, setLimit] = useState("0");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { accounts: text, money: moneyWords } = money.value;
  const creditLimit = typedFrancs(limit);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || (billing === "POSTPAID" && creditLimit === null)) return;
    setBusy(true);
    const body = {
      name: name.trim(),
      billing,
      ...(billing === "POSTPAID" && creditLimit !== null ? { credit_limit: creditLimit } : {}),
      ...(shortName.trim() === "" ? {} : { short_name: shortName.trim() }),
    };
    const answer = await ask("POST /accounts", { body });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    say(text.created1({ name: answer.value.name }));
    go(`${HOME}/accounts/${answer.value.account_id}`);
  };
  return (
    <Dialog title={text.create} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {problem && <ErrorBox problem={problem} />}
        <Field
          label={text.company}
          name="name"
          value={name}
          onValue={setName}
          input={{ required: true, maxLength: 200, autofocus: true, autocomplete: "off" }}
        />
        <Field
          label={text.shortName}
          hint={text.shortNameHint}
          name="short_name"
          value={shortName}
          onValue={setShortName}
          input={{ maxLength: 20, autocomplete: "off" }}
        />
        <Choice
          label={text.billing}
          value={billing}
          options={BILLINGS.map((value) => ({ value, label: text.billings[value] ?? value }))}
          onValue={setBilling}
        />
        <p class="note">{text.billingHint}</p>
        {billing === "POSTPAID" && (
          <Field
            label={text.creditLimit}
            name="credit_limit"
            value={limit}
            onValue={setLimit}
            fault={creditLimit === null ? moneyWords.notWhole : null}
            input={{ required: true, inputMode: "numeric", autocomplete: "off" }}
          />
        )}
        <div class="actions">
          <Button onPress={onClose}>{words.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {text.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
