/** Console pages of SMPP users: who they are and how they stand, the sheet of connection data; create, change, kick, revoke. */

import { useRef, useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import { copyText, printPart } from "../../browser.ts";
import {
  Button,
  Checkbox,
  Choice,
  type Columns,
  Confirm,
  column,
  countColumn,
  DialogButton,
  Empty,
  Facts,
  Field,
  FormDialog,
  ListTable,
  Loaded,
  Page,
  Section,
  Stat,
  StateBadge,
  Stats,
  showToast,
  TableSection,
  timeColumn,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { listChanges, useDraft } from "../../state/use-draft.ts";
import { toList, useAction, useAnswer } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { smpp } from "../../words/smpp.ts";
import { figures, labelled } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { accountHere, headOfList, SecretShownOnce, useAccountName, Whose } from "./access-parts.tsx";

/** The protocol is called so in both languages. */
const NAME = "SMPP";

type Listed = Answer<"GET /smpp">;
type Row = Listed["users"][number];
type Shown = Answer<"GET /smpp/:system_id">;
type Settings = Contract["PATCH /smpp/:system_id"]["body"];

/** The users of an account, or of staff who chose none, all. */
export function Smpp() {
  const account = accountHere();
  const name = useAccountName(account);
  const request = useAnswer("GET /smpp", { query: account === null ? {} : { account } });
  const [made, setMade] = useState<Made | null>(null);
  const words = smpp.value;
  const mayCreate = account !== null && may(isStaff() ? "smpp.manage" : "smpp.own");
  return (
    <Page {...headOfList(account, name, NAME, words.title)} aside={account !== null && <Whose />}>
      {made && <Password made={made} />}
      <Section
        title={NAME}
        aside={
          mayCreate && (
            <DialogButton verb={words.create}>
              {(close) => (
                <NewUser
                  account={account}
                  onClose={close}
                  onMade={async (user) => {
                    setMade(user);
                    await request.reload();
                  }}
                />
              )}
            </DialogButton>
          )
        }
      >
        <ListTable
          list={toList(request, ({ users }) => users)}
          caption={words.title}
          columns={columnsOf(account === null)}
          keyOf={({ system_id }) => system_id}
          empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
    </Page>
  );
}

function columnsOf(isOfAll: boolean): Columns<Row> {
  const words = smpp.value;
  return [
    column(words.systemId, ({ system_id, mode }) => (
      <WithNote note={mode === "test" && (access.value.keys.modes.test ?? mode)}>
        <a href={`${HOME}/smpp/${system_id}`}>{system_id}</a>
      </WithNote>
    )),
    isOfAll && column(words.account, ({ account }) => account),
    column(access.value.state, ({ status }) => <StateBadge state={status} />),
    column(words.sessions, ({ standing, max_binds: most }) =>
      standing === null ? "–" : words.sessionsOf({ count: standing.sessions, most }),
    ),
    countColumn(words.rate, ({ standing }) => standing?.rate ?? null),
    countColumn(words.waiting, ({ standing }) => standing?.receipts_waiting ?? null),
    countColumn(words.parts, ({ standing }) => standing?.parts_waiting ?? null),
    column(words.refusals, ({ standing }) =>
      standing?.refusals.map(({ reason, times }) => words.refusal({ reason, times })).join(", "),
    ),
  ];
}

/** Whose password is shown, this once. */
type Made = { readonly system_id: string; readonly password: string };

function Password({ made: { system_id: id, password } }: { readonly made: Made }) {
  const words = smpp.value;
  return <SecretShownOnce title={words.secret({ id })} hint={words.secretHint} value={password} />;
}

/** Networks as they are typed, separated by commas. */
function readNetworks(typed: string): string[] {
  return typed
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

type NewProps = {
  readonly account: string;
  readonly onMade: (made: Made) => Promise<void>;
  readonly onClose: () => void;
};

function NewUser({ account, onMade, onClose }: NewProps) {
  const { draft, bind } = useDraft({ systemId: "", sender: "", networks: "" });
  const { problem, run } = useAction();
  const words = smpp.value;
  const submit = async (): Promise<void> => {
    const networks = readNetworks(draft.networks);
    const body = { system_id: draft.systemId, sender: draft.sender === "" ? null : draft.sender, networks };
    const params = { account };
    const asked = isStaff()
      ? callApi("POST /accounts/:account/smpp", { params, body })
      : callApi("POST /accounts/:account/smpp/own", { params, body });
    const made = await run(asked);
    if (made === null) return;
    onClose();
    await onMade(made);
  };
  return (
    <FormDialog
      title={words.createTitle}
      verb={words.createVerb}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={words.systemId}
        {...bind("systemId")}
        hint={words.systemIdHint}
        required
        minLength={3}
        maxLength={15}
        autofocus
      />
      <Field label={words.sender} {...bind("sender")} hint={words.senderHint} maxLength={32} />
      <NetworksField {...bind("networks")} />
    </FormDialog>
  );
}

type NetworksProps = {
  readonly name: string;
  readonly value: string;
  readonly onValue: (typed: string) => void;
};

function NetworksField(field: NetworksProps) {
  const words = smpp.value;
  const hint = isStaff() ? words.networksHintAny : words.networksHint;
  return <Field label={words.networks} {...field} hint={hint} required maxLength={2000} />;
}

type Doing = "change" | "networks" | "password" | "revoke" | { readonly kick: string | null };

/** One user: its settings, its sessions, what was refused of it, and the sheet of connection data. */
export function SmppUser({ parts: { user: id = "" } }: PageProps) {
  const request = useAnswer("GET /smpp/:system_id", { params: { system_id: id } });
  const { problem: failed, run } = useAction();
  const [made, setMade] = useState<Made | null>(null);
  const [doing, setDoing] = useState<Doing | null>(null);
  const words = smpp.value;
  const account = request.value?.account_id ?? null;
  const name = useAccountName(account);
  const isOfOne = isStaff() && account !== null;
  return (
    <Page
      title={id}
      question={words.userTitle}
      trail={isOfOne ? [{ to: `${HOME}/smpp?account=${account}`, name }] : []}
    >
      {made && <Password made={made} />}
      <Loaded of={request} failed={failed}>
        {(user) => (
          <>
            {user.status === "ACTIVE" && <Tools onDo={setDoing} />}
            <Standing user={user} />
            <Sheet user={user} />
            <Sessions user={user} onKick={(kick) => setDoing({ kick })} />
            <Refusals user={user} />
            {doing !== null && (
              <UserDialog
                doing={doing}
                user={user}
                run={run}
                onDone={request.reload}
                onMade={setMade}
                onClose={() => setDoing(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Tools({ onDo }: { readonly onDo: (doing: Doing) => void }) {
  const words = smpp.value;
  return (
    <div class="tools section">
      {may("smpp.password") && <Button onPress={() => onDo("password")}>{words.password}</Button>}
      {may("smpp.manage") ? (
        <>
          <Button onPress={() => onDo("change")}>{words.change}</Button>
          <Button kind="danger" onPress={() => onDo("revoke")}>
            {words.revoke}
          </Button>
        </>
      ) : (
        may("smpp.own") && <Button onPress={() => onDo("networks")}>{words.networks}</Button>
      )}
    </div>
  );
}

type UserProps = { readonly user: Shown };

function Standing({ user }: UserProps) {
  const words = smpp.value;
  const { sessions, receipts_oldest_at: oldest } = user;
  return (
    <Stats>
      <Stat
        label={words.sessions}
        value={words.sessionsOf({ count: sessions.length, most: user.max_binds })}
      />
      <Stat label={words.rate} value={sessions.reduce((sum, { rate }) => sum + rate, 0)} />
      <Stat
        label={words.waiting}
        value={user.receipts_waiting}
        note={oldest !== null && labelled(words.oldest, figures.time(oldest))}
      />
      <Stat label={words.givenUp} value={user.receipts_given_up} />
      <Stat label={words.parts} value={user.parts_waiting} />
    </Stats>
  );
}

/** What whoever sets up the client's program needs, to copy or to print: all but the password. */
function Sheet({ user }: UserProps) {
  const { value } = useAnswer("GET /smpp", { query: { account: user.account_id } });
  const paper = useRef<HTMLDivElement>(null);
  const words = smpp.value;
  const address = value?.address;
  const rows: (readonly [string, string])[] = [
    [words.host, address?.host ?? location.hostname],
    ...(address?.port == null || user.tls === "required"
      ? []
      : [[words.port, String(address.port)] as const]),
    ...(address?.tls_port == null ? [] : [[words.tlsPort, String(address.tls_port)] as const]),
    [words.systemId, user.system_id],
    [words.tls, words.tlsWords[user.tls]],
    [words.networks, user.networks.join(", ")],
    [words.maxBinds, figures.number(user.max_binds)],
    [words.throughput, figures.number(user.throughput)],
    [words.window, figures.number(user.window)],
    [words.class, user.class],
    ...(user.sender === null ? [] : [[words.sender, user.sender] as const]),
  ];
  const copy = async (): Promise<void> => {
    const text = rows.map(([label, what]) => `${label}\t${what}`).join("\n");
    if (await copyText(text)) showToast(words.sheetCopied);
  };
  return (
    <div ref={paper}>
      <Section
        title={`${words.sheet} · ${user.system_id}`}
        aside={
          <>
            <Button onPress={copy}>{words.copySheet}</Button>
            <Button onPress={() => paper.current && printPart(paper.current)}>{words.print}</Button>
          </>
        }
      >
        <Facts rows={rows} />
      </Section>
    </div>
  );
}

function Sessions({ user, onKick }: UserProps & { readonly onKick: (session: string | null) => void }) {
  type Session = Shown["sessions"][number];
  const words = smpp.value;
  const columns: Columns<Session> = [
    column(words.session, ({ session, version, tls }) => (
      <WithNote note={`${version}${tls ? " TLS" : ""}`}>{session}</WithNote>
    )),
    column(words.peer, ({ peer }) => peer),
    column(words.bind, ({ bind }) => bind),
    timeColumn(words.since, ({ since }) => since),
    countColumn(words.windowUsed, ({ window_used }) => window_used),
    countColumn(words.rate, ({ rate }) => rate),
    may("smpp.kick") &&
      column(access.value.actions, ({ session }) => (
        <Button kind="quiet" label={labelled(words.kick, session)} onPress={() => onKick(session)}>
          {words.kick}
        </Button>
      )),
  ];
  return (
    <>
      <TableSection
        title={words.sessions}
        columns={columns}
        rows={user.sessions}
        keyOf={({ session }) => session}
        empty={<Empty title={words.noSessions} />}
      />
      {may("smpp.kick") && user.sessions.length > 1 && (
        <Button onPress={() => onKick(null)}>{words.kickAll}</Button>
      )}
    </>
  );
}

function Refusals({ user: { refusals } }: UserProps) {
  type Refusal = Shown["refusals"][number];
  const words = smpp.value;
  const columns: Columns<Refusal> = [
    timeColumn(words.at, ({ at }) => at),
    column(words.status, (row) => `0x${row.command_status.toString(16).padStart(2, "0").toUpperCase()}`),
    column(words.reason, ({ reason, detail }) => (
      <WithNote note={detail !== "" && detail}>{reason}</WithNote>
    )),
  ];
  return (
    <TableSection
      title={words.refusals}
      columns={columns}
      rows={refusals}
      keyOf={({ at, reason }) => `${at} ${reason}`}
      empty={<Empty title={words.noRefusals} />}
    />
  );
}

type DialogProps = UserProps & {
  readonly run: ReturnType<typeof useAction>["run"];
  readonly onDone: () => Promise<void>;
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
};

/** Says what will happen to a user before it does. */
function UserDialog({ doing, ...dialog }: DialogProps & { readonly doing: Doing }) {
  const { user, run, onDone, onClose } = dialog;
  const words = smpp.value;
  const params = { system_id: user.system_id };
  switch (doing) {
    case "change":
      return <ChangeUser {...dialog} />;
    case "networks":
      return <ChangeNetworks {...dialog} />;
    case "password":
      return <NewPassword {...dialog} />;
    case "revoke":
      return (
        <Confirm
          title={words.revokeTitle({ id: user.system_id })}
          verb={words.revoke}
          isDestructive
          onConfirm={async () => {
            const asked = callApi("POST /smpp/:system_id/revoke", { params });
            if (await run(asked, words.revoked)) await onDone();
          }}
          onClose={onClose}
        >
          <p>{words.revokeText}</p>
        </Confirm>
      );
    default:
      return (
        <Confirm
          title={doing.kick === null ? words.kickAll : labelled(words.kick, doing.kick)}
          verb={words.kick}
          onConfirm={async () => {
            const body = { session: doing.kick };
            if (await run(callApi("POST /smpp/:system_id/kick", { params, body }))) await onDone();
          }}
          onClose={onClose}
        >
          <p>{words.kicked}</p>
        </Confirm>
      );
  }
}

function NewPassword({ user: { system_id }, onDone, onMade, onClose }: DialogProps) {
  const [isNow, setNow] = useState(false);
  const { problem, run } = useAction();
  const words = smpp.value;
  const submit = async (): Promise<void> => {
    const asked = callApi("POST /smpp/:system_id/password", { params: { system_id }, body: { now: isNow } });
    const made = await run(asked);
    if (made === null) return;
    onClose();
    onMade(made);
    await onDone();
  };
  return (
    <FormDialog
      title={words.passwordTitle({ id: system_id })}
      verb={words.password}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{words.passwordText}</p>
      <Checkbox name="now" isChecked={isNow} onChecked={setNow}>
        {words.now}
      </Checkbox>
    </FormDialog>
  );
}

function ChangeNetworks({ user, onDone, onClose }: DialogProps) {
  const { draft, bind } = useDraft({ networks: user.networks.join(", ") });
  const { problem, run } = useAction();
  const words = smpp.value;
  const submit = async (): Promise<void> => {
    const params = { system_id: user.system_id };
    const body = { networks: readNetworks(draft.networks) };
    if ((await run(callApi("POST /smpp/:system_id/networks", { params, body }), words.changed)) === null)
      return;
    onClose();
    await onDone();
  };
  return (
    <FormDialog
      title={words.networks}
      verb={words.changeVerb}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <NetworksField {...bind("networks")} />
    </FormDialog>
  );
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;
const TLS = ["required", "optional"] as const;

/** What the seller says of a user. */
function ChangeUser({ user, onDone, onClose }: DialogProps) {
  const before = {
    throughput: String(user.throughput),
    window: String(user.window),
    maxBinds: String(user.max_binds),
    networks: user.networks.join(", "),
    sender: user.sender ?? "",
    class: user.class,
    tls: user.tls,
  };
  const { draft, bind } = useDraft(before);
  const { problem, run } = useAction();
  const words = smpp.value;
  const bodyOf = (typed: typeof before): Settings => ({
    throughput: Number(typed.throughput),
    window: Number(typed.window),
    max_binds: Number(typed.maxBinds),
    networks: readNetworks(typed.networks),
    sender: typed.sender === "" ? null : typed.sender,
    class: typed.class,
    tls: typed.tls,
  });
  const submit = async (): Promise<void> => {
    const params = { system_id: user.system_id };
    const body = listChanges(bodyOf(before), bodyOf(draft));
    if ((await run(callApi("PATCH /smpp/:system_id", { params, body }), words.changed)) === null) return;
    onClose();
    await onDone();
  };
  const number = { type: "number", required: true, min: 1 } as const;
  return (
    <FormDialog
      title={words.changeTitle({ id: user.system_id })}
      verb={words.changeVerb}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={words.throughput} {...bind("throughput")} {...number} max={5000} />
      <Field label={words.window} {...bind("window")} {...number} max={1000} />
      <Field label={words.maxBinds} {...bind("maxBinds")} {...number} max={50} />
      <NetworksField {...bind("networks")} />
      <Field label={words.sender} {...bind("sender")} hint={words.senderHint} maxLength={32} />
      <Choice label={words.class} {...bind("class")} options={toOptions(CLASSES, (one) => one)} />
      <Choice label={words.tls} {...bind("tls")} options={toOptions(TLS, (one) => words.tlsWords[one])} />
    </FormDialog>
  );
}
