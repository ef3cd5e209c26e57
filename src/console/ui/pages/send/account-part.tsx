import { useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { Section } from "../../kit/page.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { sending } from "../../words/send.ts";
import { change } from "./form.ts";

/** For which account it is: whoever may send for several says so first. */
export function AccountPart() {
  const [search, setSearch] = useState("");
  const asked = search.trim();
  const { value, problem } = useAnswer(asked, () =>
    ask("GET /accounts", {
      query: { status: "ACTIVE", limit: 10, ...(asked === "" ? {} : { search: asked }) },
    }),
  );
  const { account: words } = sending.value;
  return (
    <Section title={words.title}>
      {problem && <ErrorBox problem={problem} />}
      <div class="narrow">
        <Field
          label={words.search}
          name="account"
          value={search}
          onValue={setSearch}
          hint={words.hint}
          input={{ autofocus: true, autocomplete: "off", maxLength: 100 }}
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
        {value?.accounts.length === 0 && <p class="note">{words.none}</p>}
      </div>
    </Section>
  );
}
