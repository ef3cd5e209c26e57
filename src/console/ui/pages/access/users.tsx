import { useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { Sign, type Tone } from "../../kit/sign.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { isOnlyHere } from "../../state/only-here.ts";
import { may, me } from "../../state/session.ts";
import { useList } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { words as common, figures, labelled } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { AccountList, accountHere, ShownOnce, useAccountName, Whose } from "./parts.tsx";
import { PublicUrlText } from "./public-url.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { UserForm } from "./user-form.tsx";

type View = Contract["GET /users"]["answer"];
export type UserRow = View["users"][number];
/** A user with the link that sets password and second factor. */
export type Linked = Contract["POST /users/link"]["answer"];

/** Who may sign in: of the appliance, or of one account. */
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
      {problem && <ErrorBox problem={problem} onRetry={reload} />}
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
            say(told);
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
    <ShownOnce title={words.link({ login })} hint={words.linkHint({ time: figures.time(end) })} value={link}>
      {isOnlyHere(link) && (
        <div class="error">
          <p>{words.linkHere}</p>
          <PublicUrlText />
        </div>
      )}
    </ShownOnce>
  );
}

/** Page by page, those who joined first before others. */
function useUsers(account: string | null) {
  const list = useList<UserRow, View>({
    key: `${account}`,
    load: (after) =>
      ask("GET /users", {
        query: { ...(account === null ? {} : { account }), ...(after === undefined ? {} : { after }) },
      }),
    rowsOf: ({ users }) => users,
    nextOf: ({ next_after: next }) => next,
  });
  const { links_at: at = null } = list.page ?? {};
  return { ...list, linksHere: at !== null && isOnlyHere(at) };
}

const TONES: Readonly<Record<string, Tone>> = { ACTIVE: "good", INVITED: "wait", DISABLED: "idle" };

function columnsOf(onManage: (user: UserRow) => void): readonly Column<UserRow>[] {
  const words = access.value.users;
  const roles: Readonly<Record<string, string>> = common.value.roles;
  return [
    {
      ...titled("login", words.login),
      cell: ({ login }) => (
        <>
          <strong>{login}</strong>
          {login === me.value?.login && <span class="note">{words.you}</span>}
        </>
      ),
    },
    {
      ...titled("role", words.role),
      cell: ({ role }) => (
        <>
          {roles[role] ?? role}
          <span class="note">{words.roleHelp[role]}</span>
        </>
      ),
    },
    {
      ...titled("state", access.value.state),
      cell: ({ status }) => (
        <span class={`badge ${TONES[status] ?? "idle"}`}>
          <Sign tone={TONES[status] ?? "idle"} />
          {words.states[status] ?? status}
        </span>
      ),
    },
    { ...titled("created", words.created), cell: (row) => figures.time(row.created_at) },
    ...(may("users.change")
      ? [
          {
            ...titled("actions", access.value.actions),
            // Of oneself the page "You" takes care: nobody is to shut themselves out by a slip.
            cell: (row: UserRow) =>
              row.login !== me.value?.login && (
                <Button kind="quiet" label={labelled(words.manage, row.login)} onPress={() => onManage(row)}>
                  {words.manage}
                </Button>
              ),
          },
        ]
      : []),
  ];
}
