/** Tables of the console, and the kinds of columns that they have. */
import type { ComponentChildren } from "preact";
import type { Problem } from "../api/client.ts";
import { figures, words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { ErrorBox } from "./error-box.tsx";
import { Section } from "./page.tsx";

export type Column<Row> = {
  readonly key: string;
  readonly title: ComponentChildren;
  /** The title as plain text, which stands beside the value on a telephone. */
  readonly label: string;
  readonly isNumber: boolean;
  readonly cell: (row: Row) => ComponentChildren;
};

/** The columns of a table; one that the reader may not see is false. */
export type Columns<Row> = readonly (Column<Row> | false)[];

type Cell<Row> = Column<Row>["cell"];

/** A column; `title` where its heading is more than the label. */
export function column<Row>(label: string, cell: Cell<Row>, title: ComponentChildren = label): Column<Row> {
  return { key: label, title, label, isNumber: false, cell };
}

/** A column of figures, which are aligned by their last digit. */
export function numberColumn<Row>(label: string, cell: Cell<Row>, title?: ComponentChildren): Column<Row> {
  return { ...column(label, cell, title), isNumber: true };
}

/** A column of whole numbers; a dash for null. */
export function countColumn<Row>(label: string, countOf: (row: Row) => number | null): Column<Row> {
  return numberColumn(label, (row) => orDash(countOf(row), figures.number));
}

/** A column of amounts in francs; a dash where there is none. */
export function moneyColumn<Row>(
  label: string,
  amountOf: (row: Row) => number | null | undefined,
): Column<Row> {
  return numberColumn(label, (row) => orDash(amountOf(row), figures.money));
}

/** A column of instants, each on one line; a dash for null. */
export function timeColumn<Row>(label: string, instantOf: (row: Row) => string | null): Column<Row> {
  return column(label, (row) => <span class="whole">{figures.time(instantOf(row))}</span>);
}

function orDash(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

type TableProps<Row> = {
  /** What the table shows, for whoever cannot see it. */
  readonly caption: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** What stands here while there is no row. */
  readonly empty?: ComponentChildren;
  /** Asks for the rows after the last one; absent where all are shown. */
  readonly onMore?: (() => void) | null;
  readonly isLoading?: boolean;
};

/** Rows and columns, read like print; on a telephone each row is a small card. The next page comes by cursor. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, keyOf, empty, onMore = null, isLoading = false } = props;
  const columns = props.columns.filter((one) => one !== false);
  if (rows.length === 0 && !isLoading) return <>{empty}</>;
  return (
    <div class="table">
      {/* The roles are said, for cards on a telephone would lose them. */}
      <table role="table" aria-busy={isLoading}>
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, title, isNumber }) => (
              <th key={key} role="columnheader" scope="col" class={isNumber ? "number" : undefined}>
                <div>{title}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ key, label, isNumber, cell }) => (
                <td key={key} role="cell" data-label={label} class={isNumber ? "number" : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {onMore && (
        <Button busy={isLoading} onPress={onMore}>
          {words.value.more}
        </Button>
      )}
    </div>
  );
}

type TableSectionProps<Row> = Omit<TableProps<Row>, "caption"> & {
  readonly title: string;
  readonly aside?: ComponentChildren;
  /** What stands above the table. */
  readonly children?: ComponentChildren;
};

/** A part of a page that is one table: its title is the table's caption too. */
export function TableSection<Row>({ title, aside, children, ...table }: TableSectionProps<Row>) {
  return (
    <Section title={title} aside={aside}>
      {children}
      <Table {...table} caption={title} />
    </Section>
  );
}

type ListTableProps<Row> = Omit<TableProps<Row>, "rows" | "onMore" | "isLoading"> & {
  /** As `useList` returns it. */
  readonly list: {
    readonly rows: readonly Row[];
    readonly problem: Problem | null;
    readonly isLoading: boolean;
    readonly more: (() => void) | null;
    readonly reload: () => unknown;
  };
  /** Why an action on a row was refused. */
  readonly failed?: Problem | null;
};

/** The table of a list that comes page by page, below what went wrong with it. */
export function ListTable<Row>({ list, failed = null, empty, ...table }: ListTableProps<Row>) {
  const { rows, problem, isLoading, more, reload } = list;
  return (
    <>
      <ErrorBox problem={failed ?? problem} onRetry={reload} />
      <Table {...table} rows={rows} isLoading={isLoading} onMore={more} empty={problem === null && empty} />
    </>
  );
}
