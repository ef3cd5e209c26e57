/** What several pages about access share. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "../../browser.ts";
import { Button, Empty, ErrorBox, Filter, Page, Section } from "../../kit/kit.ts";
import { HOME, path, query } from "../../state/router.ts";
import { isStaff, may, me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { money } from "../../words/money.ts";
import { words } from "../../words/words.ts";

/** The account of the page: a user's own, or that of the address; null: staff who chose none. */
export function accountHere(): string | null {
  return me.value?.account?.id ?? (query.value.get("account") || null);
}

type OnceProps = {
  readonly title: string;
  readonly hint: string;
  readonly value: string;
  readonly children?: ComponentChildren;
};

/** A secret that is shown once: gone with the page. */
export function SecretShownOnce({ title, hint, value, children }: OnceProps) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const text = access.value;
  return (
    <section class="once" aria-label={title}>
      <h2>{title}</h2>
      <p>{hint}</p>
      <p class="once-value">
        <code>{value}</code>
        <Button kind="primary" onPress={() => void copyText(value).then(setCopied)}>
          {words.value.copy}
        </Button>
      </p>
      <p class="note" role="status">
        {isCopied === null ? text.copyNow : isCopied ? text.copied : text.copyFailed}
      </p>
      {children}
    </section>
  );
}

type ChooseProps = { readonly title: string };

/** A page that is about one account, before staff have chosen it. */
export function ChooseAccount({ title }: ChooseProps) {
  return (
    <Page title={title}>
      <p class="lead">{access.value.whoseHint}</p>
      <AccountList title={access.value.whose} />
    </Page>
  );
}

/** Accounts to choose from, by name; the page is then about the chosen one. */
export function AccountList({ title }: ChooseProps) {
  const search = query.value.get("search")?.trim() ?? "";
  const { value, problem, reload } = useAnswer("GET /accounts", { query: { search } });
  const text = access.value;
  return (
    <Section title={title}>
      <div class="narrow">
        <Filter name="search" label={text.findAccount} />
      </div>
      <ErrorBox problem={problem} onRetry={reload} />
      {value && value.accounts.length === 0 && <NoAccount isSearch={search !== ""} />}
      <ul class="choices">
        {value?.accounts.map(({ account_id, name, short_name }) => (
          <li key={account_id}>
            <a href={`${path.value}?account=${account_id}`}>{name}</a>
            {short_name !== null && <span class="note">{short_name}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NoAccount({ isSearch }: { readonly isSearch: boolean }) {
  const text = access.value;
  if (isSearch) return <p role="status">{text.noneFits}</p>;
  return <Empty title={text.noAccounts}>{text.noAccountsHelp}</Empty>;
}

/** The name of the page's account, for staff, who may choose another. */
export function useAccountName(account: string | null): string {
  const own = me.value?.account ?? null;
  const isOthers = account !== null && own === null && may("accounts.read");
  const { value } = useAnswer("GET /accounts/:account", isOthers ? { params: { account } } : null);
  return own?.name ?? value?.name ?? account ?? "";
}

/** Beside the heading: a link to the same page of another account. */
export function Whose() {
  if (!isStaff()) return null;
  return <a href={path.value}>{access.value.otherAccount}</a>;
}

/**
 * The head of a list of one account. Staff, who look at many, read whose it is; its own people read the question. `name`: as
 * `useAccountName` has it.
 */
export function headOfList(account: string | null, name: string, part: string, question: string) {
  const isNamed = account !== null && isStaff() && name !== account && name !== "";
  if (!isNamed) return { title: question };
  return {
    title: `${name} · ${part}`,
    question,
    trail: [
      { to: `${HOME}/accounts`, name: money.value.nav.accounts },
      { to: `${HOME}/accounts/${account}`, name },
    ],
  };
}

type BoxesProps<Value extends string> = {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly note?: string }[];
  readonly chosen: readonly Value[];
  readonly onChosen: (chosen: readonly Value[]) => void;
  readonly fault?: string | null;
};

/** Several options, each to be ticked. */
export function CheckboxGroup<Value extends string>({
  label,
  options,
  chosen,
  onChosen,
  fault = null,
}: BoxesProps<Value>) {
  return (
    <fieldset class="boxes" aria-invalid={fault !== null}>
      <legend>{label}</legend>
      {options.map(({ value, label: each, note }) => (
        <label key={value}>
          <input
            type="checkbox"
            value={value}
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) =>
              onChosen(currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          <span>
            {each}
            {note && <span class="note">{note}</span>}
          </span>
        </label>
      ))}
      {fault !== null && <p class="fault">{fault}</p>}
    </fieldset>
  );
}
