import { useEffect, useRef } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Filter, FilterBar } from "../../kit/filter-bar.tsx";
import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { useRequest } from "../../state/use-answer.ts";
import { rowWords } from "../../words/rows.ts";
import { figures } from "../../words/words.ts";
import { CorrectedSince } from "./corrected-since.tsx";
import { filter, toPlainColumn } from "./parts.tsx";

type BatchWithRows = Contract["GET /batches/:batch"]["answer"];
type Row = Contract["GET /batches/:batch/rows"]["answer"]["rows"][number];

/** The rows of a batch that nothing was sent for, with a box to look for one of them by what somebody says who calls. */
export function BatchRows({ view }: { readonly view: BatchWithRows }) {
  const { batch_id: batch, rejected, unreadable, sent_already: back } = view;
  const sought = filter("row");
  const all = rejected + unreadable + back;
  const { value, problem, isLoading } = useRequest(`${batch} ${all} ${sought}`, () =>
    callApi("GET /batches/:batch/rows", {
      params: { batch },
      query: sought === undefined ? {} : { row: sought },
    }),
  );
  // Who comes by the search wants this list, which stands far down.
  const place = useRef<HTMLDivElement>(null);
  const isThere = value !== null;
  useEffect(() => {
    if (isThere && sought !== undefined) place.current?.scrollIntoView();
  }, [isThere]);
  const words = rowWords.value;
  const rows = value?.rows ?? [];
  const isRead = value?.reads_values === true;
  return (
    <div ref={place}>
      <Section title={words.title}>
        <p class="note">{isRead ? words.helpValues : words.help}</p>
        <FilterBar of={words.title}>
          <Filter
            name="row"
            label={value && !isRead ? words.soughtNumber : words.sought}
            input={{ maxLength: 100 }}
          />
        </FilterBar>
        {value && !isRead && <p class="note">{words.hidden}</p>}
        {problem && <ErrorBox problem={problem} />}
        <Table
          caption={words.title}
          columns={columnsOf(isRead)}
          rows={rows}
          keyOf={({ line, index }) => `${line} ${index}`}
          isLoading={isLoading}
          empty={problem ? null : <p class="note">{isRead ? words.none : words.noneOfNumbers}</p>}
        />
        {value?.is_more && <p class="note">{words.more({ shown: figures.number(rows.length) })}</p>}
      </Section>
    </div>
  );
}

function columnsOf(isRead: boolean): readonly Column<Row>[] {
  const words = rowWords.value;
  return [
    {
      ...toPlainColumn("line", words.line),
      isNumber: true,
      cell: ({ line }) => (line === null ? "–" : figures.number(line)),
    },
    {
      ...toPlainColumn("number", words.number),
      cell: ({ written, client_reference: reference }) => (
        <>
          {written}
          {reference !== null && <span class="note">{reference}</span>}
        </>
      ),
    },
    ...(isRead
      ? [
          {
            ...toPlainColumn("values", words.values),
            cell: ({ values }: Row) => Object.values(values ?? {}).join(" · "),
          },
        ]
      : []),
    {
      ...toPlainColumn("why", words.why),
      cell: ({ why, corrected }) => (
        <>
          {figures.saying(why)}
          {corrected && <CorrectedSince by={corrected} />}
        </>
      ),
    },
  ];
}
