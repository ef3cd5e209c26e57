import { useState } from "preact/hooks";
import { type ApiAnswer, ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";
import { Boxes } from "./parts.tsx";

/** What is to be decided about a sender of an account. */
export type Deciding = {
  readonly kind: "approve" | "reject" | "register";
  readonly account: string;
  readonly accountName: string;
  readonly sender: string;
  /** Operators that know it now. */
  readonly operators: readonly string[];
  /** Shows the list that it stands in as it is by then; resolves when it is shown. */
  readonly reload: () => Promise<void>;
};

type DialogsProps = {
  readonly deciding: Deciding;
  /** A dialog closes only after it: what was opened from the old list would be decided twice. */
  readonly onDone: (told: string) => Promise<void>;
  readonly onFailed: (problem: Problem) => void;
  readonly onClose: () => void;
};

/** Says what a decision does before it is taken. */
export function SenderDialogs({ deciding, onDone, onFailed, onClose }: DialogsProps) {
  const { account, accountName, sender } = deciding;
  const words = access.value.senders;
  const params = { account };
  const told = async (answer: ApiAnswer<unknown>, text: string): Promise<void> => {
    if (answer.ok) await onDone(text);
    else onFailed(answer.problem);
  };
  switch (deciding.kind) {
    case "approve":
      return (
        <Confirm
          title={words.approveTitle({ sender })}
          verb={words.approve}
          onConfirm={async () =>
            told(
              await ask("POST /accounts/:account/senders/approve", { params, body: { sender } }),
              words.approved({ sender }),
            )
          }
          onClose={onClose}
        >
          <p>{words.approveText({ account: accountName })}</p>
        </Confirm>
      );
    case "reject":
      return (
        <ReasonDialog
          title={words.rejectTitle({ sender })}
          verb={words.reject}
          isDestructive
          onReason={async (reason) =>
            told(
              await ask("POST /accounts/:account/senders/reject", { params, body: { sender, reason } }),
              words.rejectedNow({ sender }),
            )
          }
          onClose={onClose}
        >
          <p>{words.rejectText({ account: accountName })}</p>
        </ReasonDialog>
      );
    case "register":
      return <Registrations deciding={deciding} onDone={onDone} onFailed={onFailed} onClose={onClose} />;
  }
}

/** Which operators know a sender: ticked ones are noted, others taken back. */
function Registrations({ deciding, onDone, onFailed, onClose }: DialogsProps) {
  const { account, sender } = deciding;
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = access.value.senders;
  const { value } = useAnswer(`${account} ${sender}`, async () => {
    const [operators, senders] = await Promise.all([
      ask("GET /operators", {}),
      ask("GET /accounts/:account/senders", { params: { account } }),
    ]);
    if (!operators.ok) return operators;
    if (!senders.ok) return senders;
    const known = senders.value.senders.find((one) => one.sender === sender)?.operators ?? [];
    setChosen(known);
    return { ok: true, value: { known, operators: operators.value.operators } } as const;
  });
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!value || chosen === null || isBusy) return;
    setBusy(true);
    const added = chosen.filter((code) => !value.known.includes(code));
    const gone = value.known.filter((code) => !chosen.includes(code));
    for (const [codes, name] of [
      [added, "POST /accounts/:account/senders/register"],
      [gone, "POST /accounts/:account/senders/unregister"],
    ] as const)
      for (const operator of codes) {
        const answer = await ask(name, { params: { account }, body: { sender, operator } });
        if (answer.ok) continue;
        onFailed(answer.problem);
        onClose();
        return;
      }
    await onDone(words.registered({ sender }));
    onClose();
  };
  return (
    <Dialog title={words.registerTitle({ sender })} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <p>{words.registerText}</p>
        {value && value.operators.length === 0 && <p>{words.noOperators}</p>}
        {value && (
          <Boxes
            label={words.operators}
            options={value.operators.map(({ code, name }) => ({ value: code, label: name }))}
            chosen={chosen ?? []}
            onChosen={setChosen}
          />
        )}
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy || !value}>
            {words.registerVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
