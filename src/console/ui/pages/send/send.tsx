/**
 * Console page that sends a batch: account, sender, recipients from a file or pasted, text and options; the review follows
 * at an address of its own.
 */
import { Fragment } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import type { Answer } from "../../api/contract.ts";
import {
  Alert,
  Button,
  Choice,
  Empty,
  ErrorBox,
  Field,
  Note,
  Page,
  Radios,
  Section,
  toOptions,
} from "../../kit/kit.ts";
import { filterBy, go, HOME, query } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { sending } from "../../words/send.ts";
import { figures, words } from "../../words/words.ts";
import { FilePreview } from "./file-preview.tsx";
import {
  change,
  correctedBatch,
  form,
  type MissingRule,
  type RewriteRule,
  type SendingAccount,
  startOver,
  toWantedBatch,
} from "./form.ts";
import { LastSentNotice } from "./last-sent-notice.tsx";
import { Refusal } from "./refusal.tsx";
import { ClassPart, ReviewStep } from "./review-step.tsx";
import { TextPart } from "./text-editor.tsx";
import {
  bring,
  discardUpload,
  isPasteUnread,
  isUploading,
  look,
  MAX_FILE_BYTES,
  paste,
  problem,
  progress,
  readPasted,
  refreshPreview,
  tooLarge,
} from "./upload.ts";

export function Send() {
  const own = me.value?.account?.id ?? null;
  const { account: chosen, step } = form.value;
  const account = own ?? chosen;
  useEffect(() => {
    // What another user of this browser was writing is not shown.
    if (form.peek().login !== me.peek()?.login) {
      void discardUpload();
      startOver();
    }
    if (own !== null && form.peek().account !== own) change({ account: own });
    if (form.peek().account !== null && isPasteUnread()) void readPasted();
    else if (form.peek().file !== null && look.peek() === null) void refreshPreview(form.peek());
  }, [own]);
  const asked = stepOf(query.value);
  useEffect(() => {
    // Until an answer says what came of it, what was pressed for stays in view.
    if (form.peek().step === asked || form.peek().pressed !== null) return;
    if (asked === "check" && toWantedBatch(form.peek()) === null) filterBy({ step: "" });
    else change({ step: asked });
  }, [asked]);
  if (account === null) {
    return (
      <Page title={sending.value.title}>
        <LastSentNotice />
        <AccountPart />
      </Page>
    );
  }
  return <ForAccount key={account} account={account} step={step} isChosen={own === null} />;
}

/** The last page has an address of its own: the browser's back button leads to the form. */
const LAST_PAGE = `${HOME}/send?step=check`;

const stepOf = (filters: ReadonlyMap<string, string>) =>
  filters.get("step") === "check" ? "check" : "write";

type ForAccountProps = {
  readonly account: string;
  readonly step: "write" | "check";
  readonly isChosen: boolean;
};

function ForAccount({ account, step, isChosen }: ForAccountProps) {
  const { value, problem, reload } = useAnswer("GET /accounts/:account", { params: { account } });
  const words = sending.value;
  if (value !== null && step === "check" && toWantedBatch(form.value) !== null)
    return <ReviewStep account={value} />;
  return (
    <Page title={words.title}>
      <LastSentNotice />
      <ErrorBox problem={problem} onRetry={reload} />
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
    // Numbers pasted a moment ago count.
    if (isPasteUnread()) await readPasted();
    setAsked(true);
    if (whatIsMissing().length > 0 || isPasteUnread()) return;
    go(LAST_PAGE);
  };
  const again = (): void => {
    void discardUpload();
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
        <Alert title={words.missingThings}>
          <ul>
            {missing.map((name) => (
              <li key={name}>{words.needs[name]}</li>
            ))}
          </ul>
        </Alert>
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

/** Operators and numbers of WhatsApp that are paused, before anything is written for their numbers. */
function Pauses({ account }: { readonly account: string }) {
  const { value } = useAnswer("GET /send/:account/pauses", { params: { account } });
  const { notices } = words.value.start;
  return (
    <div role="status">
      {value?.pauses.map(({ operator, name, senders, since }) => (
        <p key={operator} class="notice">
          {senders === null
            ? notices.PAUSED({ operator: name, since })
            : notices.NUMBER_PAUSED({ senders: senders.join(", "), since })}
        </p>
      ))}
    </div>
  );
}

const POLICIES: readonly RewriteRule[] = ["as_is", "rewrite", "gsm_only"];
const MISSING: readonly MissingRule[] = ["empty", "reject"];

/** What becomes of rare characters and of missing values, and what the batch is called. */
function OptionsPart({ account }: { readonly account: SendingAccount }) {
  const { options: words } = sending.value;
  const { textPolicy, missing, reference } = form.value;
  return (
    <details class="more options">
      <summary>{words.title}</summary>
      <Choice
        label={words.policy}
        value={textPolicy ?? account.text_policy}
        options={toOptions(POLICIES, (value) => words.policies[value])}
        onValue={(value) => change({ textPolicy: value })}
      />
      <Choice
        label={words.missing}
        value={missing ?? account.missing_attributes}
        options={toOptions(MISSING, (value) => words.missings[value])}
        onValue={(value) => change({ missing: value })}
      />
      <Field
        label={words.reference}
        name="reference"
        value={reference}
        onValue={(value) => change({ reference: value })}
        hint={words.referenceHint}
        maxLength={64}
      />
    </details>
  );
}

/** For which account it is: whoever may send for several says so first. */
function AccountPart() {
  const [search, setSearch] = useState("");
  const asked = search.trim();
  const { value, problem } = useAnswer("GET /accounts", {
    query: { status: "ACTIVE", limit: 10, ...(asked === "" ? {} : { search: asked }) },
  });
  const { account: words } = sending.value;
  return (
    <Section title={words.title}>
      <ErrorBox problem={problem} />
      <div class="narrow">
        <Field
          label={words.search}
          name="account"
          value={search}
          onValue={setSearch}
          hint={words.hint}
          autofocus
          maxLength={100}
        />
        <ul class="picks">
          {value?.accounts.map(({ account_id, name, short_name }) => (
            <li key={account_id}>
              <button type="button" class="pick" onClick={() => change({ account: account_id })}>
                {name} <span class="note">{short_name}</span>
              </button>
            </li>
          ))}
        </ul>
        {value?.accounts.length === 0 && <Note>{words.none}</Note>}
      </div>
    </Section>
  );
}

type Sender = Answer<"GET /accounts/:account/senders">["senders"][number];

/** Which name phones show: those that can be used, and why others cannot. */
function SenderPart({ account }: { readonly account: string }) {
  const { value, problem } = useAnswer("GET /accounts/:account/senders", { params: { account } });
  const { sender: words } = sending.value;
  const usable = value?.senders.filter(({ is_sendable }) => is_sendable) ?? [];
  const others = value?.senders.filter(({ is_sendable }) => !is_sendable) ?? [];
  const [only] = usable;
  useEffect(() => {
    if (value === null) return;
    const { sender } = form.peek();
    if (sender !== null && !usable.some((one) => one.sender === sender)) change({ sender: null });
    if (usable.length === 1 && only) change({ sender: only.sender });
  }, [value]);
  return (
    <Section title={words.title}>
      <ErrorBox problem={problem} />
      {value && usable.length === 0 && <Empty title={words.none}>{words.noneHelp}</Empty>}
      {usable.length > 0 && (
        <Radios
          name="sender"
          legend={words.label}
          value={form.value.sender}
          options={usable.map(({ sender }) => ({ value: sender, label: sender }))}
          onValue={(sender) => change({ sender })}
          isRow
        />
      )}
      {others.length > 0 && (
        <details class="more">
          <summary>{words.others(others.length)}</summary>
          <ul>
            {others.map((sender) => (
              <li key={sender.sender}>
                <strong>{sender.sender}</strong> <span class="note">{whyNot(sender)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function whyNot({ status, rejection_reason }: Sender): string {
  const { why, because } = sending.value.sender;
  const word = why[status] ?? status;
  return rejection_reason === null ? word : because({ why: word, reason: rejection_reason });
}

/** Who gets it: out of a file, or pasted. */
function RecipientsPart() {
  const { source, file } = form.value;
  const { recipients: words } = sending.value;
  const isThere = file !== null && look.value !== null;
  // Pasted numbers can be edited on; a file is kept or replaced.
  const isChosen = isThere && file.name !== "";
  return (
    <Section title={words.title}>
      {!isChosen && (
        <Radios
          name="source"
          legend={words.title}
          value={source}
          options={[
            { value: "file", label: words.fromFile },
            { value: "paste", label: words.fromPaste },
          ]}
          onValue={(value) => void choose(value)}
          isRow
        />
      )}
      {!isChosen && (source === "file" ? <FromFile /> : <FromPaste />)}
      <div role="status">
        <Progress />
      </div>
      <Fault />
      {isThere && look.value && (
        <>
          {isChosen && (
            <p class="brought">
              <strong>{file.name}</strong>{" "}
              <Button kind="quiet" onPress={discardUpload}>
                {words.another}
              </Button>
            </p>
          )}
          <FilePreview look={look.value} />
        </>
      )}
    </Section>
  );
}

/** From a file, or pasted: what was pasted counts as long as that is chosen. */
async function choose(source: "file" | "paste"): Promise<void> {
  change({ source });
  if (source === "file" && form.peek().file !== null) await discardUpload();
  if (source === "paste") await readPasted();
}

/** A browser's own field for files takes what is dropped on it. */
function FromFile() {
  const id = useId();
  const { recipients: words } = sending.value;
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file && !isUploading.peek()) void bring(file, file.name);
  };
  return (
    <div class="field drop">
      <label for={id}>{words.drop}</label>
      <p class="hint" id={`${id}-hint`}>
        {words.fileHint}
      </p>
      <input
        id={id}
        type="file"
        name="recipients"
        accept=".csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
    </div>
  );
}

function FromPaste() {
  const id = useId();
  const { recipients: words } = sending.value;
  const { pasted } = form.value;
  return (
    <div class="field">
      <label for={id}>{words.paste}</label>
      <p class="hint" id={`${id}-hint`}>
        {words.pasteHint}
      </p>
      <textarea
        id={id}
        name="pasted"
        rows={6}
        spellcheck={false}
        value={pasted}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => paste(currentTarget.value)}
      />
      <div>
        <Button onPress={readPasted} busy={isUploading.value}>
          {words.read}
        </Button>
      </div>
    </div>
  );
}

/** How far the file is on its way. */
function Progress() {
  const { recipients: words } = sending.value;
  const at = progress.value;
  if (at === null) return null;
  if (at === "reading") return <Note>{words.reading}</Note>;
  return (
    <Note>
      <progress value={at} max={1} aria-label={words.uploading({ share: "" })} />{" "}
      {words.uploading({ share: figures.share(at) })}
    </Note>
  );
}

function Fault() {
  const { recipients: words } = sending.value;
  if (tooLarge.value !== null)
    return <p class="error">{words.tooLarge({ size: megabytes(tooLarge.value) })}</p>;
  return problem.value && <Refusal problem={problem.value} />;
}

function megabytes(bytes: number): string {
  const size = Math.ceil(bytes / (MAX_FILE_BYTES / 16));
  return sending.value.recipients.size({ megabytes: size });
}
