import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button, type ButtonKind } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Choice } from "../../kit/field.tsx";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";
import { Failed } from "./parts.tsx";
import { ACCOUNT_ROLES, STAFF_ROLES, type UserRole } from "./user-roles.ts";
import type { Linked, UserRow } from "./users.tsx";

type UserDialogProps = {
  readonly user: UserRow;
  /** Whether a link that is made now opens on this machine alone. */
  readonly linksHere: boolean;
  readonly onLinked: (user: Linked) => Promise<void>;
  readonly onDone: (told: string) => Promise<void>;
  readonly onClose: () => void;
};

/** What may be done about one user, each with what it does to them. What takes something away is asked twice. */
export function UserDialog({ user, linksHere, onLinked, onDone, onClose }: UserDialogProps) {
  const { login, status } = user;
  const [role, setRole] = useState<UserRole>(user.role);
  const [sure, setSure] = useState<"reset" | "disable" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.users;
  const body = { login };
  const link = async (name: "POST /users/link" | "POST /users/reset"): Promise<void> => {
    const answer = await ask(name, { body });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onLinked(answer.value);
  };
  const turn = async (name: "POST /users/disable" | "POST /users/enable", told: string): Promise<void> => {
    const answer = await ask(name, { body });
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onDone(told);
  };
  const saveRole = async (): Promise<void> => {
    const answer = await ask("POST /users/role", { body: { login, role } });
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
      <Failed problem={problem} />
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

/** Something to do with what it does. */
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

/** Asks once more before something is taken away. */
function Sure({ title, note, verb, problem, onPress, onClose }: SureProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Failed problem={problem} />
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
