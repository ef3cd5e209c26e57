import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

export type Column<Row> = {
  readonly key: string;
  readonly title: ComponentChildren;
  /** The title as plain text, which stands beside the value on a telephone. */
  readonly label: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
};

type TableProps<Row> = {
  /** What the table shows, for whoever cannot see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands here while there is no row. */
  readonly empty: ComponentChildren;
  /** Asks for the rows after the last one; absent where all are shown. */
  readonly onMore?: (() => void) | null;
  readonly isLoading?: boolean;
};

/** Rows and columns, read like print; on a telephone each row is a small card. The next page comes by cursor. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, empty, onMore = null, isLoading = false } = props;
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
                {title}
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
