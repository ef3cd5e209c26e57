/** Rows of a file that are no recipients, on their way to who takes the batch: before its body, and no part of it. */
import { Type as t } from "typebox";
import { Value } from "typebox/value";
import type { ImportRow, NewImport, RowCause } from "../../base/import-row.ts";
import type { Attachment } from "../command.ts";

/** A row that nobody could read, as far as it goes over. */
type LeftOutRow = Pick<ImportRow, "line" | "written" | "cells" | "client_reference"> & {
  readonly cause: ImportRow["cause"];
};

/** What a file has that is left out: how many rows, and the first of them. */
export type LeftOut = { readonly count: number; readonly rows: readonly LeftOutRow[] };

/** No JSON begins with it. Behind it stands a line of JSON, and then the body. */
const MARK = "#";
const LINE_END = 0x0a;

/** A body with the rows that were left out of it. */
export function withLeftOut(body: Attachment, leftOut: LeftOut): Attachment {
  if (leftOut.count === 0) return body;
  const head = new TextEncoder().encode(`${MARK}${JSON.stringify(leftOut)}\n`);
  const whole = new Uint8Array(head.byteLength + body.byteLength);
  whole.set(head);
  whole.set(body, head.byteLength);
  return whole;
}

/** What was put together so; of what is not, all is the body. `soughtBy`: the number that a row may be looked for by. */
export function leftOutOf(
  brought: Attachment,
  soughtBy: (written: string) => string | null,
): { readonly body: Attachment; readonly file: NewImport | null } {
  const end = brought[0] === MARK.charCodeAt(0) ? brought.indexOf(LINE_END) : -1;
  const leftOut = end < 0 ? null : leftOutIn(new TextDecoder().decode(brought.subarray(1, end)));
  if (leftOut === null) return { body: brought, file: null };
  const rows = leftOut.rows.map(
    ({ line, written, cause, cells, client_reference }): ImportRow => ({
      line,
      status: "UNREADABLE",
      cause,
      position: null,
      written,
      msisdn: soughtBy(written),
      cells,
      client_reference,
      of: null,
    }),
  );
  return {
    body: brought.slice(end + 1),
    file: { ulid: null, lines: null, leftOut: leftOut.count, rows },
  };
}

const LEFT_OUT = t.Object({
  count: t.Integer({ minimum: 0 }),
  rows: t.Array(
    t.Object({
      line: t.Integer({ minimum: 1 }),
      written: t.String(),
      cause: t.Unsafe<RowCause>(t.Object({ code: t.String(), params: t.Record(t.String(), t.Unknown()) })),
      cells: t.Union([t.Record(t.String(), t.String()), t.Null()]),
      client_reference: t.Union([t.String(), t.Null()]),
    }),
  ),
});

function leftOutIn(line: string): LeftOut | null {
  try {
    const read: unknown = JSON.parse(line);
    return Value.Check(LEFT_OUT, read) ? read : null;
  } catch {
    return null;
  }
}
