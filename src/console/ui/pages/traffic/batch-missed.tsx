import type { Contract } from "../../api/contract.ts";
import { Section } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { batchWords } from "../../words/batch.ts";
import { traffic } from "../../words/traffic.ts";
import { figures, labelled, rejectionWord } from "../../words/words.ts";
import { SendCorrected } from "../send/send-corrected.tsx";
import { withRepeats } from "../send/sum.ts";
import { titled } from "./parts.tsx";

type View = Contract["GET /batches/:batch"]["answer"];

/** Who got nothing of a batch, and why: who was rejected, and rows of its file that nobody could read. */
export function Missed({ view }: { readonly view: View }) {
  const { batches } = traffic.value;
  const { missedFileHelp, valuesHidden, valuesKept } = batchWords.value;
  const isOwn = me.value?.account != null;
  const reasons = withRepeats(view.rejections_by_reason, view.sent_already);
  const rejected = Object.entries(reasons).map(([why, count]) => ({ why, count }));
  const rows = view.unreadable > 0 ? [...rejected, { why: UNREADABLE, count: view.unreadable }] : rejected;
  return (
    <Section title={batches.missed}>
      <Table
        caption={batches.missed}
        columns={[
          {
            ...titled("why", batches.why),
            cell: ({ why }) => rejectionWord(why),
          },
          { ...titled("count", batches.count), isNumber: true, cell: ({ count }) => figures.number(count) },
        ]}
        rows={rows}
        keyOf={({ why }) => why}
        empty={<p class="note">{batches.noneMissed}</p>}
      />
      <Unreadable view={view} />
      <Repeated view={view} />
      {rows.length === 0 && view.family.length > 0 && <SendCorrected view={view} />}
      {rows.length > 0 && (
        <div class="stack">
          {!isOwn && <p class="note">{valuesHidden}</p>}
          <p>
            <a href={`${HOME}/api/batches/${view.batch_id}/left-out.csv`} download>
              {batches.missedFile}
            </a>
          </p>
          <p class="note">
            {isOwn && `${valuesKept} `}
            {missedFileHelp}
          </p>
          <SendCorrected view={view} />
        </div>
      )}
    </Section>
  );
}

const UNREADABLE = "UNREADABLE_ROW";

/** The first rows that repeat a number, each with the line that counted. */
function Repeated({ view }: { readonly view: View }) {
  const { batches } = traffic.value;
  const { repeated_rows: rows } = view;
  if (rows.length === 0) return null;
  const all = (view.rejections_by_reason.DUPLICATE_IN_BATCH ?? 0) + view.sent_already || rows.length;
  return (
    <details class="more" open>
      <summary>{figures.count(all, batchWords.value.repeated)}</summary>
      {rows.length < all && (
        <p class="note">{batches.unreadableFirst({ shown: figures.number(rows.length) })}</p>
      )}
      <ul>
        {rows.map(({ line, cause }) => (
          <li key={line}>{labelled(batches.line({ line: figures.number(line) }), cause)}</li>
        ))}
      </ul>
    </details>
  );
}

/** The first rows that nobody could read, each with its line in the file. */
function Unreadable({ view }: { readonly view: View }) {
  const { batches } = traffic.value;
  const { unreadable, unreadable_rows: rows } = view;
  if (rows.length === 0) return null;
  return (
    <details class="more">
      <summary>{figures.count(unreadable, batches.unreadable)}</summary>
      {rows.length < unreadable && (
        <p class="note">{batches.unreadableFirst({ shown: figures.number(rows.length) })}</p>
      )}
      <ul>
        {rows.map(({ line, cause }) => (
          <li key={line}>
            {labelled(
              batches.line({ line: figures.number(line) }),
              cause === "" ? rejectionWord(UNREADABLE) : cause,
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
