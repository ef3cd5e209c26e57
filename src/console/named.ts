/** Names in the place of codes and ids, in what is made for administrators: alarms, checks. What people type keeps its code. */
import { accountByUlid } from "../accounts/accounts.ts";
import { operatorNames } from "../config/operator-codes.ts";
import { type Param, type Phrase, said } from "../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { findWebhook } from "../operations/webhooks.ts";
import type { AlarmFacts } from "../upkeep/alarms/rules.ts";

export type Naming = {
  readonly operator: (code: string) => string;
  /** By the server that it posts to. */
  readonly webhook: (id: string) => string;
  readonly account: (id: string) => string;
  /** What is still a sentence, and what pages have no words for: why a backup failed. Left out where it stays as it is. */
  readonly said?: (words: Phrase | string) => string;
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

/** A phrase with what others said in it in somebody's words: some of it is still said in English sentences. */
export function heard(inTheirWords: (words: Phrase | string) => string, phrase: Phrase): Phrase {
  const same = (one: string): string => one;
  return withNames({ operator: same, webhook: same, account: same, said: inTheirWords }, phrase);
}

/** A message by the names of what its parameters are codes and ids of; what others said in it is in their words. */
export function withNames(naming: Naming, message: Phrase): Phrase {
  if (!("params" in message)) return message;
  const params = Object.entries<Param>(message.params).map(([name, value]) => [
    name,
    namedParam(naming, name, value),
  ]);
  return { ...message, params: Object.fromEntries(params) } as Phrase;
}

function namedParam(naming: Naming, name: string, value: Param): Param {
  if (typeof value === "number") return value;
  if (typeof value === "object") {
    if (name === "failure" && "code" in value && naming.said) return said(naming.said(value));
    return "code" in value ? withNames(naming, value) : value.map((one) => withNames(naming, one));
  }
  switch (name) {
    case "operator":
      return naming.operator(value);
    case "endpoint":
      return naming.webhook(value);
    case "subject":
      return namedSubject(naming, value);
    case "text":
      return naming.said?.(value) ?? value;
    default:
      return value;
  }
}
