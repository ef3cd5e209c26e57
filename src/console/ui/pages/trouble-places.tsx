import { getOwn } from "../../../core/own-value.ts";
import type { Permission } from "../../server/contract.ts";
import { HOME } from "../state/router.ts";
import { may } from "../state/session.ts";
import { accessNames } from "../words/access-nav.ts";
import { money } from "../words/money.ts";
import { places } from "../words/places.ts";
import { traffic } from "../words/traffic.ts";
import { troubles } from "../words/troubles.ts";

type Place = {
  readonly path: string;
  readonly capability: Permission;
  readonly name: () => string;
};

const OPERATORS: Place = {
  path: "/operators",
  capability: "operators.read",
  name: () => traffic.value.nav.operators,
};
const QUEUE: Place = { path: "/queue", capability: "queue.read", name: () => traffic.value.nav.queue };
const STATE: Place = { path: "/state", capability: "appliance.read", name: () => places.value.appliance };
const BACKUPS: Place = { path: "/backups", capability: "backups.read", name: () => places.value.backups };
const MONEY: Place = { path: "/money", capability: "books.read", name: () => money.value.nav.money };
const TEMPLATES: Place = {
  path: "/templates",
  capability: "operators.read",
  name: () => traffic.value.nav.templates,
};
const WEBHOOKS: Place = {
  path: "/webhooks",
  capability: "webhooks.read",
  name: () => accessNames.value.webhooks,
};

const OF_RULES: Readonly<Record<string, (subject: string) => Place>> = {
  link_down: () => OPERATORS,
  operator_down: () => OPERATORS,
  not_taken: () => OPERATORS,
  number_stopped: () => OPERATORS,
  throttled: () => OPERATORS,
  country_refused: () => OPERATORS,
  template_stopped: () => TEMPLATES,
  direct_text_stopped: () => TEMPLATES,
  template_moves: () => TEMPLATES,
  templates_unread: () => TEMPLATES,
  otp_waits: () => QUEUE,
  transactional_waits: () => QUEUE,
  delivered_share: () => ({
    path: "/reports?by=error",
    capability: "reports.read",
    name: () => places.value.reports,
  }),
  receipts_unmatched: () => ({
    path: "/doubts",
    capability: "doubts.read",
    name: () => traffic.value.nav.doubts,
  }),
  disk: () => STATE,
  clock: () => STATE,
  certificate: () => STATE,
  books: () => MONEY,
  backup: () => BACKUPS,
  drill: () => BACKUPS,
  endpoint: (subject) => ({ ...WEBHOOKS, path: `/webhooks/${subject}` }),
  wallet_low: (subject) => ({
    path: `/accounts/${subject}`,
    capability: "accounts.read",
    name: () => money.value.nav.accounts,
  }),
};

const OF_CHECKS: Readonly<Record<string, Place>> = {
  operators: OPERATORS,
  queue: QUEUE,
  books: MONEY,
  backup: BACKUPS,
  webhooks: WEBHOOKS,
  alarms: { path: "/alarms", capability: "alarms.read", name: () => places.value.alarms },
};

/** Where more is known of what an alarm tells. */
export function RulePlace({ rule, subject }: { readonly rule: string; readonly subject: string }) {
  const place = getOwn(OF_RULES, rule)?.(subject);
  return place === undefined ? null : <LookInto place={place} />;
}

/** Where more is known of what a check found; the page of all checks is where everything else stands. */
export function CheckPlace({ check }: { readonly check: string }) {
  return <LookInto place={getOwn(OF_CHECKS, check) ?? STATE} />;
}

/** The same of an operator's connections, of what waits for it, and of its messages. */
export function OperatorPlace({ kind, operator }: { readonly kind: string; readonly operator: string }) {
  if (kind === "STRAY") return <LookInto place={QUEUE} />;
  if (kind !== "PUT_OFF") return <LookInto place={OPERATORS} />;
  const path = `/messages?status=QUEUED&operator=${encodeURIComponent(operator)}`;
  return <LookInto place={{ path, capability: "messages.read", name: () => traffic.value.nav.messages }} />;
}

function LookInto({ place: { path, capability, name } }: { readonly place: Place }) {
  if (!may(capability)) return null;
  return (
    <p>
      <a href={`${HOME}${path}`}>{troubles.value.lookInto({ page: name() })}</a>
    </p>
  );
}
