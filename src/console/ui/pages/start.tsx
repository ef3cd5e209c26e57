/**
 * Start page of the console, kept current by server-sent events: balance and batches for an account; alerts, connections,
 * queues and delivery for staff.
 */
import { useEffect } from "preact/hooks";
import { getOwn } from "../../../core/own-value.ts";
import type {
  AccountLive,
  LiveBatch,
  LiveConnection,
  LiveNotice,
  LiveQueue,
  LiveShare,
  StaffLive,
} from "../../server/live/live-view.ts";
import { duration } from "../format.ts";
import {
  AllClear,
  Badge,
  type Columns,
  column,
  countColumn,
  Empty,
  ErrorBox,
  Note,
  numberColumn,
  Page,
  Progress,
  Section,
  Stat,
  StateBadge,
  Stats,
  TableSection,
  Term,
  type Tone,
  timeColumn,
  WithNote,
} from "../kit/kit.ts";
import { countConnections } from "../state/count-connections.ts";
import { isLost, live, useLive } from "../state/live.ts";
import { type Lamp, operatorLamps } from "../state/operator-lamps.ts";
import { language } from "../state/preferences.ts";
import { HOME } from "../state/router.ts";
import { isStaff, may } from "../state/session.ts";
import { useAnswer } from "../state/use-request.ts";
import { classWord, figures, within, words } from "../words/words.ts";
import { NewOperatorLink } from "./connect/new-operator-link.tsx";
import { lazyComponent } from "./lazy-page.tsx";
import { AllWell, SetupList, useMissingSetup, Wrongs } from "./problems.tsx";

export function Start() {
  const { value, problem, reload } = useAnswer("GET /start");
  useLive();
  useEffect(() => {
    live.value ??= value;
  }, [value]);
  const { start, loading } = words.value;
  const now = live.value;
  return (
    <Page
      title={isStaff() ? start.staffTitle : start.accountTitle}
      aside={
        <p class={isLost.value ? "as-of lost" : "as-of"}>
          {isLost.value ? start.lost : now && start.live({ time: now.at })}
        </p>
      }
    >
      {problem && !now && <ErrorBox problem={problem} onRetry={reload} />}
      {!problem && !now && <Note>{loading}…</Note>}
      {now?.kind === "staff" && <StaffStart now={now} />}
      {now?.kind === "account" && <AccountStart now={now} />}
    </Page>
  );
}

/** What a client's people see first: the traffic, what needs them, what they can spend, how today's batches do. */
function AccountStart({ now }: { readonly now: AccountLive }) {
  const { start } = words.value;
  return (
    <>
      <Traffic now={now} />
      <Notices now={now} />
      <Stats>
        {now.balance && <Money balance={now.balance} />}
        <Stat label={start.accepted} value={now.messages_today} />
        <Stat
          label={<Term of="delivered">{start.delivered}</Term>}
          value={figures.share(now.delivered_share)}
        />
      </Stats>
      {now.balance === null && <Note>{start.noBalance}</Note>}
      <Batches now={now} />
    </>
  );
}

function Money({ balance }: { readonly balance: NonNullable<AccountLive["balance"]> }) {
  const { start } = words.value;
  const { spendable, reserved, segments } = balance;
  return (
    <Stat
      label={start.balance}
      value={figures.money(spendable)}
      note={
        <>
          {segments !== null && <span>{start.goodFor(segments)}</span>}
          {reserved > 0 && <span>{start.reserved({ amount: reserved })}</span>}
        </>
      }
    />
  );
}

function Notices({ now }: { readonly now: AccountLive }) {
  const { start } = words.value;
  if (now.notices.length === 0) return <AllClear text={start.noAttention} />;
  return (
    <Section title={start.attention}>
      <ul class="alarms">
        {now.notices.map((notice) => (
          <li key={noticeText(notice)}>
            <p>{noticeText(notice)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function noticeText(notice: LiveNotice): string {
  const { notices } = words.value.start;
  switch (notice.kind) {
    case "PAUSED":
      return notices.PAUSED({ operator: notice.operator, since: notice.since });
    case "NUMBER_PAUSED":
      return notices.NUMBER_PAUSED({ senders: notice.senders.join(", "), since: notice.since });
    case "SENDER_PENDING":
      return notices.SENDER_PENDING({ sender: notice.sender });
    case "SENDER_PARTIAL":
      return notices.SENDER_PARTIAL({ sender: notice.sender, operators: notice.operators.join(", ") });
    case "ENDPOINT_FAILING":
      return notices.ENDPOINT_FAILING({ server: notice.server });
    case "KEY_ENDS":
    case "KEY_ENDED":
      return notices[notice.kind]({ key: notice.key, at: notice.at });
    case "BALANCE_LOW":
      return notices.BALANCE_LOW({ level: notice.level });
  }
}

function Batches({ now }: { readonly now: AccountLive }) {
  const { start } = words.value;
  const columns: Columns<LiveBatch> = [
    column(start.created, (row) => (
      <WithNote note={row.reference}>
        <a class="whole" href={`${HOME}/batches/${row.batch_id}`}>
          {figures.time(row.created_at)}
        </a>
      </WithNote>
    )),
    column(start.state, ({ status }) => <StateBadge state={status} />),
    countColumn(start.messages, ({ total }) => total),
    column(start.progress, (row) => <Bar row={row} />),
  ];
  return (
    <TableSection
      title={start.today}
      columns={columns}
      rows={now.batches}
      keyOf={({ batch_id }) => batch_id}
      empty={<Empty title={start.noBatches}>{start.noBatchesHelp}</Empty>}
    />
  );
}

function Bar({ row }: { readonly row: LiveBatch }) {
  const { total, delivered, failed } = row;
  return (
    <Progress
      label={words.value.start.progress}
      total={total}
      shares={[
        { of: "delivered", count: delivered },
        { of: "failed", count: failed },
        { of: "underway", count: total - delivered - failed },
      ]}
    />
  );
}

/** What staff see first: the traffic, the operators, what is wrong, the connections, what waits, what arrives. */
function StaffStart({ now }: { readonly now: StaffLive }) {
  const setup = useMissingSetup();
  return (
    <>
      <AllWell now={now} />
      <Traffic now={now} />
      <Lamps now={now} />
      <Wrongs now={now} degree="stops" />
      <Wrongs now={now} degree="wrong" />
      <EndingKeys />
      <Today now={now} />
      <Connections now={now} />
      <div class="pair">
        <Waiting now={now} />
        <Shares now={now} />
      </div>
      <SetupList {...setup} />
    </>
  );
}

/** The picture of the traffic, drawn anew every minute. */
function Traffic({ now: { at } }: { readonly now: Pick<StaffLive | AccountLive, "at"> }) {
  if (!may("reports.read")) return null;
  return (
    <div class="traffic">
      <TrafficPicture version={at.slice(0, MINUTE)} />
    </div>
  );
}

/** As far as an instant tells the minute. */
const MINUTE = "2026-03-01T08:00".length;

const TrafficPicture = lazyComponent(async () => (await import("./volume.tsx")).TrafficPicture);

const LAMP_TONES = {
  UP: "good",
  PART: "wait",
  REFUSING: "bad",
  PAUSED: "wait",
  CONNECTING: "busy",
  DOWN: "bad",
  OFF: "idle",
} as const satisfies Readonly<Record<Lamp["state"], Tone>>;

/** Each operator with its state, which leads to its page. */
function Lamps({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const lamps = operatorLamps(now.connections);
  if (lamps.length === 0) return null;
  return (
    <Section title={start.lamps}>
      <ul class="lamps">
        {lamps.map(({ operator, state }) => (
          <li key={operator} class={`lamp ${LAMP_TONES[state]}`}>
            {may("operators.read") ? (
              <a href={`${HOME}/operators/${encodeURIComponent(operator)}`}>{nameIn(now, operator)}</a>
            ) : (
              <span>{nameIn(now, operator)}</span>
            )}
            <Badge tone={LAMP_TONES[state]}>{start.lampStates[state]}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Today({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const waiting = now.queues.reduce((sum, { messages }) => sum + messages, 0);
  const sent = now.connections.reduce((sum, each) => sum + each.sent_last_second, 0);
  return (
    <Stats>
      <Stat label={<Term of="rate">{start.rate}</Term>} value={sent} />
      <Stat label={start.waiting} value={waiting} />
      {now.messages_today !== null && <Stat label={start.accepted} value={now.messages_today} />}
      {now.charged_today !== null && (
        <Stat label={<Term of="booked">{start.charged}</Term>} value={figures.money(now.charged_today)} />
      )}
    </Stats>
  );
}

function Connections({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const { up, paused } = countConnections(now.connections);
  const columns: Columns<LiveConnection> = [
    column(
      start.operator,
      (row) => `${nameIn(now, row.operator)}${row.connection > 1 ? ` ${row.connection}` : ""}`,
    ),
    column(start.state, (row) => (
      <>
        <StateBadge state={row.paused === null ? row.state : "PAUSED"} />
        {row.paused !== null && <span class="note">{row.paused}</span>}
        {row.paused === null && row.state === "WAITING" && row.next_attempt_at !== null && (
          <span class="note">{start.nextTry({ time: row.next_attempt_at })}</span>
        )}
      </>
    )),
    timeColumn(start.since, ({ since }) => since),
    numberColumn(start.rate, (row) => start.rateOf({ sent: row.sent_last_second, granted: row.rate })),
    numberColumn(
      start.window,
      (row) => start.rateOf({ sent: row.in_flight, granted: row.window }),
      <Term of="window">{start.window}</Term>,
    ),
    column(start.lastError, (row) => <span class="note">{trouble(row) ?? "–"}</span>),
  ];
  const count = [
    start.linksUp({ up, all: now.connections.length }),
    ...(paused === 0 ? [] : [start.linksPaused({ count: paused })]),
  ].join(", ");
  return (
    <TableSection
      title={start.links}
      aside={
        <div class="tools">
          <Note>{count}</Note>
          <NewOperatorLink isFirst={now.connections.length === 0} />
        </div>
      }
      columns={columns}
      rows={now.connections}
      keyOf={({ operator, connection }) => `${operator} ${connection}`}
      empty={<Empty title={start.noLinks}>{start.noLinksHelp}</Empty>}
    />
  );
}

/** What is wrong with a connection now; null where nothing is known to be. */
function trouble({ state, last_error, refusing }: LiveConnection): string | null {
  if (state !== "BOUND") return last_error && within(last_error);
  if (refusing === null) return null;
  return words.value.start.takesNothing({
    answers: refusing.answers,
    code: refusing.code,
    answer: refusing.answer,
  });
}

/** What an operator is called; a number of WhatsApp by its code. */
function nameIn({ names }: StaffLive, code: string): string {
  return getOwn(names, code) ?? code;
}

function Waiting({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const at = new Date(now.at).getTime();
  const age = (oldest: string | null) =>
    oldest === null ? "–" : duration(language.value, Math.max(0, at - new Date(oldest).getTime()) / 1000);
  const columns: Columns<LiveQueue> = [
    column(start.operator, ({ operator }) => nameIn(now, operator)),
    column(
      start.messageClass,
      (row) => classWord(row.message_class),
      <Term of="class">{start.messageClass}</Term>,
    ),
    countColumn(start.messages, ({ messages }) => messages),
    numberColumn(start.oldest, (row) => age(row.oldest_at)),
  ];
  return (
    <TableSection
      title={start.waiting}
      columns={columns}
      rows={now.queues.filter(({ messages }) => messages > 0)}
      keyOf={(row) => `${row.operator} ${row.message_class}`}
      empty={<Empty title={start.nothingWaits}>{start.nothingWaitsHelp}</Empty>}
    />
  );
}

function Shares({ now }: { readonly now: StaffLive }) {
  const { start } = words.value;
  const columns: Columns<LiveShare> = [
    column(start.operator, ({ operator }) => nameIn(now, operator)),
    numberColumn(start.lastHour, (row) => figures.share(row.last_hour)),
    numberColumn(start.lastWeek, (row) => figures.share(row.last_week)),
  ];
  return (
    <TableSection
      title={start.judged}
      aside={<Term of="delivered">?</Term>}
      columns={columns}
      rows={now.shares}
      keyOf={({ operator }) => operator}
      empty={<Empty title={start.noShares}>{start.noSharesHelp}</Empty>}
    />
  );
}

/** Keys of any account that expire soon, or did already; nothing where there are none, or for those who may not see keys. */
function EndingKeys() {
  const isAsked = may("keys.read");
  const { value } = useAnswer("GET /keys/ending", isAsked ? {} : null);
  if (!value || value.keys.length === 0) return null;
  const { start } = words.value;
  return (
    <Section title={start.endingKeys}>
      <ul>
        {value.keys.map(({ key_id: key, name, ends_at: at, is_over: isOver, account_id: id, account }) => (
          <li key={key}>
            <a href={`${HOME}/keys?account=${id}`}>{account}</a>
            {" · "}
            {(isOver ? start.keyEnded : start.keyEnds)({ key: name, at: figures.time(at) })}
          </li>
        ))}
      </ul>
      {value.is_more && <Note>{start.moreEndingKeys}</Note>}
    </Section>
  );
}
