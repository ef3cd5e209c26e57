/**
 * Console page of users, of staff or of one account: adds, disables and deletes them, changes roles, makes the links they
 * sign in by first.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Button,
  type ButtonKind,
  Choice,
  type Columns,
  column,
  Dialog,
  Empty,
  ErrorBox,
  Field,
  Page,
  Section,
  showToast,
  Table,
  type Tone,
  ToneIcon,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { isLoopbackLink } from "../../state/loopback-link.ts";
import { may, me } from "../../state/session.ts";
import { useList } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { words as common, figures, labelled } from "../../words/words.ts";
import {
  AccountList,
  accountHere,
  RadioGroup,
  SecretShownOnce,
  useAccountName,
  Whose,
} from "./access-parts.tsx";
import { PublicUrlText } from "./public-url.tsx";

type View = Answer<"GET /users">;
type UserRow = View["users"][number];
/** A user with the link that sets password and second factor. */
type Linked = Answer<"POST /users/link">;

export function Users() {
  const account = accountHere();
  const name = useAccountName(account);
  const { rows, linksHere, problem, isLoading, more, reload } = useUsers(account);
  const [isCreating, setCreating] = useState(false);
  const [managed, setManaged] = useState<UserRow | null>(null);
  const [linked, setLinked] = useState<Linked | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const words = access.value.users;
  const title = account === null ? words.staff : words.ofAccount({ account: name });
  const invite = account === null ? words.createStaff : words.createOf({ account: name });
  const gotLink = async (user: Linked): Promise<void> => {
    setLinked(user);
    scrollTo(0, 0);
    reload();
  };
  return (
    <Page title={words.title} aside={account !== null && <Whose name={name} />}>
      {linked && <NewLink linked={linked} />}
      <div role="status">{asked !== null && <p class="notice">{words.asked({ login: asked })}</p>}</div>
      <ErrorBox problem={problem} onRetry={reload} />
      <Section
        title={title}
        aside={may("users.change") && <Button onPress={() => setCreating(true)}>{invite}</Button>}
      >
        <Table
          caption={title}
          columns={columnsOf(setManaged)}
          rows={rows}
          keyOf={({ login }) => login}
          isLoading={isLoading}
          onMore={more}
          empty={problem ? null : <Empty title={words.none}>{words.noneHelp}</Empty>}
        />
      </Section>
      {account === null && <AccountList title={words.seeAccount} />}
      {isCreating && (
        <UserForm
          account={account}
          title={invite}
          isFirst={rows.length === 0}
          linksHere={linksHere}
          onLinked={gotLink}
          onAsked={(login) => {
            setAsked(login);
            scrollTo(0, 0);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {managed && (
        <UserDialog
          user={managed}
          linksHere={linksHere}
          onLinked={gotLink}
          onDone={async (told) => {
            showToast(told);
            reload();
          }}
          onClose={() => setManaged(null)}
        />
      )}
    </Page>
  );
}

function NewLink({ linked: { login, link, link_expires_at: end } }: { readonly linked: Linked }) {
  const words = access.value.users;
  return (
    <SecretShownOnce
      title={words.link({ login })}
      hint={words.linkHint({ time: figures.time(end) })}
      value={link}
    >
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
  const list = useList<UserRow, View>({
    key: `${account}`,
    load: (after) =>
      callApi("GET /users", {
        query: { ...(account === null ? {} : { account }), after },
      }),
    rowsOf: ({ users }) => users,
    nextOf: ({ next_after: next }) => next,
  });
  const { links_at: at = null } = list.page ?? {};
  return { ...list, linksHere: at !== null && isLoopbackLink(at) };
}

const TONES: Readonly<Record<string, Tone>> = { ACTIVE: "good", INVITED: "wait", DISABLED: "idle" };

function columnsOf(onManage: (user: UserRow) => void): Columns<UserRow> {
  const words = access.value.users;
  const roles: Readonly<Record<string, string>> = common.value.roles;
  return [
    column(words.login, ({ login }) => (
      <WithNote note={login === me.value?.login && words.you}>
        <strong>{login}</strong>
      </WithNote>
    )),
    column(words.role, ({ role }) => <WithNote note={words.roleHelp[role]}>{roles[role] ?? role}</WithNote>),
    column(access.value.state, ({ status }) => (
      <span class={`badge ${TONES[status] ?? "idle"}`}>
        <ToneIcon tone={TONES[status] ?? "idle"} />
        {words.states[status] ?? status}
      </span>
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
  readonly onLinked: (user: Linked) => Promise<void>;
  readonly onDone: (told: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Actions on one user, each with what it does to them. Destructive ones are confirmed. */
function UserDialog({ user, linksHere, onLinked, onDone, onClose }: UserDialogProps) {
  const { login, status } = user;
  const [role, setRole] = useState<UserRole>(user.role);
  const [sure, setSure] = useState<"reset" | "disable" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.users;
  const body = { login };
  const link = async (name: "POST /users/link" | "POST /users/reset"): Promise<void> => {
    const answer = await callApi(name, { body });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onLinked(answer.value);
  };
  const turn = async (name: "POST /users/disable" | "POST /users/enable", told: string): Promise<void> => {
    const answer = await callApi(name, { body });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onDone(told);
  };
  const saveRole = async (): Promise<void> => {
    const answer = await callApi("POST /users/role", { body: { login, role } });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onDone(words.roleChanged({ login }));
  };
  const disable = () => turn("POST /users/disable", words.disabledNow({ login }));
  const enable = () => turn("POST /users/enable", words.enabledNow({ login }));
  if (sure !== null) {
    const verb = words[sure];
    const title = words.sure[sure]({ login });
    const note = sure === "reset" ? words.resetNote : words.disableNote;
    const act = sure === "reset" ? () => link("POST /users/reset") : disable;
    return (
      <Sure
        title={title}
        note={note}
        verb={verb}
        problem={problem}
        onClose={onClose}
        onPress={() => void act()}
      />
    );
  }
  return (
    <Dialog title={words.manageTitle({ login })} onClose={onClose}>
      <ErrorBox problem={problem} />
      <ul class="deeds">
        {status === "DISABLED" ? (
          <Deed note={words.enableNote} verb={words.enable} onPress={() => void enable()} />
        ) : (
          <>
            <Deed note={words.roleNote} verb={words.saveRole} onPress={() => void saveRole()}>
              <RoleChoice user={user} role={role} onRole={setRole} />
            </Deed>
            <Deed
              note={linksHere ? `${words.newLinkNote} ${words.linksHere}` : words.newLinkNote}
              verb={words.newLink}
              onPress={() => void link("POST /users/link")}
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

type RoleProps = {
  readonly user: UserRow;
  readonly role: UserRole;
  readonly onRole: (role: UserRole) => void;
};

function RoleChoice({ user, role, onRole }: RoleProps) {
  const roles = user.account_id === null ? STAFF_ROLES : ACCOUNT_ROLES;
  const { roles: names } = common.value;
  return (
    <Choice
      label={access.value.users.role}
      value={role}
      options={roles.map((value) => ({ value, label: names[value] }))}
      onValue={onRole}
    />
  );
}

type DeedProps = {
  readonly note: string;
  readonly verb: string;
  readonly kind?: ButtonKind;
  readonly onPress: () => void;
  readonly children?: ComponentChildren;
};

/** An action with what it does. */
function Deed({ note, verb, kind = "plain", onPress, children }: DeedProps) {
  return (
    <li>
      {children}
      <div class="deed">
        <p class="note">{note}</p>
        <Button kind={kind} onPress={onPress}>
          {verb}
        </Button>
      </div>
    </li>
  );
}

type SureProps = Pick<DeedProps, "note" | "verb" | "onPress"> & {
  readonly title: string;
  readonly problem: Problem | null;
  readonly onClose: () => void;
};

/** Asks for confirmation before something is taken away. */
function Sure({ title, note, verb, problem, onPress, onClose }: SureProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ErrorBox problem={problem} />
      <p>{note}</p>
      <div class="actions">
        <Button onPress={onClose}>{common.value.cancel}</Button>
        <Button kind="danger" onPress={onPress}>
          {verb}
        </Button>
      </div>
    </Dialog>
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
  readonly onLinked: (user: Linked) => Promise<void>;
  /** Staff were asked for the link. */
  readonly onAsked: (login: string) => void;
  readonly onClose: () => void;
};

/** Adds a user: address, role, and a link for them, which account users request from staff. */
function UserForm({ account, title, isFirst, linksHere, onLinked, onAsked, onClose }: FormProps) {
  const isAsking = me.value?.account !== null;
  const roles = account === null ? STAFF_ROLES : ACCOUNT_ROLES;
  const [login, setLogin] = useState("");
  // The first user's role is chosen by hand: the strongest is given by no oversight, and the weakest lets nobody else in.
  const [role, setRole] = useState<UserRole | null>(
    account === null ? "SUPPORT" : isFirst ? null : "ACCOUNT_READER",
  );
  const [language, setLanguage] = useState<"" | "fr" | "en">("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = access.value.users;
  const { roles: roleNames, languages } = common.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || role === null) return;
    setBusy(true);
    const body = { login, role, account, language: language === "" ? null : language };
    const answer = await callApi("POST /users", { body });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    if ("link" in answer.value) await onLinked(answer.value);
    else onAsked(answer.value.login);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <ErrorBox problem={problem} />
        <Field
          label={words.login}
          name="login"
          value={login}
          onValue={setLogin}
          type="email"
          required
          maxLength={254}
          autofocus
        />
        <RadioGroup
          label={words.role}
          name="role"
          options={roles.map((value) => ({
            value,
            label: roleNames[value],
            note: words.roleHelp[value] ?? "",
          }))}
          chosen={role}
          onChosen={setRole}
        />
        <Choice
          label={words.language}
          value={language}
          options={[
            { value: "", label: words.asBrowser },
            { value: "fr", label: languages.fr },
            { value: "en", label: languages.en },
          ]}
          onValue={setLanguage}
        />
        {isAsking && <p class="note">{words.askNote}</p>}
        {linksHere && <LinksHere />}
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {isAsking ? words.askVerb : words.createVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A notice before making a link that nobody else could open. */
function LinksHere() {
  return (
    <div class="notice">
      <p>{access.value.users.linksHere}</p>
      <PublicUrlText />
    </div>
  );
}

type UserRole = Contract["POST /users"]["body"]["role"];

/** Roles of the appliance's own people, and of an account's, the most powerful first. */
const STAFF_ROLES: readonly UserRole[] = ["OWNER", "OPERATIONS", "FINANCE", "SUPPORT"];
const ACCOUNT_ROLES: readonly UserRole[] = ["ACCOUNT_ADMIN", "ACCOUNT_SENDER", "ACCOUNT_READER"];
