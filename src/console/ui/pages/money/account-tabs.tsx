/** The pages about one account and its money, beside each other. */
import { type Crumb, Tabs } from "../../kit/kit.ts";
import { HOME, path } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { money } from "../../words/money.ts";

type AccountTabsProps = {
  readonly account: string;
  /** Its name; "" until it is known. */
  readonly name: string;
};

/** Leads from one page about an account to the others. Its own people have a page of the navigation for it, and one for its money. */
export function AccountTabs({ account, name }: AccountTabsProps) {
  const { account: words, money: moneyWords } = money.value;
  if (name === "") return null;
  const isOwn = !isStaff();
  const of = `${HOME}/accounts/${account}`;
  const overview = isOwn ? `${HOME}/accounts` : of;
  const wallet = isOwn ? `${HOME}/money` : `${of}/money`;
  const aliases: Readonly<Record<string, string>> = isOwn ? { [of]: overview, [`${of}/money`]: wallet } : {};
  return (
    <Tabs
      label={name}
      here={aliases[path.value] ?? path.value}
      tabs={[
        may("accounts.read") && { to: overview, name: words.overview },
        may("money.read") && { to: wallet, name: words.money },
        may("money.read") && { to: `${of}/statement`, name: moneyWords.statement },
        may("money.read") && { to: `${of}/consumption`, name: moneyWords.consumption },
        may("prices.read") && { to: `${of}/prices`, name: words.prices },
      ]}
    />
  );
}

/** The way from the list of accounts to a page about one; its own people are on the way already. */
export function accountCrumb(account: string, name: string): readonly Crumb[] {
  return isStaff() && may("accounts.read") ? [{ to: `${HOME}/accounts/${account}`, name }] : [];
}

/** What a page about a part of an account is called. */
export function partOfAccount(name: string, part: string): string {
  return `${name} · ${part}`;
}
