/**
 * Console page of the audit log, filtered, newest first. Account administrators see their own account's entries, without
 * names of staff.
 */
import { useState } from "preact/hooks";
import { getOwn } from "../../../../core/own-value.ts";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  column,
  Empty,
  Filter,
  FilterBar,
  filtersAndPeriod,
  ListTable,
  Page,
  PeriodFilter,
  WithNote,
} from "../../kit/kit.ts";
import { language } from "../../state/preferences.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, me } from "../../state/session.ts";
import { useList } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { appliance } from "../../words/appliance.ts";
import { auditActions, auditWord } from "../../words/audit-words.ts";
import { money } from "../../words/money.ts";
import { traffic } from "../../words/traffic.ts";
import { ruleWord } from "../../words/troubles.ts";
import { classWord, figures, labelled, words } from "../../words/words.ts";
import { AccountFilter } from "../traffic/named-filters.tsx";

type View = Answer<"GET /audit">;
type Row = View["entries"][number];
/** Accounts by their ids, and operators by their codes. */
type Names = View["accounts"];

export function Audit() {
  const [names, setNames] = useState<Names>({});
  const { asked, key } = filtersAndPeriod("actor", "action", "account");
  const list = useList({
    key,
    load: async (before) => {
      const answer = await callApi("GET /audit", {
        query: { ...asked, before },
      });
      if (answer.ok) setNames((known) => ({ ...known, ...answer.value.operators, ...answer.value.accounts }));
      return answer;
    },
    rowsOf: ({ entries }) => entries,
    nextOf: ({ next }) => next,
  });
  const { audit: words } = appliance.value;
  const file = new URLSearchParams(asked).toString();
  const back = list.page?.next === null ? list.page.searched_back_to : null;
  return (
    <Page
      title={words.title}
      aside={
        <a href={`${HOME}/api/audit.csv${file && `?${file}`}`} download>
          {words.file}
        </a>
      }
    >
      <FilterBar>
        <Filter name="actor" label={words.actor} />
        <Filter name="action" label={words.action} options={auditActions(language.value)} />
        {isStaff() && <AccountFilter label={words.account} />}
        <PeriodFilter />
      </FilterBar>
      <ListTable
        list={{ ...list, rows: list.rows.map((row, place) => ({ ...row, place })) }}
        caption={words.title}
        columns={columnsOf(names)}
        keyOf={({ at, place }) => `${at} ${place}`}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      {back !== null && <p class="note">{words.back({ time: back })}</p>}
    </Page>
  );
}

function columnsOf(names: Names): Columns<Row & { readonly place: number }> {
  const { audit: words } = appliance.value;
  return [
    column(words.at, ({ at }) => <span class="whole">{figures.time(at)}</span>),
    column(words.actor, actorText),
    column(words.action, ({ action, subject, actor }) => (
      <WithNote note={subject !== me.value?.account?.id && subject !== actor && subjectText(subject, names)}>
        {auditWord(language.value, "actions", action)}
      </WithNote>
    )),
    column(words.address, ({ way, address }) => address ?? words.ways[way]),
    column(words.detail, ({ detail }) => <span class="note">{detailText(detail, names)}</span>),
  ];
}

/** Who did it; of staff account users learn no name. */
function actorText({ actor, way }: Row): string {
  const { audit: words } = appliance.value;
  if (way === "RECIPIENT") return words.recipient;
  return actor === NOBODY ? words.nobody : (actor ?? words.theirs);
}

/** What the audit calls whoever is not signed in. */
const NOBODY = "unknown login";

/** Its subject: an account by its name, the list of all accounts, a rule of alarms; anything else as it is. */
function subjectText(subject: string, names: Names): string {
  if (subject === EVERYWHERE) return traffic.value.suppressions.everywhere;
  return getOwn(names, subject) ?? ruleWord(subject);
}

const EVERYWHERE = "everywhere";

/** Details of the downloaded file only: they help to find the log entry, and not the reader. */
const IN_THE_FILE: ReadonlySet<string> = new Set(["request_id", "route", "key", "digest"]);

function detailText(detail: Row["detail"], names: Names): string {
  return Object.entries(detail)
    .filter(([name, value]) => !IN_THE_FILE.has(name) && value !== null && value !== false)
    .filter(([name, value]) => name !== "account_id" || value !== me.value?.account?.id)
    .map(([name, value]) =>
      labelled(auditWord(language.value, "details", name), valueText(name, value ?? null, names)),
    )
    .join(" · ");
}

/** Details that are whole francs. */
const AMOUNTS: ReadonlySet<string> = new Set(["amount", "credit_limit", "low_balance", "balance"]);
/** Those that are octets. */
const SIZES: ReadonlySet<string> = new Set(["bytes", "bytes_before"]);

type Value = NonNullable<Row["detail"][string]> | null;

function valueText(name: string, value: Value, names: Names): string {
  const { keys, webhooks } = access.value;
  if (typeof value === "number" && SIZES.has(name)) return figures.bytes(value);
  if (typeof value === "number") return AMOUNTS.has(name) ? figures.money(value) : figures.number(value);
  if (typeof value === "boolean") return appliance.value.audit.truth[`${value}`];
  if (value === null) return "–";
  if (typeof value !== "string")
    return value.length === 0
      ? words.value.none
      : value.map((one) => keys.scopeWords[one] ?? webhooks.eventWords[one] ?? one).join(", ");
  switch (name) {
    case "step":
    case "by":
    case "keys":
      return auditWord(language.value, "values", value);
    case "source":
      return traffic.value.suppressions.sources[value] ?? value;
    case "message_class":
    case "messageClass":
      return value === "all" ? traffic.value.suppressions.all : classWord(value);
    case "cause":
      return auditWord(language.value, "causes", value);
    case "account_id":
    case "operator":
      return getOwn(names, value) ?? value;
    case "role":
    case "before":
      return isRole(value) ? words.value.roles[value] : value;
    case "billing_mode":
      return money.value.accounts.billings[value] ?? value;
    case "mode":
      return keys.modes[value] ?? value;
    default:
      return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? figures.time(value) : value;
  }
}

function isRole(text: string): text is keyof typeof words.value.roles {
  return Object.hasOwn(words.value.roles, text);
}
