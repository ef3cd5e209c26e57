/** Console page of margins: what accounts were charged beside what routes cost, by route, account, operator, class or day. */
import type { Query } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  column,
  countColumn,
  Empty,
  ErrorBox,
  Filter,
  FilterBar,
  filter,
  Note,
  Page,
  PeriodFilter,
  periodAsked,
  Section,
  Stat,
  Stats,
  Table,
  TableSection,
  Term,
  toOptions,
} from "../../kit/kit.ts";
import { PERIODS } from "../../state/period.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { margin } from "../../words/margin.ts";
import { classWord, figures } from "../../words/words.ts";
import { marginColumns } from "./margin-columns.tsx";

type Report = Answer<"GET /reports/margin">;
type Row = Report["rows"][number];
type OpenOutcome = Report["unknown_outcomes"][number];
type Asked = Query<"GET /reports/margin">;
type Key = NonNullable<Asked["by"]>;

const KEYS: readonly Key[] = ["route", "account", "operator", "class", "day"];
const USUAL_PERIOD = "30d";

export function Margin() {
  const query: Asked = {
    by: KEYS.find((key) => key === filter("by")) ?? "route",
    ...periodAsked(USUAL_PERIOD),
  };
  const { value, problem, isLoading, reload } = useAnswer("GET /reports/margin", { query });
  const words = margin.value;
  return (
    <Page title={words.title}>
      <FilterBar>
        <Filter
          name="by"
          label={words.by}
          options={toOptions(KEYS, (key) => words.keys[key])}
          usual="route"
        />
        <PeriodFilter offered={PERIODS} usual={USUAL_PERIOD} />
      </FilterBar>
      <ErrorBox problem={problem} onRetry={reload} />
      {value && !problem && <Figures report={value} query={query} isLoading={isLoading} />}
    </Page>
  );
}

type FiguresProps = { readonly report: Report; readonly query: Asked; readonly isLoading: boolean };

function Figures({ report, query, isLoading }: FiguresProps) {
  const words = margin.value;
  const { by, from, to, timezone, rows, unknown_outcomes: open } = report;
  const isEmpty = rows.length === 0;
  return (
    <>
      {!isEmpty && <Totals report={report} />}
      {!isEmpty && <UnknownCost report={report} />}
      {isEmpty ? (
        <NothingBooked report={report} />
      ) : (
        <Section
          title={words.table}
          aside={
            <a class="button" href={fileOf(query)} download>
              {words.csv}
            </a>
          }
        >
          <Note>{words.span({ from, to, zone: timezone })}</Note>
          <Table
            caption={words.table}
            columns={marginColumns<Row>(words.keys[by], (row) => keyName(report, row))}
            rows={by === "day" ? rows.toReversed() : rows}
            keyOf={({ key }) => key ?? ""}
            isLoading={isLoading}
          />
        </Section>
      )}
      {open.length > 0 && (
        <TableSection
          title={words.openTitle}
          columns={[
            column<OpenOutcome>(words.openRoute, ({ operator, route }) =>
              route === "" ? words.lostRoute({ operator }) : `${operator}/${route}`,
            ),
            countColumn<OpenOutcome>(words.segments, ({ segments }) => segments),
          ]}
          rows={open}
          keyOf={({ operator, route }) => `${operator}/${route}`}
        >
          <Note>{words.openHelp}</Note>
        </TableSection>
      )}
    </>
  );
}

function Totals({ report: { totals } }: { readonly report: Report }) {
  const words = margin.value;
  const { glossary } = words;
  const unknown = totals.unknown_cost_segments;
  return (
    <Stats>
      <Stat
        label={<Term says={glossary.segments}>{words.segments}</Term>}
        value={totals.segments}
        note={unknown > 0 && words.unknownCost(unknown)}
      />
      <Stat
        label={<Term says={glossary.charged}>{words.charged}</Term>}
        value={figures.money(totals.charged)}
      />
      <Stat
        label={<Term says={glossary.cost}>{words.cost}</Term>}
        value={figures.exactMoney(totals.cost)}
        note={unknown > 0 && words.ofKnown}
      />
      <Stat
        label={<Term says={glossary.margin}>{words.margin}</Term>}
        value={totals.margin === null ? words.notKnown : figures.exactMoney(totals.margin)}
        isText={totals.margin === null}
        note={totals.margin_share !== null && figures.share(totals.margin_share)}
      />
    </Stats>
  );
}

/** SMS of unknown cost, which no margin counts as free, and the routes whose cost is to be set. */
function UnknownCost({ report: { totals, without_cost: routes } }: { readonly report: Report }) {
  const words = margin.value;
  const unknown = totals.unknown_cost_segments;
  if (unknown === 0) return null;
  return (
    <div class="notice">
      <p class="notice-title">{words.unknownTitle(unknown)}</p>
      <p>{routes.length === 0 ? words.unknownNow : words.unknownHelp}</p>
      <RouteSettings routes={routes} />
    </div>
  );
}

/** What to set where there is no figure: routes, their cost, or another period. */
function NothingBooked({ report }: { readonly report: Report }) {
  const words = margin.value;
  const { has_routes: hasRoutes, without_cost: routes } = report;
  if (hasRoutes && routes.length === 0) return <Empty title={words.none}>{words.noneHelp}</Empty>;
  return (
    <Empty
      title={hasRoutes ? words.noCost : words.noRoutes}
      below={
        <>
          <RouteSettings routes={routes} />
          {may("operators.read") && (
            <a class="button" href={`${HOME}/operators`}>
              {words.toOperators}
            </a>
          )}
        </>
      }
    >
      {hasRoutes ? words.noCostHelp : words.noRoutesHelp}
    </Empty>
  );
}

/** The keys of the configuration that hold the costs of routes. */
function RouteSettings({ routes }: { readonly routes: readonly string[] }) {
  if (routes.length === 0) return null;
  return (
    <ul>
      {routes.map((code) => (
        <li key={code}>
          <code>{`operators.${code.replace("/", ".routes.")}.cost`}</code>
        </li>
      ))}
    </ul>
  );
}

function keyName({ by, operators }: Report, { key, account }: Row): string {
  const words = margin.value;
  switch (by) {
    case "account":
      return key === null ? words.nobody : account || key;
    case "class":
      return key === null ? "–" : classWord(key);
    case "day":
      return key === null ? "–" : figures.day(key);
    case "operator":
      return operators.find(({ code }) => code === key)?.name ?? key ?? "–";
    case "route":
      return key === null || key.includes("/") ? (key ?? "–") : words.noRoute({ name: key });
  }
}

/** The address of the same figures as a file. */
function fileOf(query: Asked): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/console/api/reports/margin.csv?${new URLSearchParams(given)}`;
}
