/** Names in the place of codes and ids, in what is made for administrators: alarms, checks. What people type keeps its code. */
import { accountByUlid } from "../accounts/accounts.ts";
import { operatorNames } from "../config/operator-codes.ts";
import type { AdminContext } from "../operations/context.ts";
import { findWebhook } from "../operations/webhooks.ts";
import type { AlarmFacts } from "../upkeep/alarms/rules.ts";

export type Naming = {
  readonly operator: (code: string) => string;
  /** By the server that it posts to. */
  readonly webhook: (id: string) => string;
  readonly account: (id: string) => string;
};

export function namingOf(context: Pick<AdminContext, "config" | "store">): Naming {
  const operators = operatorNames(context.config);
  const { read } = context.store;
  return {
    operator: (code) => operators[code] ?? code,
    webhook: (id) => {
      const found = findWebhook(read, id);
      return found.ok && URL.canParse(found.value.url) ? new URL(found.value.url).host : id;
    },
    account: (id) => accountByUlid(read, id)?.name ?? id,
  };
}

/** What an alarm tells of, by name. */
export function namedFacts({ operator, webhook }: Naming): (facts: AlarmFacts) => AlarmFacts {
  const of = (facts: AlarmFacts, name: string, called: (one: string) => string): AlarmFacts =>
    typeof facts[name] === "string" ? { [name]: called(facts[name]) } : {};
  return (facts) => ({
    ...facts,
    ...of(facts, "operator", operator),
    ...of(facts, "endpoint", webhook),
  });
}

/** Whom an alarm is about: an operator, perhaps with the place of a connection; an endpoint; an account. */
export function namedSubject({ operator, webhook, account }: Naming, subject: string): string {
  return subject.replace(/^\S+/, (one) =>
    [operator, webhook, account].reduce((known, called) => (known === one ? called(one) : known), one),
  );
}

/** What a check found; its parts stand beside each other, each about one thing. */
export function namedFind(naming: Naming, check: string, found: string): string {
  const each = (said: (part: string) => string): string => found.split("; ").map(said).join("; ");
  switch (check) {
    case "operators":
      return each((part) => part.replace(/^\S+(?= (?:is|has) )/, naming.operator));
    case "alarms":
      return each((part) => part.replace(/(?<=^\S+ )[^(]\S*/, (subject) => namedSubject(naming, subject)));
    case "webhooks":
      return found.replace(/(?<!\S)\S+(?= among them$)/, naming.webhook);
    default:
      return found;
  }
}
