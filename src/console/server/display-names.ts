/** Replaces codes and ids by names in what administrators read: alerts, checks. Commands to be typed keep their codes. */
import type { AdminContext } from "../../admin/operations/context.ts";
import { findWebhook } from "../../admin/operations/webhooks.ts";
import { operatorNames } from "../../config/config.ts";
import type { CheckView } from "../../core/health.ts";
import { accountByUlid } from "../../domain/accounts/accounts.ts";
import { type Param, type Phrase, paramsIn, said } from "../../i18n/phrase.ts";
import type { AlertFacts } from "../../ops/alerts/rules.ts";

export type NameResolver = {
  readonly operator: (code: string) => string;
  /** Names an endpoint by the server that it posts to. */
  readonly webhook: (id: string) => string;
  readonly account: (id: string) => string;
  /** Words phrases that pages have no words for, such as why a backup failed. Absent where these stay as they are. */
  readonly worded?: (phrase: Phrase) => string;
};

export function createNameResolver(context: Pick<AdminContext, "config" | "store">): NameResolver {
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

/** Replaces codes and ids in an alert's facts by names. */
export function resolveFactNames({ operator, webhook }: NameResolver): (facts: AlertFacts) => AlertFacts {
  const of = (facts: AlertFacts, name: string, called: (one: string) => string): AlertFacts =>
    typeof facts[name] === "string" ? { [name]: called(facts[name]) } : {};
  return (facts) => ({
    ...facts,
    ...of(facts, "operator", operator),
    ...of(facts, "endpoint", webhook),
  });
}

/** Names the subject of an alert: an operator, perhaps with the index of a connection; an endpoint; an account. */
export function resolveSubjectName({ operator, webhook, account }: NameResolver, subject: string): string {
  return subject.replace(/^\S+/, (one) =>
    [operator, webhook, account].reduce((known, called) => (known === one ? called(one) : known), one),
  );
}

/** Replaces codes and ids in a phrase's parameters by names. */
function resolvePhraseNames(naming: NameResolver, { code, params = {} }: Phrase): Phrase {
  const named = Object.entries(params).map(([name, value]) => [name, namedParam(naming, name, value)]);
  return { code, params: Object.fromEntries(named) };
}

function namedParam(naming: NameResolver, name: string, value: Param): Param {
  if (typeof value === "number") return value;
  if (typeof value === "object") {
    if (name === "failure" && "code" in value && naming.worded) return said(naming.worded(value));
    return "code" in value
      ? resolvePhraseNames(naming, value)
      : value.map((one) => resolvePhraseNames(naming, one));
  }
  switch (name) {
    case "operator":
      return naming.operator(value);
    case "endpoint":
      return naming.webhook(value);
    case "subject":
      return resolveSubjectName(naming, value);
    default:
      return value;
  }
}

// Status of the checks of `GET /health` as the console shows it. Pure.

/** `not_yet`: never done, which is neither good nor bad; `down`: nothing leaves, which is an outage. */
type ShownCheckStatus = "ok" | "degraded" | "down" | "paused" | "not_yet";

/** Derives the shown status of a check from what it found. */
export function deriveStanding({
  name,
  status,
  detail,
}: Pick<CheckView, "name" | "status" | "detail">): ShownCheckStatus {
  switch (detail.code) {
    case "health.backup.not_yet":
    case "health.backup.not_yet_tried":
    case "health.books.not_yet":
      return status === "ok" ? "not_yet" : status;
    case "health.operators.with": {
      const counts = paramsIn(detail, "health.operators.with")?.counts;
      return name === "operators" && counts && isNoneBound(counts) ? "down" : status;
    }
    default:
      return status;
  }
}

function isNoneBound(counts: CheckView["detail"]): boolean {
  const operators = paramsIn(counts, "health.operators");
  return operators !== null && operators.bound === 0 && operators.connections !== 0;
}

/** A check with names in its findings. Commands to be typed, and the advice, keep codes. */
export function toNamedCheck(
  check: CheckView,
  naming: NameResolver,
  translate: (phrase: Phrase) => string,
): CheckView {
  return { ...check, detail: resolvePhraseNames({ ...naming, worded: translate }, check.detail) };
}

/** Whether an alert's text reveals an account's balance: not everybody may read that. */
export function revealsBalance(rule: string): boolean {
  return rule === "wallet_low";
}
