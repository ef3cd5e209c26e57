import { useEffect, useRef, useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { may } from "../../state/session.ts";
import { connect } from "../../words/connect.ts";
import { draftFaults, isWhole } from "./draft-faults.ts";
import { DraftFields } from "./draft-fields.tsx";
import { draftBody, NOTHING_TYPED, type TypedOperator, withChange } from "./draft-form.ts";
import { Verdict } from "./verdict.tsx";

type Drafted = Contract["POST /appliance/operator-draft"]["answer"];

/** Words an operator for the configuration file out of what the operator gave, and has it checked. */
export function OperatorDraft() {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  /** How often it was tried; what is wrong is told from the first time on. */
  const [tries, setTries] = useState(0);
  const [drafted, setDrafted] = useState<Drafted | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const verdict = useRef<HTMLDivElement>(null);
  const words = connect.value;
  // Prices are the owner's.
  const setsPrices = may("prices.change");
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries]);
  useEffect(() => {
    if (drafted !== null) verdict.current?.focus();
  }, [drafted]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTries(tries + 1);
    if (!isWhole(typed, setsPrices)) return setDrafted(null);
    const answer = await ask("POST /appliance/operator-draft", { body: draftBody(typed, setsPrices) });
    setProblem(answer.ok ? null : answer.problem);
    setDrafted(answer.ok ? answer.value : null);
  };
  const put = (change: Partial<TypedOperator>) => setTyped(withChange(typed, change));
  return (
    <>
      <form ref={form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
        <p class="prose">{words.help}</p>
        {problem && <ErrorBox problem={problem} />}
        <DraftFields
          typed={typed}
          setsPrices={setsPrices}
          isTried={tries > 0}
          faults={draftFaults(typed, setsPrices)}
          onType={put}
        />
        <div>
          <Button kind="primary" submits>
            {words.check}
          </Button>
        </div>
      </form>
      <div class="verdict" aria-live="polite" tabIndex={-1} ref={verdict}>
        {drafted && <Verdict drafted={drafted} place={typed.password} />}
      </div>
    </>
  );
}
