import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Choice, Field } from "../../kit/field.tsx";
import { me } from "../../state/session.ts";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";
import { Failed, OneOf } from "./parts.tsx";
import { PublicUrlText } from "./public-url.tsx";
import { ACCOUNT_ROLES, STAFF_ROLES, type UserRole } from "./user-roles.ts";
import type { Linked } from "./users.tsx";

type FormProps = {
  /** Null: of the appliance. */
  readonly account: string | null;
  /** What is done, with among whom they will be. */
  readonly title: string;
  /** Nobody is there yet: whoever comes first looks after the others. */
  readonly isFirst: boolean;
  /** Whether a link that is made now opens on this machine alone. */
  readonly linksHere: boolean;
  readonly onLinked: (user: Linked) => Promise<void>;
  /** The appliance's people were asked for the link. */
  readonly onAsked: (login: string) => void;
  readonly onClose: () => void;
};

/** Lets somebody in: their address, their role, and a link for them, which an account's people ask for. */
export function UserForm({ account, title, isFirst, linksHere, onLinked, onAsked, onClose }: FormProps) {
  const isAsking = me.value?.account !== null;
  const roles = account === null ? STAFF_ROLES : ACCOUNT_ROLES;
  const [login, setLogin] = useState("");
  // Whoever comes first is chosen a role by hand: the strongest is given to nobody by oversight, and the weakest lets nobody else in.
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
    const answer = await ask("POST /users", { body });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    if ("link" in answer.value) await onLinked(answer.value);
    else onAsked(answer.value.login);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <Failed problem={problem} />
        <Field
          label={words.login}
          name="login"
          value={login}
          onValue={setLogin}
          input={{ type: "email", required: true, maxLength: 254, autofocus: true, autocomplete: "off" }}
        />
        <OneOf
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

/** Said before a link is made that nobody else could open. */
function LinksHere() {
  return (
    <div class="notice">
      <p>{access.value.users.linksHere}</p>
      <PublicUrlText />
    </div>
  );
}
