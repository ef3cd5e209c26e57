/** Names in the place of codes and ids, in what is made for administrators: alarms, checks. What people type keeps its code. */

import type { AdminContext } from "../../admin/operations/context.ts";
import { findWebhook } from "../../admin/operations/webhooks.ts";
import { operatorNames } from "../../config/operator-codes.ts";
import { accountByUlid } from "../../domain/accounts/accounts.ts";
import { type Param, type Phrase, said } from "../../i18n/phrase.ts";
import type { AlarmFacts } from "../../ops/alerts/rules.ts";

export type Naming = {
  readonly operator: (code: string) => string;
  /** By the server that it posts to. */
  readonly webhook: (id: string) => string;
  readonly account: (id: string) => string;
  /** What pages have no words for, in the words of whoever asks: why a backup failed. Left out where it stays as it is. */
  readonly worded?: (phrase: Phrase) => string;
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

/** A phrase with the names of what its parameters are codes and ids of. */
export function withNames(naming: Naming, { code, params = {} }: Phrase): Phrase {
  const named = Object.entries(params).map(([name, value]) => [name, namedParam(naming, name, value)]);
  return { code, params: Object.fromEntries(named) };
}

function namedParam(naming: Naming, name: string, value: Param): Param {
  if (typeof value === "number") return value;
  if (typeof value === "object") {
    if (name === "failure" && "code" in value && naming.worded) return said(naming.worded(value));
    return "code" in value ? withNames(naming, value) : value.map((one) => withNames(naming, one));
  }
  switch (name) {
    case "operator":
      return naming.operator(value);
    case "endpoint":
      return naming.webhook(value);
    case "subject":
      return namedSubject(naming, value);
    default:
      return value;
  }
}
