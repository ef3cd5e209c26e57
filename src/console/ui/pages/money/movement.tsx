import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { newKey } from "../../browser.ts";
import { Button, Choice, ErrorBox, Field, Section, say } from "../../kit/kit.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import { typedFrancs } from "./amounts.ts";
import { MovementCheck, type MovementPreview } from "./movement-check.tsx";

type Kind = "topup" | "adjustment";
/** What was typed: `because` is the payment's reference, or the reason of a correction. */
type Draft = { readonly kind: Kind; readonly amount: string; readonly because: string };

const NOTHING: Draft = { kind: "topup", amount: "", because: "" };

type Props = { readonly account: string; readonly onBooked: () => void };

/**
 * Pays in or corrects: what is typed is looked at first, with the account's name and the balance after it. A correction has a name
 * from when the form was opened, so that a second press counts once, as a payment's reference does.
 */
export function Movement({ account, onBooked }: Props) {
  const [draft, setDraft] = useState(NOTHING);
  const [once, setOnce] = useState(newKey);
  const [preview, setPreview] = useState<MovementPreview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { money: words } = money.value;
  const { kind, because } = draft;
  const francs = typedFrancs(draft.amount);
  const params = { account };
  const look = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (francs === null) return;
    const body =
      kind === "topup"
        ? ({ kind, amount: francs, reference: because.trim() } as const)
        : ({ kind, amount: francs } as const);
    const answer = await ask("POST /accounts/:account/wallet/preview", { params, body });
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setPreview(answer.value);
  };
  const book = async (shown: MovementPreview): Promise<void> => {
    const answer =
      kind === "topup"
        ? await ask("POST /accounts/:account/wallet/topup", {
            params: { account: shown.account_id },
            body: { amount: shown.amount, reference: because.trim() },
          })
        : await ask("POST /accounts/:account/wallet/adjust", {
            params: { account: shown.account_id },
            body: { amount: shown.amount, reason: because.trim(), reference: once },
          });
    setPreview(null);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    // Somebody else may have entered it since it was looked at.
    const countedAt = "already_counted_at" in answer.value ? answer.value.already_counted_at : null;
    say(
      countedAt === null
        ? words.booked({ name: shown.account, amount: figures.money(shown.amount) })
        : words.already({ time: figures.time(countedAt) }),
    );
    setDraft({ ...NOTHING, kind });
    setOnce(newKey());
    onBooked();
  };
  return (
    <Section title={words.move}>
      {problem && <ErrorBox problem={problem} />}
      <MovementForm draft={draft} onDraft={setDraft} onLook={(event) => void look(event)} />
      {preview && (
        <MovementCheck
          preview={preview}
          kind={kind}
          because={because.trim()}
          onBook={() => book(preview)}
          onClose={() => setPreview(null)}
        />
      )}
    </Section>
  );
}

type FormProps = {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onLook: (event: Event) => void;
};

function MovementForm({ draft, onDraft, onLook }: FormProps) {
  const { kind, amount, because } = draft;
  const { money: words } = money.value;
  const isUnread = amount.trim() !== "" && typedFrancs(amount) === null;
  return (
    <form class="line" onSubmit={onLook}>
      <Choice
        label={words.kind}
        value={kind}
        options={(["topup", "adjustment"] as const).map((value) => ({ value, label: words.kinds[value] }))}
        onValue={(chosen) => onDraft({ ...draft, kind: chosen })}
      />
      <Field
        label={words.amount}
        name="amount"
        value={amount}
        onValue={(text) => onDraft({ ...draft, amount: text })}
        hint={kind === "topup" ? words.topupHint : words.amountHint}
        fault={isUnread ? words.notWhole : null}
        input={{ required: true, inputMode: "numeric", autocomplete: "off" }}
      />
      <Field
        label={kind === "topup" ? words.reference : words.reason}
        name="because"
        value={because}
        onValue={(text) => onDraft({ ...draft, because: text })}
        {...(kind === "topup" ? { hint: words.referenceHint } : {})}
        input={{ required: true, maxLength: kind === "topup" ? 100 : 500, autocomplete: "off" }}
      />
      <Button submits>{words.look}</Button>
    </form>
  );
}
