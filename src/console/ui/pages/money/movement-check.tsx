import { useState } from "preact/hooks";
import type { Contract } from "../../api/contract.ts";
import { Facts } from "../../kit/facts.tsx";
import { Button, Dialog, Field } from "../../kit/kit.ts";
import { money } from "../../words/money.ts";
import { words as common, figures } from "../../words/words.ts";

/** What a movement would make of a wallet. */
export type MovementPreview = Contract["POST /accounts/:account/wallet/preview"]["answer"];

/** From here on the account's name is typed before money moves. */
const NAME_FROM_XOF = 1_000_000;

type CheckProps = {
  readonly preview: MovementPreview;
  readonly kind: "topup" | "adjustment";
  /** The payment's reference, or the reason of a correction. */
  readonly because: string;
  readonly onBook: () => Promise<void>;
  readonly onClose: () => void;
};

/** Whose wallet, how much, and the balance before and after: the last look before money is booked. */
export function MovementCheck({ preview, kind, because, onBook, onClose }: CheckProps) {
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const { money: words, account: accountWords } = money.value;
  // A payment that stands in the books already is not booked again: there is nothing to press for.
  const isCounted = preview.already_counted_at !== null;
  const isLarge = !isCounted && Math.abs(preview.amount) >= NAME_FROM_XOF;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || isCounted || (isLarge && typed.trim() !== preview.account)) return;
    setBusy(true);
    await onBook();
  };
  return (
    <Dialog title={isCounted ? words.alreadyTitle : words.checkTitles[kind]} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Facts
          rows={[
            [words.toWhom, <strong>{preview.account}</strong>],
            [words.amount, figures.money(preview.amount)],
            [kind === "topup" ? words.reference : words.reason, because],
            [words.before, figures.money(preview.balance_before)],
            [words.afterIt, <strong>{figures.money(preview.balance_after)}</strong>],
          ]}
        />
        {preview.already_counted_at !== null && (
          <p role="status">{words.already({ time: figures.time(preview.already_counted_at) })}</p>
        )}
        {isLarge && (
          <Field
            label={accountWords.typeName({ name: preview.account })}
            name="typed"
            value={typed}
            onValue={setTyped}
            input={{ required: true, autofocus: true, autocomplete: "off" }}
          />
        )}
        <div class="actions">
          <Button onPress={onClose}>{isCounted ? common.value.close : common.value.cancel}</Button>
          {!isCounted && (
            <Button kind="primary" submits busy={isBusy}>
              {words.book[kind]({ amount: figures.money(preview.amount), account: preview.account })}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
