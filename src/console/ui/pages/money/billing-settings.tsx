import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Facts } from "../../kit/facts.tsx";
import { Button, Choice, Dialog, ErrorBox, Field, Section, say } from "../../kit/kit.ts";
import { may, me } from "../../state/session.ts";
import { money } from "../../words/money.ts";
import { words as common, figures } from "../../words/words.ts";
import type { ShownAccount } from "./account.tsx";
import { typedFrancs, typedOrEmpty } from "./amounts.ts";

type Props = { readonly view: ShownAccount; readonly onSaved: () => void };
type ChargeOn = "accepted" | "delivered" | "";

/** How an account pays. */
export function BillingSettings({ view, onSaved }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { account: words, accounts, change, asConfigured } = money.value;
  const { credit_limit, low_balance, charge_on, usual_charge_on } = view;
  const isOwn = me.value?.account != null;
  const charged = words.chargeOns[charge_on ?? usual_charge_on] ?? usual_charge_on;
  return (
    <Section
      title={words.money2}
      aside={may("money.change") && <Button onPress={() => setEditing(true)}>{change}</Button>}
    >
      <Facts
        rows={[
          [accounts.billing, accounts.billings[view.billing_mode] ?? view.billing_mode],
          [words.creditLimit, figures.money(credit_limit ?? 0)],
          [
            isOwn ? words.ownLowBalance : words.lowBalance,
            low_balance === null ? words.nobodyTold : figures.money(low_balance),
          ],
          [words.chargeOn, charge_on === null ? asConfigured({ value: charged }) : charged],
        ]}
      />
      {isEditing && (
        <BillingForm
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

function BillingForm({ view, onSaved, onClose }: Props & { readonly onClose: () => void }) {
  const [billing, setBilling] = useState(view.billing_mode);
  const [limit, setLimit] = useState(String(view.credit_limit ?? 0));
  const [low, setLow] = useState(view.low_balance === null ? "" : String(view.low_balance));
  const [chargeOn, setChargeOn] = useState<ChargeOn>(view.charge_on ?? "");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { account: words, save, saved, money: moneyWords } = money.value;
  const [creditLimit, lowBalance] = [typedFrancs(limit), typedOrEmpty(low)];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (creditLimit === null || lowBalance === undefined) return;
    const body = {
      ...(billing === view.billing_mode ? {} : { billing_mode: billing }),
      ...(creditLimit === (view.credit_limit ?? 0) ? {} : { credit_limit: creditLimit }),
      ...(lowBalance === view.low_balance ? {} : { low_balance: lowBalance }),
      ...(chargeOn === (view.charge_on ?? "") ? {} : { charge_on: chargeOn === "" ? null : chargeOn }),
    };
    if (Object.keys(body).length === 0) return onClose();
    const answer = await ask("PATCH /accounts/:account/money", {
      params: { account: view.account_id },
      body,
    });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    say(saved);
    onSaved();
  };
  return (
    <Dialog title={`${words.money2} · ${view.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="note">{words.moneyHelp}</p>
        {problem && <ErrorBox problem={problem} />}
        <BillingChoice value={billing} onValue={setBilling} />
        <Field
          label={words.creditLimit}
          name="credit_limit"
          value={limit}
          onValue={setLimit}
          fault={creditLimit === null ? moneyWords.notWhole : null}
          input={{ inputMode: "numeric", autocomplete: "off" }}
        />
        <Field
          label={words.lowBalance}
          name="low_balance"
          value={low}
          onValue={setLow}
          hint={words.lowHint}
          fault={lowBalance === undefined ? moneyWords.notWhole : null}
          input={{ inputMode: "numeric", autocomplete: "off" }}
        />
        <ChargeChoice value={chargeOn} onValue={setChargeOn} />
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

type ChoosingProps<Value> = { readonly value: Value; readonly onValue: (value: Value) => void };

function BillingChoice({ value, onValue }: ChoosingProps<"PREPAID" | "POSTPAID">) {
  const { billing, billings } = money.value.accounts;
  const options = (["PREPAID", "POSTPAID"] as const).map((each) => ({
    value: each,
    label: billings[each] ?? each,
  }));
  return <Choice label={billing} value={value} options={options} onValue={onValue} />;
}

function ChargeChoice({ value, onValue }: ChoosingProps<ChargeOn>) {
  const { chargeOn, chargeOns, configured } = money.value.account;
  const options = (["", "accepted", "delivered"] as const).map((each) => ({
    value: each,
    label: each === "" ? configured : (chargeOns[each] ?? each),
  }));
  return <Choice label={chargeOn} value={value} options={options} onValue={onValue} />;
}
