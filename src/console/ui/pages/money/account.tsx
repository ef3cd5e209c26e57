import type { ComponentChildren } from "preact";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { ErrorBox, Page, Section, Stat, StateBadge, Stats } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { accessNames } from "../../words/access-nav.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import { AccountActions } from "./account-actions.tsx";
import { AccountNext } from "./account-next.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { BillingSettings } from "./billing-settings.tsx";

export type ShownAccount = Contract["GET /accounts/:account"]["answer"];

/** One client company: what it has, what holds for it, and what may be done to it. */
export function Account({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const account = parts.account ?? "";
  const { value, problem, reload } = useAnswer(account, () =>
    ask("GET /accounts/:account", { params: { account } }),
  );
  const words = money.value.account;
  const isOwn = me.value?.account != null;
  const again = () => void reload();
  return (
    <Page title={isOwn ? words.ownTitle : words.title}>
      {problem && <ErrorBox problem={problem} onRetry={again} />}
      {value && (
        <>
          <Head view={value} />
          {!isOwn && may("accounts.change") && value.status === "ACTIVE" && <AccountNext view={value} />}
          <Links view={value} />
          <AccountSettings view={value} onSaved={again} />
          {value.credit_limit !== null && <BillingSettings view={value} onSaved={again} />}
          {may("accounts.change") && <AccountActions view={value} onDone={again} />}
        </>
      )}
    </Page>
  );
}

function Head({ view }: { readonly view: ShownAccount }) {
  const { account: words, accounts } = money.value;
  return (
    <>
      <p class="lead">
        <StateBadge state={view.status} /> <strong>{view.name}</strong>{" "}
        <span class="note">{view.account_id}</span>
      </p>
      {view.suspended_reason !== null && <p>{words.suspended({ reason: view.suspended_reason })}</p>}
      {view.closed_at !== null && <p>{words.closed({ time: figures.time(view.closed_at) })}</p>}
      <Stats>
        {view.wallet && (
          <Stat
            label={accounts.spendable}
            value={figures.money(view.wallet.spendable)}
            note={`${figures.money(view.wallet.reserved)} ${words.reserved}`}
          />
        )}
        <Stat label={accounts.billing} value={accounts.billings[view.billing_mode] ?? view.billing_mode} />
        <Stat
          label={accounts.classes}
          value={String(view.classes.length)}
          note={view.classes.map(classWord).join(", ")}
        />
      </Stats>
    </>
  );
}

/** Pages about this account, of those that the reader may open. */
function Links({ view: { account_id: id } }: { readonly view: ShownAccount }) {
  const words = money.value.account;
  const isOwn = me.value?.account != null;
  const of = (page: string) => `${HOME}/${page}${isOwn ? "" : `?account=${id}`}`;
  const links: readonly (readonly [boolean, string, ComponentChildren])[] = [
    [may("money.read"), isOwn ? `${HOME}/money` : `${HOME}/accounts/${id}/money`, words.money],
    [may("prices.read"), `${HOME}/accounts/${id}/prices`, words.prices],
    [may("messages.read"), of("messages"), words.messages],
    [may("batches.read"), of("batches"), words.batches],
    [may("suppressions.read"), of("suppressions"), words.suppressions],
    [may("senders.read"), of("senders"), accessNames.value.senders],
    [may("keys.read"), of("keys"), accessNames.value.keys],
    [may("webhooks.read"), of("webhooks"), accessNames.value.webhooks],
    [may("users.read"), of("users"), accessNames.value.users],
  ];
  return (
    <Section title={words.links}>
      <ul class="links">
        {links.flatMap(([isOpen, to, name]) =>
          isOpen
            ? [
                <li key={to}>
                  <a href={to}>{name}</a>
                </li>,
              ]
            : [],
        )}
      </ul>
    </Section>
  );
}
