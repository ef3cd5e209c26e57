import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { say } from "../../kit/toast.tsx";
import { go, HOME } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { batchWords } from "../../words/batch.ts";
import { sending } from "../../words/send.ts";
import { traffic } from "../../words/traffic.ts";
import { words as common, figures, labelled, rejectionWord } from "../../words/words.ts";
import { keepSent } from "../send/last-sent.tsx";
import { Refusal } from "../send/refusal.tsx";
import { Unpayable } from "../send/unpayable.tsx";
import type { FailureCause } from "./batch-failures.tsx";

type Again = NonNullable<Contract["GET /batches/:batch/again"]["answer"]["quote"]>;
type Props = {
  readonly view: Contract["GET /batches/:batch"]["answer"];
  /** Why messages failed; none while it is not known. */
  readonly failures: readonly FailureCause[];
  readonly onClose: () => void;
};

/** Says to how many a batch would be sent again, what it costs and who is left out, before it is. */
export function SendAgain({ view, failures, onClose }: Props) {
  const { batch_id: batch } = view;
  const lasting = failures.filter((one) => !one.is_passing && one.nothing > 0);
  const { value, problem, isLoading, reload } = useAnswer(batch, () =>
    ask("GET /batches/:batch/again", { params: { batch } }),
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { batches: words } = traffic.value;
  const send = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const answer = await ask("POST /batches/:batch/again", { params: { batch } });
    setFailed(answer.ok ? null : answer.problem);
    // The figures were of before: the new ones are looked at before it is pressed again.
    if (!answer.ok && answer.problem.code === "CORRECTED_SINCE") await reload();
    setBusy(false);
    if (!answer.ok) return;
    say(answer.value.is_replayed ? words.againBefore : words.againSent);
    const texts = value?.quote?.accepted ?? 0;
    keepSent(answer.value.batch_id, { texts, recipients: texts });
    onClose();
    go(`${HOME}/batches/${answer.value.batch_id}`);
  };
  const quote = value?.quote ?? null;
  const canSend = quote?.is_payable === true && quote.accepted > 0;
  const shown = failed ?? problem;
  return (
    <Dialog title={words.againTitle} onClose={onClose}>
      <div class="prose">
        <p>{words.againHelp}</p>
        {lasting.length > 0 && <p>{batchWords.value.notAgain}</p>}
        {lasting.length > 0 && (
          <ul>
            {lasting.map(({ code, detail, nothing }) => (
              <li key={code}>{labelled(detail.replace(/\.$/, ""), figures.number(nothing))}</li>
            ))}
          </ul>
        )}
        {value === null && !problem && <p class="note">{common.value.loading}</p>}
        {value && value.reached > 0 && <p>{figures.count(value.reached, batchWords.value.againReached)}</p>}
        {value && (quote?.accepted ?? 0) === 0 && <p>{words.againNone}</p>}
        {quote && <Told quote={quote} account={view.account} />}
      </div>
      {shown && <Refusal problem={shown} />}
      <div class="actions">
        <Button onPress={onClose}>{common.value.cancel}</Button>
        {canSend && (
          <Button kind="primary" busy={isBusy || isLoading} onPress={() => void send()}>
            {words.againSend({
              texts: figures.count(quote.accepted, words.againTexts),
              cost: figures.money(quote.amount),
            })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Told({ quote, account }: { readonly quote: Again; readonly account: string }) {
  const { batches: words } = traffic.value;
  const { check } = sending.value;
  const { spendable_before: before, spendable_after: after } = quote;
  return (
    <>
      {quote.rejected > 0 && <p>{figures.count(quote.rejected, words.againLeft)}</p>}
      {quote.rejected > 0 && (
        <ul>
          {Object.entries(quote.rejections_by_reason).map(([reason, count]) => (
            <li key={reason}>{labelled(rejectionWord(reason), figures.number(count))}</li>
          ))}
        </ul>
      )}
      {quote.accepted > 0 && before !== null && after !== null && (
        <p>
          {me.value?.account === null
            ? batchWords.value.againBalance({
                account,
                before: figures.money(before),
                after: figures.money(after),
              })
            : words.againBalance({ before: figures.money(before), after: figures.money(after) })}
        </p>
      )}
      {quote.accepted > 0 && before === null && quote.is_payable && <p>{check.enough}</p>}
      {quote.refusal && <Unpayable quote={quote} refusal={quote.refusal} />}
    </>
  );
}
