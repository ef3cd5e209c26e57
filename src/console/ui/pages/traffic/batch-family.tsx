import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { useRequest } from "../../state/use-answer.ts";
import { batchWords } from "../../words/batch.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { figures } from "../../words/words.ts";
import { toPlainColumn } from "./parts.tsx";

type View = Contract["GET /batches/:batch"]["answer"];
type Family = Pick<View, "batch_id" | "family">;
type Related = View["family"][number];

/** The row of the sums; every batch has an id. */
const SUM = "";

/** Which batch this one corrects. */
export function Corrects({ view: { batch_id: own, family } }: { readonly view: Family }) {
  const corrected = family.find(({ batch_id: id }) => id === own)?.corrects;
  const first = family.find(({ batch_id: id }) => id === corrected);
  if (!first) return null;
  return (
    <p>
      <a href={`${HOME}/batches/${first.batch_id}`}>
        {batchWords.value.corrects({ time: figures.time(first.created_at) })}
      </a>
    </p>
  );
}

/** How many texts there are of batches that correct this one, or a correction of it, but for those that were called off; null: none. */
export function sentSince({ batch_id: own, family }: Family): string | null {
  const later = new Set([own]);
  let sent = 0;
  // They stand in the order in which they were sent: a correction stands behind what it corrects.
  for (const { batch_id: id, corrects, accepted, cancelled } of family) {
    if (corrects === null || !later.has(corrects)) continue;
    later.add(id);
    sent += accepted - cancelled;
  }
  return sent === 0 ? null : figures.count(sent, batchWords.value.sentSince);
}

/** The same on the page of the batch; how many people were never sent to is worked out behind it, anew once more of it has ended. */
export function FamilyOfBatch({ view }: { readonly view: Family }) {
  const { batch_id: batch, family } = view;
  const ended = family.filter(
    ({ accepted, delivered, failed, cancelled }) => accepted === delivered + failed + cancelled,
  );
  const { value } = useRequest(`people ${batch} ${family.length} ${ended.length}`, async () =>
    family.length === 0 ? ALONE : callApi("GET /batches/:batch/people", { params: { batch } }),
  );
  return <FamilyTable view={view} neverSent={value?.together?.never_sent ?? null} hasLink />;
}

const ALONE = { ok: true, value: { together: null } } as const;

type FamilyTableProps = {
  readonly view: Family;
  /** People of all of them to whom nothing was ever sent, where that was worked out. */
  readonly neverSent: number | null;
  /** Whether it leads to who they are. */
  readonly hasLink?: boolean;
};

/** A batch with all that it corrects and that correct it, and what they come to together; nothing where it is alone. */
export function FamilyTable({
  view: { batch_id: own, family },
  neverSent,
  hasLink = false,
}: FamilyTableProps) {
  const words = batchWords.value;
  if (family.length === 0) return null;
  return (
    <Section title={words.family}>
      <Table
        caption={words.family}
        columns={columnsOf(own, family, neverSent)}
        rows={[...family, sumOf(family)]}
        keyOf={({ batch_id: id }) => id}
        empty={null}
      />
      <p class="note">{words.sumHelp}</p>
      {hasLink && (
        <p>
          <a href={`${HOME}/batches/${own}/report`}>{words.howMany}</a>
        </p>
      )}
    </Section>
  );
}

function columnsOf(
  own: string,
  family: readonly Related[],
  neverSent: number | null,
): readonly Column<Related>[] {
  const words = batchReportWords.value;
  const number = (key: "accepted" | "delivered" | "failed"): Column<Related> => ({
    ...toPlainColumn(key, words[key]),
    isNumber: true,
    cell: (row) => figures.number(row[key]),
  });
  return [
    { ...toPlainColumn("sent", words.sentAt), cell: (row) => <WhichOne row={row} own={own} /> },
    ...(["accepted", "delivered", "failed"] as const).map(number),
    {
      ...toPlainColumn("left", words.notSent),
      isNumber: true,
      cell: ({ batch_id: id, left }) => {
        if (id !== SUM) return figures.number(left);
        // No sum of what stands above: rows come back, and repeats are nobody.
        return neverSent === null ? "–" : figures.count(neverSent, batchWords.value.stillUnsent);
      },
    },
    ...(family.some(({ amount }) => amount === null)
      ? []
      : [
          {
            ...toPlainColumn("amount", words.charged),
            isNumber: true,
            cell: ({ amount }: Related) => figures.money(amount ?? 0),
          },
        ]),
  ];
}

function WhichOne({ row, own }: { readonly row: Related; readonly own: string }) {
  const words = batchWords.value;
  if (row.batch_id === SUM) return <strong>{words.sum}</strong>;
  const time = figures.time(row.created_at);
  const notes = [row.corrects === null ? words.firstOne : "", row.batch_id === own ? words.thisOne : ""];
  return (
    <>
      {row.batch_id === own ? time : <a href={`${HOME}/batches/${row.batch_id}`}>{time}</a>}
      <span class="note">{notes.filter((note) => note !== "").join(", ")}</span>
    </>
  );
}

function sumOf(family: readonly Related[]): Related {
  const sum = (of: (row: Related) => number): number => family.reduce((all, row) => all + of(row), 0);
  return {
    batch_id: SUM,
    corrects: null,
    created_at: "",
    client_reference: null,
    left: 0,
    accepted: sum(({ accepted }) => accepted),
    delivered: sum(({ delivered }) => delivered),
    failed: sum(({ failed }) => failed),
    cancelled: sum(({ cancelled }) => cancelled),
    amount: sum(({ amount }) => amount ?? 0),
  };
}
