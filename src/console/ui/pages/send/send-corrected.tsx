import { useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import type { Why } from "../../kit/hidden-text.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { go, HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { sending } from "../../words/send.ts";
import { traffic } from "../../words/traffic.ts";
import { discardUpload } from "./bring.ts";
import { change, form, startOver } from "./form.ts";

type CorrectionAnswer = Contract["GET /batches/:batch"]["answer"];

/** Opens the page "Send" with what a batch was sent with, so that only its corrected file is to be brought. */
export function SendCorrected({ view }: { readonly view: CorrectionAnswer }) {
  const [isAsking, setAsking] = useState(false);
  const [isGone, setGone] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { corrected: words } = sending.value;
  const isOwn = me.value?.account != null;
  const isWriting = form.value.text.trim() !== "" || form.value.file !== null;
  if (view.channel !== "SMS" || !may("batches.send") || !may("messages.text")) return null;
  const begin = async (body: Why): Promise<void> => {
    const { batch_id: batch } = view;
    const answer = await callApi("POST /batches/:batch/text", { params: { batch }, body });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setGone(answer.value.text === null);
    await openWith(view, answer.value);
  };
  const dialog = { title: words.open, verb: words.open, onClose: () => setAsking(false) };
  return (
    <>
      {problem && <ErrorBox problem={problem} />}
      <p>
        <Button onPress={() => (isOwn && !isWriting ? void begin({}) : setAsking(true))}>{words.send}</Button>
      </p>
      <p class="note">{isGone ? traffic.value.texts.gone : words.help}</p>
      {isAsking && isOwn && (
        <Confirm {...dialog} onConfirm={() => begin({})}>
          <p>{words.opensOnly}</p>
          <p>{words.putsAside}</p>
        </Confirm>
      )}
      {isAsking && !isOwn && (
        <ReasonDialog {...dialog} onReason={(reason) => begin({ reason })}>
          <p>{words.opensOnly}</p>
          {isWriting && <p>{words.putsAside}</p>}
          <p>{words.why}</p>
        </ReasonDialog>
      )}
    </>
  );
}

type Written = Contract["POST /batches/:batch/text"]["answer"];

/** What was sent again to those who failed opens with the text and the choices of the batch before. */
async function openWith(view: CorrectionAnswer, written: Written): Promise<void> {
  const { text, text_policy: textPolicy, missing_attributes: missing } = written;
  if (text === null) return;
  await discardUpload();
  startOver();
  change({
    account: view.account_id,
    sender: view.sender,
    messageClass: view.message_class,
    text,
    textPolicy,
    missing,
    reference: view.client_reference ?? "",
    correctedOf: view.batch_id,
  });
  go(`${HOME}/send`);
}
