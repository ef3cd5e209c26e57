import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Page } from "../../kit/page.tsx";
import { filterBy, go, HOME, query } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { sending } from "../../words/send.ts";
import { AccountPart } from "./account-part.tsx";
import { isPasteUnread, look, lookAgain, putAside, readPasted } from "./bring.ts";
import { Check } from "./check.tsx";
import { ClassPart } from "./class-part.tsx";
import { change, correctedBatch, form, startOver, wantedOf } from "./form.ts";
import { LastSent } from "./last-sent.tsx";
import { OptionsPart } from "./options-part.tsx";
import { Pauses } from "./pauses.tsx";
import { RecipientsPart } from "./recipients-part.tsx";
import { SenderPart } from "./sender-part.tsx";
import { TextPart } from "./text-part.tsx";

export type SendingAccount = Contract["GET /accounts/:account"]["answer"];

/** One page to write on, and one last page before anything is sent. */
export function Send() {
  const own = me.value?.account?.id ?? null;
  const { account: chosen, step } = form.value;
  const account = own ?? chosen;
  useEffect(() => {
    // What somebody else was writing, who sat here before, is not shown.
    if (form.peek().login !== me.peek()?.login) {
      void putAside();
      startOver();
    }
    if (own !== null && form.peek().account !== own) change({ account: own });
    if (form.peek().account !== null && isPasteUnread()) void readPasted();
    else if (form.peek().file !== null && look.peek() === null) void lookAgain(form.peek().column);
  }, [own]);
  const asked = stepOf(query.value);
  useEffect(() => {
    // Until an answer says what came of it, what was pressed for stays in view.
    if (form.peek().step === asked || form.peek().pressed !== null) return;
    if (asked === "check" && wantedOf(form.peek()) === null) filterBy({ step: "" });
    else change({ step: asked });
  }, [asked]);
  if (account === null) {
    return (
      <Page title={sending.value.title}>
        <LastSent />
        <AccountPart />
      </Page>
    );
  }
  return <ForAccount key={account} account={account} step={step} isChosen={own === null} />;
}

/** The last page has an address of its own: the browser's way back from it leads to what was written. */
const LAST_PAGE = `${HOME}/send?step=check`;

const stepOf = (filters: ReadonlyMap<string, string>) =>
  filters.get("step") === "check" ? "check" : "write";

type ForAccountProps = {
  readonly account: string;
  readonly step: "write" | "check";
  readonly isChosen: boolean;
};

function ForAccount({ account, step, isChosen }: ForAccountProps) {
  const { value, problem, reload } = useAnswer(account, () =>
    ask("GET /accounts/:account", { params: { account } }),
  );
  const words = sending.value;
  if (value !== null && step === "check" && wantedOf(form.value) !== null) return <Check account={value} />;
  return (
    <Page title={words.title}>
      <LastSent />
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && <Write account={value} isChosen={isChosen} />}
    </Page>
  );
}

function Write({ account, isChosen }: { readonly account: SendingAccount; readonly isChosen: boolean }) {
  const [isAsked, setAsked] = useState(false);
  const words = sending.value;
  const { key } = form.value;
  const corrected = correctedBatch(form.value);
  const missing = isAsked ? whatIsMissing() : [];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    // Numbers that were pasted a moment ago count.
    if (isPasteUnread()) await readPasted();
    setAsked(true);
    if (whatIsMissing().length > 0 || isPasteUnread()) return;
    go(LAST_PAGE);
  };
  const again = (): void => {
    void putAside();
    startOver();
    setAsked(false);
  };
  return (
    <form class="send" onSubmit={(event) => void submit(event)} noValidate>
      {isChosen && (
        <p class="for-account">
          <strong>{account.name}</strong>{" "}
          <span class="note">{words.account.zone({ zone: account.timezone })}</span>{" "}
          <Button kind="quiet" onPress={again}>
            {words.account.change}
          </Button>
        </p>
      )}
      {corrected !== null && (
        <p>
          {words.corrected.bring} <a href={`${HOME}/batches/${corrected}`}>{words.corrected.batch}</a>
        </p>
      )}
      <Pauses account={account.account_id} />
      {/* A form that was begun anew is another: what is preselected is so again, and the browser's field for files is empty. */}
      <Fragment key={key}>
        <SenderPart account={account.account_id} />
        <ClassPart account={account} />
        <RecipientsPart />
        <TextPart policy={account.text_policy} />
        <OptionsPart account={account} />
      </Fragment>
      {missing.length > 0 && (
        <div class="error" role="alert">
          <p class="error-title">{words.missingThings}</p>
          <ul>
            {missing.map((name) => (
              <li key={name}>{words.needs[name]}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="actions">
        <Button kind="quiet" onPress={again}>
          {words.startOver}
        </Button>
        <Button kind="primary" submits>
          {words.toCheck}
        </Button>
      </div>
    </form>
  );
}

function whatIsMissing() {
  const { sender, text, file } = form.value;
  const hasColumn = look.value === null || look.value.column !== null;
  return [
    ...(sender === null ? (["sender"] as const) : []),
    ...(file === null ? (["recipients"] as const) : []),
    ...(file !== null && !hasColumn ? (["column"] as const) : []),
    ...(text.trim() === "" ? (["text"] as const) : []),
  ];
}
