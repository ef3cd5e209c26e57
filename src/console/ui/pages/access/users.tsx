/**
 * Console page of users, of staff or of one account: adds, disables and deletes them, changes roles, makes the links they
 * sign in by first.
 */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Badge,
  Button,
  type ButtonKind,
  Choice,
  type Columns,
  column,
  Dialog,
  DialogButton,
  Empty,
  ErrorBox,
  Field,
  FormDialog,
  ListTable,
  Note,
  Page,
  Radios,
  Section,
  type Tone,
  timeColumn,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { isLoopbackLink } from "../../state/loopback-link.ts";
import { isStaff, may, me } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { useAction, useList } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { users as userWords } from "../../words/users.ts";
import { words as common, figures, labelled } from "../../words/words.ts";
import {
  AccountList,
  accountHere,
  headOfList,
  SecretShownOnce,
  useAccountName,
  Whose,
} from "./access-parts.tsx";
import { PublicUrlText } from "./public-url.tsx";

type UserRow = Answer<"GET /users">["users"][number];
/** A user with the link that sets password and second factor. */
type Linked = Answer<"POST /users/link">;

export function Users() {
  const account = accountHere();
  const name = useAccountName(account);
  const { linksHere, ...list } = useUsers(account);
  const [managed, setManaged] = useState<UserRow | null>(null);
  const [linked, setLinked] = useState<Linked | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const words = userWords.value;
  const title = account === null ? words.staff : words.ofAccount({ account: name });
  const invite = account === null ? words.createStaff : words.createOf({ account: name });
  const gotLink = (user: Linked): void => {
    setLinked(user);
    scrollTo(0, 0);
    list.reload();
  };
  return (
    <Page
      {...headOfList(account, name, accessNames.value.users, words.title)}
      aside={account !== null && <Whose />}
    >
      {linked && <NewLink linked={linked} />}
      <div role="status">{asked !== null && <p class="notice">{words.asked({ login: asked })}</p>}</div>
      <Section
        title={title}
        aside={
          may("users.change") && (
            <DialogButton verb={invite}>
              {(close) => (
                <UserForm
                  account={account}
                  title={invite}
                  isFirst={list.rows.length === 0}
                  linksHere={linksHere}
                  onLinked={gotLink}
                  onAsked={(login) => {
                    setAsked(login);
                    scrollTo(0, 0);
                  }}
                  onClose={close}
                />
              )}
            </DialogButton>
          )
        }
      >
        <ListTable
          list={list}
          caption={title}
          columns={columnsOf(setManaged)}
          keyOf={({ login }) => login}
          empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
      {account === null && <AccountList title={words.seeAccount} />}
      {managed && (
        <UserDialog
          user={managed}
          linksHere={linksHere}
          onLinked={gotLink}
          onDone={list.reload}
          onClose={() => setManaged(null)}
        />
      )}
    </Page>
  );
}

function NewLink({ linked: { login, link, link_expires_at: end, mail } }: { readonly linked: Linked }) {
  const words = userWords.value;
  const isSent = mail?.sent === true;
  return (
    <SecretShownOnce
      title={words.link({ login })}
      hint={(isSent ? words.mailedHint : words.linkHint)({ time: end })}
      value={link}
    >
      {isSent && <p class="notice calm">{words.mailed({ login })}</p>}
      {mail?.sent === false && (
        <p class="error">{words.notMailed({ login, why: figures.saying(mail.detail ?? "") })}</p>
      )}
      {isLoopbackLink(link) && (
        <div class="error">
          <p>{words.linkHere}</p>
          <PublicUrlText />
        </div>
      )}
    </SecretShownOnce>
  );
}

/** Users page by page, the first to join first. */
function useUsers(account: string | null) {
  const list = useList({
    key: `${account}`,
    load: (after) =>
      callApi("GET /users", {
        query: { account: account ?? undefined, after },
      }),
    rowsOf: ({ users }) => users,
    nextOf: ({ next_after: next }) => next,
  });
  const { links_at: at = null } = list.page ?? {};
  return { ...list, linksHere: at !== null && isLoopbackLink(at) };
}

const TONES: Readonly<Record<string, Tone>> = { ACTIVE: "good", INVITED: "wait", DISABLED: "idle" };

function columnsOf(onManage: (user: UserRow) => void): Columns<UserRow> {
  const words = userWords.value;
  const roles: Readonly<Record<string, string>> = common.value.roles;
  return [
    column(words.login, ({ login }) => (
      <WithNote note={login === me.value?.login && words.you}>
        <strong>{login}</strong>
      </WithNote>
    )),
    column(words.role, ({ role }) => <WithNote note={words.roleHelp[role]}>{roles[role] ?? role}</WithNote>),
    column(access.value.state, ({ status }) => (
      <Badge tone={TONES[status] ?? "idle"}>{words.states[status] ?? status}</Badge>
    )),
    timeColumn(words.created, (row) => row.created_at),
    may("users.change") &&
      column(
        access.value.actions,
        (row) =>
          row.login !== me.value?.login && (
            <Button kind="quiet" label={labelled(words.manage, row.login)} onPress={() => onManage(row)}>
              {words.manage}
            </Button>
          ),
      ),
  ];
}

type UserDialogProps = {
  readonly user: UserRow;
  /** Whether a link that is made now opens on this machine alone. */
  readonly linksHere: boolean;
  readonly onLinked: (user: Linked) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Actions on one user, each with what it does to them. Destructive ones are confirmed. */
function UserDialog({ user, linksHere, onLinked, onDone, onClose }: UserDialogProps) {
  const { login, status, has_signed_in: isKnown } = user;
  const [role, setRole] = useState<UserRole>(user.role);
  const [sure, setSure] = useState<"reset" | "disable" | null>(null);
  const { problem, run } = useAction();
  const words = userWords.value;
  const body = { login };
  const link = async (name: "POST /users/link" | "POST /users/reset"): Promise<void> => {
    const made = await run(callApi(name, { body }));
    if (made === null) return;
    onClose();
    onLinked(made);
  };
  const turn = async (asked: Promise<ApiAnswer<unknown>>, told: string): Promise<void> => {
    if ((await run(asked, told)) === null) return;
    onClose();
    onDone();
  };
  const disable = () => turn(callApi("POST /users/disable", { body }), words.disabledNow({ login }));
  if (sure !== null) {
    const isReset = sure === "reset";
    return (
      <FormDialog
        title={words.sure[sure]({ login })}
        verb={words[sure]}
        kind="danger"
        problem={problem}
        onSubmit={isReset ? () => link("POST /users/reset") : disable}
        onClose={onClose}
      >
        <p>{isReset ? words.resetNote : words.disableNote}</p>
      </FormDialog>
    );
  }
  return (
    <Dialog title={words.manageTitle({ login })} onClose={onClose}>
      <ErrorBox problem={problem} />
      <ul class="deeds">
        {status === "DISABLED" ? (
          <Deed
            note={words.enableNote}
            verb={words.enable}
            onPress={() => turn(callApi("POST /users/enable", { body }), words.enabledNow({ login }))}
          />
        ) : (
          <>
            <Deed
              note={words.roleNote}
              verb={words.saveRole}
              onPress={() =>
                turn(callApi("POST /users/role", { body: { login, role } }), words.roleChanged({ login }))
              }
            >
              <Choice
                label={words.role}
                value={role}
                options={toOptions(rolesOf(user.account_id), (value) => common.value.roles[value])}
                onValue={setRole}
              />
            </Deed>
            <Deed
              note={[
                isKnown ? words.newLinkNote : words.inviteAgainNote,
                ...(linksHere ? [words.linksHere] : []),
              ].join(" ")}
              verb={isKnown ? words.newLink : words.inviteAgain}
              onPress={() => link("POST /users/link")}
            />
            <Deed note={words.resetNote} verb={words.reset} kind="danger" onPress={() => setSure("reset")} />
            <Deed
              note={words.disableNote}
              verb={words.disable}
              kind="danger"
              onPress={() => setSure("disable")}
            />
          </>
        )}
      </ul>
      <div class="actions">
        <Button onPress={onClose}>{common.value.close}</Button>
      </div>
    </Dialog>
  );
}

type DeedProps = {
  readonly note: string;
  readonly verb: string;
  readonly kind?: ButtonKind;
  readonly onPress: () => unknown;
  readonly children?: ComponentChildren;
};

/** An action with what it does. */
function Deed({ note, verb, kind = "plain", onPress, children }: DeedProps) {
  return (
    <li>
      {children}
      <div class="deed">
        <Note>{note}</Note>
        <Button kind={kind} onPress={onPress}>
          {verb}
        </Button>
      </div>
    </li>
  );
}

type FormProps = {
  /** Null: staff. */
  readonly account: string | null;
  /** What is done, with among whom they will be. */
  readonly title: string;
  /** Nobody is there yet: whoever comes first looks after the others. */
  readonly isFirst: boolean;
  /** Whether a link that is made now opens on this machine alone. */
  readonly linksHere: boolean;
  readonly onLinked: (user: Linked) => void;
  /** Staff were asked for the link. */
  readonly onAsked: (login: string) => void;
  readonly onClose: () => void;
};

/** Adds a user: address, role, and a link for them, which account users request from staff. */
function UserForm({ account, title, isFirst, linksHere, onLinked, onAsked, onClose }: FormProps) {
  const isAsking = !isStaff();
  const { draft, put, bind } = useDraft<{
    readonly login: string;
    readonly role: UserRole | null;
    readonly language: "" | "fr" | "en";
  }>({
    login: "",
    // The first user's role is chosen by hand: the strongest is given by no oversight, and the weakest lets nobody else in.
    role: account === null ? "SUPPORT" : isFirst ? null : "ACCOUNT_READER",
    language: "",
  });
  const { problem, run } = useAction();
  const words = userWords.value;
  const { roles: roleNames, languages } = common.value;
  const submit = async (): Promise<void> => {
    const { login, role, language } = draft;
    if (role === null) return;
    const added = await run(
      callApi("POST /users", { body: { login, role, account, language: language || null } }),
    );
    if (added === null) return;
    onClose();
    if ("link" in added) onLinked(added);
    else onAsked(added.login);
  };
  return (
    <FormDialog
      title={title}
      verb={isAsking ? words.askVerb : words.createVerb}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={words.login} {...bind("login")} type="email" required maxLength={254} autofocus />
      <Radios
        legend={words.role}
        name="role"
        options={rolesOf(account).map((value) => ({
          value,
          label: roleNames[value],
          help: words.roleHelp[value] ?? "",
        }))}
        value={draft.role}
        onValue={(role) => put({ role })}
        isRequired
      />
      <Choice
        label={words.language}
        options={[
          { value: "", label: words.asBrowser },
          { value: "fr", label: languages.fr },
          { value: "en", label: languages.en },
        ]}
        {...bind("language")}
      />
      {isAsking && <Note>{words.askNote}</Note>}
      {/* Before a link is made that nobody else could open. */}
      {linksHere && (
        <div class="notice">
          <p>{words.linksHere}</p>
          <PublicUrlText />
        </div>
      )}
    </FormDialog>
  );
}

type UserRole = Contract["POST /users"]["body"]["role"];

/** Roles of the appliance's own people, and of an account's, the most powerful first. */
const STAFF_ROLES: readonly UserRole[] = ["OWNER", "OPERATIONS", "FINANCE", "SUPPORT"];
const ACCOUNT_ROLES: readonly UserRole[] = ["ACCOUNT_ADMIN", "ACCOUNT_SENDER", "ACCOUNT_READER"];

/** The roles of an account's people; null: of staff. */
function rolesOf(account: string | null): readonly UserRole[] {
  return account === null ? STAFF_ROLES : ACCOUNT_ROLES;
}
