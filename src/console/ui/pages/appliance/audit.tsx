import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { type Column, Empty, ErrorBox, Filter, FilterBar, Page, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { useList } from "../../state/use-answer.ts";
import { appliance } from "../../words/appliance.ts";
import { figures } from "../../words/words.ts";
import { filtersNamed, titled } from "../traffic/parts.tsx";

type View = Contract["GET /audit"]["answer"];
type Row = View["entries"][number];

/** Who did what, newest first; an account's administrators see what concerns their account. */
export function Audit() {
  const { asked, key } = filtersNamed("actor", "action", "account", "from", "to");
  const { rows, page, problem, isLoading, more, reload } = useList<Row, View>({
    key,
    load: (before) => ask("GET /audit", { query: { ...asked, ...(before === undefined ? {} : { before }) } }),
    rowsOf: ({ entries }) => entries,
    nextOf: ({ next }) => next,
  });
  const { audit: words } = appliance.value;
  const file = new URLSearchParams(asked).toString();
  const back = page?.next === null ? page.searched_back_to : null;
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
        <Filter name="action" label={words.action} />
        {me.value?.account === null && <Filter name="account" label={words.account} />}
        <Filter name="from" label={words.from} />
        <Filter name="to" label={words.to} />
      </FilterBar>
      {problem && <ErrorBox problem={problem} onRetry={reload} />}
      <Table
        caption={words.title}
        columns={columnsOf()}
        rows={rows.map((row, place) => ({ ...row, place }))}
        keyOf={({ at, place }) => `${at} ${place}`}
        isLoading={isLoading}
        onMore={more}
        empty={problem ? null : <Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      {back !== null && <p class="note">{words.back(figures.time(back))}</p>}
    </Page>
  );
}

function columnsOf(): readonly Column<Row & { readonly place: number }>[] {
  const { audit: words } = appliance.value;
  return [
    { ...titled("at", words.at), cell: ({ at }) => figures.time(at) },
    { ...titled("actor", words.actor), cell: ({ actor }) => actor ?? words.theirs },
    {
      ...titled("action", words.action),
      cell: ({ action, subject }) => (
        <>
          {action}
          <span class="note">{subject}</span>
        </>
      ),
    },
    { ...titled("address", words.address), cell: ({ address }) => address ?? words.command },
    {
      ...titled("detail", words.detail),
      cell: ({ detail }) => <span class="note">{detailText(detail)}</span>,
    },
  ];
}

function detailText(detail: Row["detail"]): string {
  return Object.entries(detail)
    .filter(([name]) => name !== "request_id")
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}
