import { useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import { ErrorBox, Page, Stat, Stats } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import { Books } from "./books.tsx";
import { Invoice } from "./invoice.tsx";
import { Movement } from "./movement.tsx";
import { Statement } from "./statement.tsx";

/** The own wallet of an account's people; for staff, whether the books are right and the way to every wallet. */
export function Money() {
  const own = me.value?.account;
  return own ? <Wallet parts={{ account: own.id }} /> : <Books />;
}

/** What one wallet holds, what is moved into it by hand, its statement and what was consumed. */
export function Wallet({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const account = parts.account ?? "";
  const [booked, setBooked] = useState(0);
  const { value, problem, reload } = useAnswer(`${account} ${booked}`, () =>
    ask("GET /accounts/:account/wallet", { params: { account } }),
  );
  const { money: words } = money.value;
  return (
    <Page title={words.title}>
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && (
        <>
          <p class="lead">
            <a href={`${HOME}/accounts/${value.account_id}`}>{value.account}</a>
          </p>
          <Stats>
            <Stat label={words.spendable} value={figures.money(value.spendable)} />
            <Stat label={words.balance} value={figures.money(value.balance)} />
            <Stat label={words.reserved} value={figures.money(value.reserved)} />
            {value.credit_limit > 0 && (
              <Stat label={words.creditLimit} value={figures.money(value.credit_limit)} />
            )}
          </Stats>
          {may("money.change") && (
            <Movement account={value.account_id} onBooked={() => setBooked(booked + 1)} />
          )}
          <Statement account={value.account_id} booked={booked} />
          <Invoice account={value.account_id} name={value.account} />
        </>
      )}
    </Page>
  );
}
