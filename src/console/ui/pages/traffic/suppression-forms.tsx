import { useRef, useState } from "preact/hooks";
import { textOf } from "../../../../core/text-of.ts";
import { ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Choice, Field } from "../../kit/field.tsx";
import { Section } from "../../kit/page.tsx";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures } from "../../words/words.ts";

const CLASSES = ["MARKETING", "TRANSACTIONAL", "OTP", "all"] as const;
type Asked = (typeof CLASSES)[number];

function options() {
  const { all } = traffic.value.suppressions;
  return CLASSES.map((value) => ({ value, label: value === "all" ? all : classWord(value) }));
}

type AddProps = { readonly account: string | null; readonly onDone: () => void };

/** Puts one number on the list. */
export function AddSuppression({ account, onDone }: AddProps) {
  const [msisdn, setNumber] = useState("");
  const [note, setNote] = useState("");
  const [messageClass, setClass] = useState<Asked>("MARKETING");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { suppressions: words, ...common } = traffic.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = { account, msisdn, message_class: messageClass, note: note.trim() === "" ? null : note };
    const answer = await ask("POST /suppressions", { body });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setNumber("");
    setNote("");
    onDone();
  };
  return (
    <Section title={words.add}>
      {problem && <ErrorBox problem={problem} />}
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={common.number}
          name="msisdn"
          value={msisdn}
          onValue={setNumber}
          hint={words.searchHint}
          input={{ required: true, maxLength: 100, inputMode: "tel", autocomplete: "off" }}
        />
        <Choice label={common.messageClass} value={messageClass} options={options()} onValue={setClass} />
        <Field label={words.note} name="note" value={note} onValue={setNote} input={{ maxLength: 200 }} />
        <div class="actions">
          <Button kind="primary" submits>
            {words.add}
          </Button>
        </div>
      </form>
    </Section>
  );
}

type ImportProps = { readonly account: string | null; readonly onDone: (told: string) => void };

/** Puts the numbers of a file on the list: all of them, or none where a line cannot be read. */
export function ImportSuppressions({ account, onDone }: ImportProps) {
  const input = useRef<HTMLInputElement>(null);
  const [messageClass, setClass] = useState<Asked>("MARKETING");
  const [skips, setSkips] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { suppressions: words, messageClass: classLabel } = traffic.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const file = input.current?.files?.[0];
    if (!file || isBusy) return;
    setBusy(true);
    const text = textOf(new Uint8Array(await file.arrayBuffer()));
    const body = { account, message_class: messageClass, text, skip_invalid: skips };
    const answer = await ask("POST /suppressions/import", { body });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    const { added, already_listed, skipped } = answer.value;
    const told = [
      figures.count(added, words.importedNow),
      figures.count(already_listed, words.importedBefore),
      ...(skipped > 0 ? [figures.count(skipped, words.importSkipped)] : []),
    ];
    onDone(`${told.join(" · ")}.`);
  };
  return (
    <Section title={words.import}>
      {problem && <ErrorBox problem={problem} />}
      <form onSubmit={(event) => void submit(event)}>
        <div class="field">
          <label for="suppression-file">{words.file}</label>
          <p class="hint">{words.importHint}</p>
          <input id="suppression-file" type="file" accept=".csv,.txt,text/csv" required ref={input} />
        </div>
        <Choice label={classLabel} value={messageClass} options={options()} onValue={setClass} />
        <p>
          <label>
            <input
              type="checkbox"
              checked={skips}
              onChange={({ currentTarget }) => setSkips(currentTarget.checked)}
            />{" "}
            {words.skip}
          </label>
        </p>
        <div class="actions">
          <Button submits busy={isBusy}>
            {words.import}
          </Button>
        </div>
      </form>
    </Section>
  );
}
