/**
 * Preview of an uploaded recipient file: its columns and first rows, which column has the numbers, and each unreadable row
 * with its cause.
 */
import { Choice, type Column, column, Notice, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { form, toQueryText } from "./form.ts";
import { chooseInFile, type UploadPreview } from "./upload.ts";

const FEW_COLUMNS = 6;

export function FilePreview({ look }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  const { bad } = look;
  return (
    <>
      {look.column === null ? (
        <p class="error">{words.askColumn}</p>
      ) : (
        <p class="found">
          <strong>{words.found(look.recipients)}</strong>
          {bad > 0 && <> · {words.bad(bad)}</>}
        </p>
      )}
      {look.titles !== null && (
        <p class="note">{words.titles(look.titles.count, { text: look.titles.text })}</p>
      )}
      <div class="narrow choices">
        {look.sheets.length > 1 && <SheetChoice look={look} />}
        {isHeadingUnclear(look) && <HeadingChoice look={look} />}
        {look.headings.length > 1 && <ColumnChoice look={look} />}
      </div>
      {look.headings.length > 1 && <Samples look={look} />}
      <NumberWarnings look={look} />
      {bad > 0 && <BadRows look={look} />}
    </>
  );
}

function ColumnChoice({ look }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  const none = { value: "", label: words.columnUnknown };
  const options = look.headings.map((heading, place) => ({
    value: String(place),
    label: look.isHeadless || heading === "" ? words.columnNth({ place: place + 1 }) : heading,
  }));
  return (
    <Choice
      label={words.column}
      value={look.column === null ? "" : String(look.column)}
      options={look.column === null ? [none, ...options] : options}
      onValue={(value) => value !== "" && void chooseInFile({ column: Number(value) })}
    />
  );
}

function SheetChoice({ look }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  return (
    <Choice
      label={words.sheet}
      value={String(look.sheet)}
      options={look.sheets.map((name, place) => ({ value: String(place), label: name }))}
      onValue={(value) => void chooseInFile({ sheet: Number(value) })}
    />
  );
}

/** Whether another row than the first has the headings, or none may be the one. */
function isHeadingUnclear({ titles, column: numbers, first_rows: rows }: UploadPreview): boolean {
  return rows.length > 1 && (titles !== null || numbers === null || form.value.headingRow !== null);
}

/** The headings are to be found again by what stands in the rows. */
const FOUND = "found";
/** As much of a row as tells it from others. */
const MAX_ROW_LENGTH = 60;

function HeadingChoice({ look }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  const { heading_row: row } = look;
  const rows = look.first_rows.map(({ line, text }) => ({
    value: String(line),
    label: words.headingRowNth({ line, text: text.slice(0, MAX_ROW_LENGTH) }),
  }));
  return (
    <Choice
      label={words.headingRow}
      value={row === null ? "" : String(row)}
      options={[
        ...(row === null ? [{ value: "", label: words.noHeadings }] : []),
        ...rows,
        ...(form.value.headingRow === null ? [] : [{ value: FOUND, label: words.headingsFound }]),
      ]}
      onValue={(value) =>
        value !== "" && void chooseInFile({ headingRow: value === FOUND ? null : Number(value) })
      }
    />
  );
}

type Sample = { readonly key: string; readonly cells: readonly string[] };

function Samples({ look }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  const columns = look.headings.slice(0, FEW_COLUMNS).map((heading, place): Column<Sample> => {
    const name = look.isHeadless || heading === "" ? words.columnNth({ place: place + 1 }) : heading;
    // Headings of a file may be the same.
    return { ...column(name, ({ cells }) => cells[place] ?? ""), key: String(place) };
  });
  const rows = look.samples.map((cells, at) => ({ key: String(at), cells }));
  return (
    <details class="more">
      <summary>{words.samples}</summary>
      <Table caption={words.samples} columns={columns} rows={rows} keyOf={({ key }) => key} />
    </details>
  );
}

/** What a spreadsheet did to numbers, and what to do about it. */
export function NumberWarnings({ look: { shortened, zeroless } }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  return (
    <>
      {shortened > 0 && (
        <Notice title={words.excel}>
          <p>
            {words.shortened(shortened)} {words.excelHelp}
          </p>
        </Notice>
      )}
      {zeroless > 0 && (
        <Notice title={words.zero(zeroless)}>
          <p>{words.zeroHelp}</p>
        </Notice>
      )}
    </>
  );
}

function BadRows({ look }: { readonly look: UploadPreview }) {
  const { recipients: words } = sending.value;
  const { account, file } = form.value;
  const title = words.badTitle;
  return (
    <details class="more" open={look.bad <= 10}>
      <summary>{title}</summary>
      {look.bad > SHOWN && <p class="note">{words.badMore({ shown: SHOWN })}</p>}
      <Table<UploadPreview["bad_rows"][number]>
        caption={title}
        columns={[
          column(words.line, ({ line }) => figures.number(line)),
          column(words.why, ({ cause }) => cause),
        ]}
        rows={look.bad_rows.slice(0, SHOWN)}
        keyOf={({ line }) => line}
      />
      {account !== null && file !== null && (
        <p>
          <a
            href={`${HOME}/api/send/${account}/files/${file.id}/left-out.csv${toQueryText(form.value)}`}
            download
          >
            {words.badFile}
          </a>
        </p>
      )}
    </details>
  );
}

const SHOWN = 20;
