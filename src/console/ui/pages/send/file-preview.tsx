/**
 * Preview of an uploaded recipient file: its columns and first rows, which column has the numbers, and each unreadable row
 * with its cause.
 */
import { Choice, type Column, column, Notice, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { form } from "./form.ts";
import { refreshPreview, type UploadPreview } from "./upload.ts";

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
      {look.headings.length > 1 && <ColumnChoice look={look} />}
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
    <div class="narrow">
      <Choice
        label={words.column}
        value={look.column === null ? "" : String(look.column)}
        options={look.column === null ? [none, ...options] : options}
        onValue={(value) => value !== "" && void refreshPreview(Number(value))}
      />
    </div>
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
  const { account, file, column: numbers } = form.value;
  const query = numbers === null ? "" : `?column=${numbers}`;
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
          <a href={`${HOME}/api/send/${account}/files/${file.id}/left-out.csv${query}`} download>
            {words.badFile}
          </a>
        </p>
      )}
    </details>
  );
}

const SHOWN = 20;
