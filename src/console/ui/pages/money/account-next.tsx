import { ask } from "../../api/client.ts";
import { Section } from "../../kit/kit.ts";
import { Sign } from "../../kit/sign.tsx";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { money } from "../../words/money.ts";
import type { ShownAccount } from "./account.tsx";

type Step = { readonly to: string; readonly name: string; readonly isDone: boolean };

/** What a new account still needs, in order, of what the reader may see; nothing once all of it is done. */
export function AccountNext({ view }: { readonly view: ShownAccount }) {
  const { value } = useAnswer(`next ${view.account_id}`, () => foundOf(view.account_id));
  const { account: words } = money.value;
  const { isDone: done, isOpen: open } = access.value.first;
  if (value === null) return null;
  const steps = stepsOf(view, value);
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Section title={words.next.title}>
      <ol>
        {steps.map(({ to, name, isDone }, at) => (
          <li key={to}>
            {at + 1}. <a href={to}>{name}</a>{" "}
            <span class={`badge ${isDone ? "good" : "wait"}`}>
              <Sign tone={isDone ? "good" : "wait"} />
              {isDone ? done : open}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Found = {
  readonly hasSender: boolean | null;
  readonly hasPrices: boolean | null;
  readonly hasUser: boolean | null;
};

/** What there is of an account; null: the reader may not see it. */
async function foundOf(account: string) {
  const params = { account };
  const [senders, prices, users] = await Promise.all([
    may("senders.read") ? ask("GET /accounts/:account/senders", { params }) : null,
    may("prices.read") ? ask("GET /accounts/:account/prices", { params }) : null,
    may("users.read") ? ask("GET /users", { query: { account } }) : null,
  ]);
  const value: Found = {
    hasSender: senders?.ok ? senders.value.senders.some(({ is_sendable }) => is_sendable) : null,
    hasPrices: prices?.ok ? prices.value.prices.length > 0 : null,
    hasUser: users?.ok ? users.value.users.length > 0 : null,
  };
  return { ok: true, value } as const;
}

function stepsOf({ account_id: id, wallet, billing_mode }: ShownAccount, found: Found): readonly Step[] {
  const { next } = money.value.account;
  const hasCredit = wallet && (wallet.spendable > 0 || wallet.reserved > 0 || billing_mode === "POSTPAID");
  const of = (to: string, name: string, isDone: boolean | null) =>
    isDone === null ? [] : [{ to: `${HOME}/${to}`, name, isDone }];
  return [
    ...of(`accounts/${id}/money`, next.credit, hasCredit ?? null),
    ...of(`senders?account=${id}`, next.sender, found.hasSender),
    ...of(`accounts/${id}/prices`, next.prices, found.hasPrices),
    ...of(`users?account=${id}`, next.client, found.hasUser),
  ];
}
