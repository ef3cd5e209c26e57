/** A batch and the batches that correct it, or that it corrects: how many texts each of them sent, and their sum. */
import type { Answer } from "../../api/contract.ts";
import {
  type Column,
  type Columns,
  column,
  countColumn,
  moneyColumn,
  numberColumn,
  Section,
  Table,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { batchWords } from "../../words/batch.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { figures } from "../../words/words.ts";

type View = Answer<"GET /batches/:batch">;
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
        {batchWords.value.corrects({ time: first.created_at })}
      </a>
    </p>
  );
}

/** Counts the texts of batches that correct this one, or a correction of it, without cancelled ones; null: none. */
export function sentSince({ batch_id: own, family }: Family): string | null {
  const later = new Set([own]);
  let sent = 0;
  // In sending order: a correction stands behind what it corrects.
  for (const { batch_id: id, corrects, accepted, cancelled } of family) {
    if (corrects === null || !later.has(corrects)) continue;
    later.add(id);
    sent += accepted - cancelled;
  }
  return sent === 0 ? null : batchWords.value.sentSince(sent);
}

/** The same on the page of the batch; people never sent to are counted after it, anew once more of it has ended. */
export function FamilyOfBatch({ view }: { readonly view: Family }) {
  const { batch_id: batch, family } = view;
  const ended = family.filter(
    ({ accepted, delivered, failed, cancelled }) => accepted === delivered + failed + cancelled,
  );
  const { value } = useAnswer(
    "GET /batches/:batch/people",
    family.length === 0 ? null : { params: { batch } },
    `${family.length} ${ended.length}`,
  );
  return <FamilyTable view={view} neverSent={value?.together?.never_sent ?? null} hasLink />;
}

type FamilyTableProps = {
  readonly view: Family;
  /** People of all of them to whom nothing was ever sent, where that was counted. */
  readonly neverSent: number | null;
  /** Whether it links to the people. */
  readonly hasLink?: boolean;
};

/** A batch with all that it corrects and that correct it, and their total; nothing where it is alone. */
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

function columnsOf(own: string, family: readonly Related[], neverSent: number | null): Columns<Related> {
  const words = batchReportWords.value;
  const number = (key: "accepted" | "delivered" | "failed"): Column<Related> =>
    countColumn(words[key], (row) => row[key]);
  return [
    column(words.sentAt, (row) => <WhichOne row={row} own={own} />),
    ...(["accepted", "delivered", "failed"] as const).map(number),
    numberColumn(words.notSent, ({ batch_id: id, left }) => {
      if (id !== SUM) return figures.number(left);
      // No sum of the rows above: rows come back, and repeats are nobody.
      return neverSent === null ? "–" : batchWords.value.stillUnsent(neverSent);
    }),
    !family.some(({ amount }) => amount === null) && moneyColumn(words.charged, ({ amount }) => amount ?? 0),
  ];
}

function WhichOne({ row, own }: { readonly row: Related; readonly own: string }) {
  const words = batchWords.value;
  if (row.batch_id === SUM) return <strong>{words.sum}</strong>;
  const time = figures.time(row.created_at);
  const notes = [row.corrects === null ? words.firstOne : "", row.batch_id === own ? words.thisOne : ""];
  return (
    <WithNote note={notes.filter((note) => note !== "").join(", ")}>
      {row.batch_id === own ? time : <a href={`${HOME}/batches/${row.batch_id}`}>{time}</a>}
    </WithNote>
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
