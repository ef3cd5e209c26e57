import type { AccountLive, LiveBatch, LiveNotice } from "../../server/live/live-view.ts";
import {
  AllWell,
  type Column,
  Empty,
  Progress,
  Section,
  Stat,
  StateBadge,
  Stats,
  Table,
  Term,
} from "../kit/kit.ts";
import { HOME } from "../state/router.ts";
import { figures, words } from "../words/words.ts";

/** What a client's people see first: what they can spend, what needs them, how today's batches do. */
export function AccountStart({ now }: { readonly now: AccountLive }) {
  const { start } = words.value;
  return (
    <>
      <Notices now={now} />
      <Stats>
        {now.balance && <Money balance={now.balance} />}
        <Stat label={start.accepted} value={figures.number(now.messages_today)} />
        <Stat
          label={<Term of="delivered">{start.delivered}</Term>}
          value={figures.share(now.delivered_share)}
        />
      </Stats>
      {now.balance === null && <p class="note">{start.noBalance}</p>}
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
          {segments !== null && <span>{figures.count(segments, start.goodFor)}</span>}
          {reserved > 0 && <span>{start.reserved({ amount: figures.money(reserved) })}</span>}
        </>
      }
    />
  );
}

function Notices({ now }: { readonly now: AccountLive }) {
  const { start } = words.value;
  if (now.notices.length === 0) return <AllWell text={start.noAttention} />;
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
      return notices.PAUSED({ operator: notice.operator, since: figures.time(notice.since) });
    case "NUMBER_PAUSED":
      return notices.NUMBER_PAUSED({ senders: notice.senders.join(", "), since: figures.time(notice.since) });
    case "SENDER_PENDING":
      return notices.SENDER_PENDING({ sender: notice.sender });
    case "SENDER_PARTIAL":
      return notices.SENDER_PARTIAL({ sender: notice.sender, operators: notice.operators.join(", ") });
    case "ENDPOINT_FAILING":
      return notices.ENDPOINT_FAILING({ server: notice.server });
    case "KEY_ENDS":
    case "KEY_ENDED":
      return notices[notice.kind]({ key: notice.key, at: figures.time(notice.at) });
    case "BALANCE_LOW":
      return notices.BALANCE_LOW({ level: figures.money(notice.level) });
  }
}

function Batches({ now }: { readonly now: AccountLive }) {
  const { start } = words.value;
  const columns: readonly Column<LiveBatch>[] = [
    {
      key: "created",
      title: start.created,
      label: start.created,
      cell: (row) => (
        <>
          <a href={`${HOME}/batches/${row.batch_id}`}>{figures.time(row.created_at)}</a>
          <span class="note">{row.reference}</span>
        </>
      ),
    },
    {
      key: "state",
      title: start.state,
      label: start.state,
      cell: ({ status }) => <StateBadge state={status} />,
    },
    {
      key: "messages",
      title: start.messages,
      label: start.messages,
      isNumber: true,
      cell: ({ total }) => figures.number(total),
    },
    { key: "progress", title: start.progress, label: start.progress, cell: (row) => <Bar row={row} /> },
  ];
  return (
    <Section title={start.today}>
      <Table
        caption={start.today}
        columns={columns}
        rows={now.batches}
        keyOf={({ batch_id }) => batch_id}
        empty={<Empty title={start.noBatches}>{start.noBatchesHelp}</Empty>}
      />
    </Section>
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
