/** Console page "API keys" of an account: lists live and test keys, creates one with scopes and an end, revokes one. */

import { useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Button,
  type Columns,
  Confirm,
  column,
  DialogButton,
  Empty,
  Field,
  FormDialog,
  ListTable,
  Page,
  Radios,
  Section,
  StateBadge,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { language } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { toList, useAction, useAnswer } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { words as common, figures, labelled } from "../../words/words.ts";
import {
  accountHere,
  CheckboxGroup,
  ChooseAccount,
  headOfList,
  SecretShownOnce,
  useAccountName,
  Whose,
} from "./access-parts.tsx";
import { writeFirstRequest } from "./first-request.ts";

type Key = Answer<"GET /accounts/:account/keys">["keys"][number];
type NewKey = Answer<"POST /accounts/:account/keys">;

export function Keys() {
  const account = accountHere();
  return account === null ? <ChooseAccount title={access.value.keys.title} /> : <KeysOf account={account} />;
}

function KeysOf({ account }: { readonly account: string }) {
  const name = useAccountName(account);
  const request = useAnswer("GET /accounts/:account/keys", { params: { account } });
  const [made, setMade] = useState<NewKey | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const { problem: failed, run } = useAction();
  const words = access.value.keys;
  const { notices } = common.value.start;
  const list = toList(request, ({ keys }) => keys.toReversed());
  const revoke = async ({ key_id: key }: Key): Promise<void> => {
    if (await run(callApi("POST /keys/:key/revoke", { params: { key } }), words.revoked)) await list.reload();
  };
  return (
    <Page {...headOfList(account, name, accessNames.value.keys, words.title)} aside={<Whose />}>
      {made && (
        <SecretShownOnce
          title={words.secret({ name: made.name })}
          hint={words.secretHint}
          value={made.api_key}
        >
          <FirstRequest made={made} />
        </SecretShownOnce>
      )}
      {request.value?.ends.map(({ key_id: key, name: called, ends_at: at, is_over: isOver }) => (
        <p key={key} class="notice">
          {notices[isOver ? "KEY_ENDED" : "KEY_ENDS"]({ key: called, at })}
        </p>
      ))}
      <Section
        title={accessNames.value.keys}
        aside={
          may("keys.change") && (
            <DialogButton verb={words.create}>
              {(close) => (
                <KeyForm
                  account={account}
                  onClose={close}
                  onCreated={async (key) => {
                    setMade(key);
                    await list.reload();
                  }}
                />
              )}
            </DialogButton>
          )
        }
      >
        <ListTable
          list={list}
          failed={failed}
          caption={words.title}
          columns={columnsOf(setRevoking)}
          keyOf={({ key_id }) => key_id}
          empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
      {revoking && (
        <Confirm
          title={words.revokeTitle({ name: revoking.name })}
          verb={words.revoke}
          isDestructive
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(null)}
        >
          <p>{words.revokeText}</p>
          <p>
            {revoking.last_used_at === null ? words.unused : words.used({ time: revoking.last_used_at })}{" "}
            {words.others(countOthers(list.rows, revoking))}
          </p>
        </Confirm>
      )}
    </Page>
  );
}

/** A line that tries the key at once, and where to go on. */
function FirstRequest({ made }: { readonly made: NewKey }) {
  const words = access.value.keys;
  const line = writeFirstRequest(location.origin, made);
  return (
    <>
      {line !== null && (
        <>
          <p>{words.tryIt}</p>
          <pre class="file">{line}</pre>
        </>
      )}
      <p>
        <a href={`/docs/${language.value}/quick-start`} target="_blank" rel="noopener">
          {words.quickStart}
        </a>
      </p>
    </>
  );
}

/** Counts other active keys of the same kind. */
function countOthers(keys: readonly Key[], { key_id, mode }: Key): number {
  return keys.filter((key) => key.status === "ACTIVE" && key.mode === mode && key.key_id !== key_id).length;
}

function columnsOf(onRevoke: (key: Key) => void): Columns<Key> {
  const words = access.value.keys;
  return [
    column(words.name, ({ name, key_id }) => (
      <WithNote note={key_id}>
        <strong>{name}</strong>
      </WithNote>
    )),
    column(words.mode, ({ mode }) => words.modes[mode] ?? mode),
    column(words.scopes, ({ scopes }) => scopes.map((scope) => words.scopeWords[scope] ?? scope).join(", ")),
    column(words.lastUsed, (row) =>
      row.last_used_at === null ? access.value.never : figures.time(row.last_used_at),
    ),
    column(access.value.state, (row) => <KeyState row={row} />),
    may("keys.change") &&
      column(
        access.value.actions,
        (row) =>
          row.status === "ACTIVE" && (
            <Button kind="quiet" label={labelled(words.revoke, row.name)} onPress={() => onRevoke(row)}>
              {words.revoke}
            </Button>
          ),
      ),
  ];
}

function KeyState({ row: { status, expires_at, revoked_at } }: { readonly row: Key }) {
  const words = access.value.keys;
  const note =
    revoked_at !== null
      ? words.revokedAt({ time: revoked_at })
      : expires_at === null
        ? null
        : status === "EXPIRED"
          ? words.ended({ time: expires_at })
          : labelled(words.expires, figures.time(expires_at));
  return (
    <WithNote note={note}>
      <StateBadge state={status} />
    </WithNote>
  );
}

type Scope = Contract["POST /accounts/:account/keys"]["body"]["scopes"][number];

const SCOPES: readonly Scope[] = [
  "MESSAGES_SEND",
  "MESSAGES_READ",
  "ACCOUNT_READ",
  "SENDER_IDS_READ",
  "WEBHOOKS_MANAGE",
];
const MODES = ["live", "test"] as const;

type FormProps = {
  readonly account: string;
  readonly onCreated: (made: NewKey) => Promise<void>;
  readonly onClose: () => void;
};

/** What a key is for, what it may do, of which kind it is, and until when. */
function KeyForm({ account, onCreated, onClose }: FormProps) {
  const { draft, put, bind } = useDraft<{
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly mode: (typeof MODES)[number];
    readonly ends: string;
  }>({ name: "", scopes: ["MESSAGES_SEND", "MESSAGES_READ"], mode: "live", ends: "" });
  const { problem, run } = useAction();
  const words = access.value.keys;
  const { name, scopes, mode, ends } = draft;
  const submit = async (): Promise<void> => {
    if (scopes.length === 0) return;
    const expiry = ends === "" ? null : `${ends}T23:59:59`;
    const body = { name, scopes: [...scopes], mode, expires_at: expiry };
    const made = await run(callApi("POST /accounts/:account/keys", { params: { account }, body }));
    if (made === null) return;
    onClose();
    await onCreated(made);
  };
  return (
    <FormDialog
      title={words.createTitle}
      verb={words.createVerb}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={words.name} {...bind("name")} hint={words.nameHint} required maxLength={100} autofocus />
      <CheckboxGroup
        label={words.scopesLabel}
        options={toOptions(SCOPES, (value) => words.scopeWords[value] ?? value)}
        chosen={scopes}
        onChosen={(chosen) => put({ scopes: chosen })}
        fault={scopes.length === 0 ? words.noScope : null}
      />
      <Radios
        legend={words.modeLabel}
        name="mode"
        options={MODES.map((value) => ({
          value,
          label: words.modes[value] ?? value,
          help: words.modeHints[value],
        }))}
        value={mode}
        onValue={(chosen) => put({ mode: chosen })}
        isRequired
      />
      <Field label={words.endsLabel} {...bind("ends")} hint={words.endsHint} type="date" />
    </FormDialog>
  );
}
