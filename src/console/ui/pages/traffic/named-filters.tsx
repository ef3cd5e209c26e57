/** Filters that show names. The address keeps the code or the id, so that a URL means the same for everybody. */
import { useEffect, useId, useState } from "preact/hooks";
import type { Answer } from "../../api/contract.ts";
import { type ChoiceOption, Field, Filter, filter } from "../../kit/kit.ts";
import { filterBy } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { errorOptions } from "../../words/error-options.ts";
import { errorWords } from "../../words/error-words.ts";
import { traffic } from "../../words/traffic.ts";

export type Names = Answer<"GET /names">;
type Offered = Answer<"GET /accounts">["accounts"][number];

/** Names of operators, errors and senders; of the account that is filtered by, where one is. Null until known. */
export function useNames(): Names | null {
  const account = filter("account");
  return useAnswer("GET /names", { query: { account } }).value;
}

type Options = readonly ChoiceOption[];

/** Keeps the value of the address as an option, also where nothing has that name any more. */
function withChosen(name: string, options: Options): Options {
  const chosen = filter(name);
  const isThere = chosen === undefined || options.some(({ value }) => value === chosen);
  return isThere ? options : [...options, { value: chosen, label: chosen }];
}

export function OperatorFilter({ names }: { readonly names: Names | null }) {
  const options = (names?.operators ?? []).map(({ code, name }) => ({ value: code, label: name }));
  return <Filter name="operator" label={traffic.value.operator} options={withChosen("operator", options)} />;
}

export function ErrorFilter({ names }: { readonly names: Names | null }) {
  const options = errorOptions(names?.errors ?? [], errorWords.value);
  return <Filter name="error" label={traffic.value.error} options={withChosen("error", options)} />;
}

/** Chosen among those of the account; typed where the list is of all accounts. */
export function SenderFilter({ names }: { readonly names: Names | null }) {
  const { sender } = traffic.value;
  const options = (names?.senders ?? []).map((name) => ({ value: name, label: name }));
  if (options.length === 0) return <Filter name="sender" label={sender} />;
  return <Filter name="sender" label={sender} options={withChosen("sender", options)} />;
}

/** The name of the operator with a code, where there is one. */
export function operatorName(names: Names | null, code: string): string {
  return names?.operators.find((one) => one.code === code)?.name ?? code;
}

/** The name of the account in the address, which may be an id; the value itself where there is none, "" until known. */
export function useAccountNamed(wanted: string | undefined): string {
  const { value, problem } = useAnswer(
    "GET /accounts/:account",
    wanted === undefined ? null : { params: { account: wanted } },
  );
  if (wanted === undefined) return "";
  return problem ? wanted : (value?.name ?? "");
}

const MAX_OFFERED = 10;

/** An account by its name: suggestions appear while it is typed, and one of them is meant. */
export function AccountFilter({ label }: { readonly label?: string }) {
  const id = useId();
  const wanted = filter("account");
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const name = useAccountNamed(wanted);
  const search = typed?.trim() ?? "";
  const { value: found } = useAnswer(
    "GET /accounts",
    search === "" ? null : { query: { search, limit: MAX_OFFERED } },
  );
  const offered = search === "" ? [] : (found?.accounts ?? []);
  const choose = (account: Offered | null): void => {
    setPicked(account && { id: account.account_id, name: account.name });
    filterBy({ account: account?.account_id ?? "" });
    setTyped(null);
  };
  const named = offered.find(({ name }) => name.toLowerCase() === search.toLowerCase());
  useEffect(() => {
    if (named) choose(named);
  }, [named?.account_id]);
  const [only, ...others] = offered;
  return (
    <>
      <Field
        label={label ?? traffic.value.account}
        name="account"
        value={typed ?? (picked !== null && picked.id === wanted ? picked.name : name)}
        onValue={(text) => (text.trim() === "" ? choose(null) : setTyped(text))}
        list={id}
        maxLength={100}
        onKeyDown={(event) => {
          if (event.key === "Enter" && only && others.length === 0) choose(only);
        }}
      />
      <datalist id={id}>
        {offered.map(({ account_id, name: one, short_name }) => (
          <option key={account_id} value={one}>
            {short_name}
          </option>
        ))}
      </datalist>
    </>
  );
}
