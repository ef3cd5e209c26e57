import { ownValue } from "../../../core/own-value.ts";
import type { LiveConnection, LiveQueue, LiveShare, StaffLive } from "../../server/live/live-view.ts";
import { duration } from "../format.ts";
import { type Column, Empty, Section, Stat, StateBadge, Stats, Table, Term } from "../kit/kit.ts";
import { language } from "../state/choices.ts";
import { countOf } from "../state/connection-count.ts";
import { within } from "../words/phrases.ts";
import { classWord, figures, words } from "../words/words.ts";
import { NewOperatorLink } from "./connect/new-operator-link.tsx";
import { EndingKeys } from "./staff-keys.tsx";
import { Wrong } from "./staff-troubles.tsx";

/** What staff see first: what is wrong, the connections, what waits, what arrives. */
export function StaffStart({ now }: { readonly now: StaffLive }) {
  return (
    <>
      <Wrong now={now} />
      <EndingKeys />
      <Today now={now} />
      <Connections now={now} />
      <div class="pair">
        <Waiting now={now} />
        <Shares now={now} />
      </div>
    </>
  );
}

function Today({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const waiting = now.queues.reduce((sum, { messages }) => sum + messages, 0);
  const sent = now.connections.reduce((sum, each) => sum + each.sent_last_second, 0);
  return (
    <Stats>
      <Stat label={<Term of="rate">{start.rate}</Term>} value={figures.number(sent)} />
      <Stat label={start.waiting} value={figures.number(waiting)} />
      {now.messages_today !== null && (
        <Stat label={start.accepted} value={figures.number(now.messages_today)} />
      )}
      {now.charged_today !== null && (
        <Stat label={<Term of="booked">{start.charged}</Term>} value={figures.money(now.charged_today)} />
      )}
    </Stats>
  );
}

function Connections({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const { up, paused } = countOf(now.connections);
  const columns: readonly Column<LiveConnection>[] = [
    {
      ...titled("operator", start.operator),
      cell: (row) => `${nameIn(now, row.operator)}${row.connection > 1 ? ` ${row.connection}` : ""}`,
    },
    {
      ...titled("state", start.state),
      cell: (row) => (
        <>
          <StateBadge state={row.paused === null ? row.state : "PAUSED"} />
          {row.paused !== null && <span class="note">{row.paused}</span>}
          {row.paused === null && row.state === "WAITING" && row.next_attempt_at !== null && (
            <span class="note">{start.nextTry({ time: figures.clock(row.next_attempt_at) })}</span>
          )}
        </>
      ),
    },
    { ...titled("since", start.since), cell: ({ since }) => figures.time(since) },
    {
      ...titled("rate", start.rate),
      isNumber: true,
      cell: (row) =>
        start.rateOf({ sent: figures.number(row.sent_last_second), granted: figures.number(row.rate) }),
    },
    {
      ...titled("window", start.window),
      title: <Term of="window">{start.window}</Term>,
      isNumber: true,
      cell: (row) =>
        start.rateOf({ sent: figures.number(row.in_flight), granted: figures.number(row.window) }),
    },
    {
      ...titled("error", start.lastError),
      cell: (row) => <span class="note">{trouble(row) ?? "–"}</span>,
    },
  ];
  const count = [
    start.linksUp({ up: figures.number(up), all: figures.number(now.connections.length) }),
    ...(paused === 0 ? [] : [start.linksPaused({ count: figures.number(paused) })]),
  ].join(", ");
  return (
    <Section
      title={start.links}
      aside={
        <div class="tools">
          <p class="note">{count}</p>
          <NewOperatorLink isFirst={now.connections.length === 0} />
        </div>
      }
    >
      <Table
        caption={start.links}
        columns={columns}
        rows={now.connections}
        keyOf={({ operator, connection }) => `${operator} ${connection}`}
        empty={<Empty title={start.noLinks}>{start.noLinksHelp}</Empty>}
      />
    </Section>
  );
}

/** What is wrong with a connection now; null where nothing is known to be. */
function trouble({ state, last_error, refusing }: LiveConnection): string | null {
  if (state !== "BOUND") return last_error && within(last_error);
  if (refusing === null) return null;
  return words.value.start.takesNothing({
    answers: figures.number(refusing.answers),
    code: refusing.code,
    answer: refusing.answer,
  });
}

/** What an operator is called; a number of WhatsApp by its code. */
function nameIn({ names }: StaffLive, code: string): string {
  return ownValue(names, code) ?? code;
}

function titled(key: string, title: string) {
  return { key, title, label: title };
}

function Waiting({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const at = new Date(now.at).getTime();
  const age = (oldest: string | null) =>
    oldest === null ? "–" : duration(language.value, Math.max(0, at - new Date(oldest).getTime()) / 1000);
  const columns: readonly Column<LiveQueue>[] = [
    { ...titled("operator", start.operator), cell: ({ operator }) => nameIn(now, operator) },
    {
      ...titled("class", start.messageClass),
      title: <Term of="class">{start.messageClass}</Term>,
      cell: (row) => classWord(row.message_class),
    },
    {
      ...titled("messages", start.messages),
      isNumber: true,
      cell: ({ messages }) => figures.number(messages),
    },
    { ...titled("oldest", start.oldest), isNumber: true, cell: (row) => age(row.oldest_at) },
  ];
  return (
    <Section title={start.waiting}>
      <Table
        caption={start.waiting}
        columns={columns}
        rows={now.queues.filter(({ messages }) => messages > 0)}
        keyOf={(row) => `${row.operator} ${row.message_class}`}
        empty={<Empty title={start.nothingWaits}>{start.nothingWaitsHelp}</Empty>}
      />
    </Section>
  );
}

function Shares({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const columns: readonly Column<LiveShare>[] = [
    { ...titled("operator", start.operator), cell: ({ operator }) => nameIn(now, operator) },
    { ...titled("hour", start.lastHour), isNumber: true, cell: (row) => figures.share(row.last_hour) },
    { ...titled("week", start.lastWeek), isNumber: true, cell: (row) => figures.share(row.last_week) },
  ];
  return (
    <Section title={start.judged} aside={<Term of="delivered">?</Term>}>
      <Table
        caption={start.judged}
        columns={columns}
        rows={now.shares}
        keyOf={({ operator }) => operator}
        empty={<Empty title={start.noShares}>{start.noSharesHelp}</Empty>}
      />
    </Section>
  );
}
