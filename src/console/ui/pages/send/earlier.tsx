import { Button } from "../../kit/button.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { earlierWords } from "../../words/earlier.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { change, form } from "./form.ts";
import type { ShownQuote } from "./use-quote.ts";

type Earlier = NonNullable<ShownQuote["earlier"]>;
type Served = Earlier["served"]["first"][number];
type Props = { readonly earlier: Earlier };

/** Corrected rows beside the batches that they come from, before anything is paid: who got nothing, who was served, who failed. */
export function Earlier({ earlier }: Props) {
  const words = earlierWords.value;
  return (
    <>
      <p class="note">{comparedWith(earlier)}</p>
      {earlier.forgotten > 0 && <p class="notice">{figures.count(earlier.forgotten, words.forgotten)}</p>}
      <p class="sum">{figures.count(earlier.fresh, words.fresh)}</p>
      {earlier.unlocked > 0 && <p class="sum">{figures.count(earlier.unlocked, words.unlocked)}</p>}
      {earlier.served.rows > 0 && <ServedBefore earlier={earlier} />}
      {earlier.failed.rows > earlier.failed.lasting && <FailedForNow earlier={earlier} />}
      {earlier.failed.lasting > 0 && <FailedForGood earlier={earlier} />}
    </>
  );
}

/** With which batches: rows that one of them reached are told. */
function comparedWith({ batches }: Earlier): string {
  const { compared, comparedAll } = earlierWords.value;
  const [first = "", ...others] = batches.map(({ created_at: at }) => figures.time(at));
  return others.length === 0 ? compared({ first }) : comparedAll({ first, others: others.join(", ") });
}

function ServedBefore({ earlier: { served, batches } }: Props) {
  const words = earlierWords.value;
  const { sendsServed } = form.value;
  const columns: readonly Column<Served>[] = [
    { ...titled("line", sending.value.recipients.line), cell: ({ line }) => figures.number(line) },
    { ...titled("number", words.number), cell: ({ msisdn }) => msisdn },
    { ...titled("became", words.became), cell: (row) => becameOf(row, batches) },
  ];
  return (
    <div class="notice">
      <p class="notice-title">{figures.count(served.rows, words.served)}</p>
      <p>{sendsServed ? words.servedSent : words.servedLeft}</p>
      {served.first.length < served.rows && (
        <p class="note">{words.servedFirst({ shown: figures.number(served.first.length) })}</p>
      )}
      <Table
        caption={words.servedCaption}
        columns={columns}
        rows={served.first}
        keyOf={({ line }) => String(line)}
        empty={null}
      />
      <Button onPress={() => change({ sendsServed: !sendsServed })}>
        {sendsServed ? words.leaveServed : words.sendServed}
      </Button>
    </div>
  );
}

/** What became of a number, and in which batch where there are several. */
function becameOf({ state, batch }: Served, batches: Earlier["batches"]): string {
  const { states, inBatch } = earlierWords.value;
  const word = states[state] ?? state;
  return batches.length > 1
    ? inBatch({ state: word, time: figures.time(batches[batch]?.created_at ?? "") })
    : word;
}

function FailedForNow({ earlier: { failed } }: Props) {
  const words = earlierWords.value;
  const { sendsFailed } = form.value;
  return (
    <div class="notice">
      <p class="notice-title">{figures.count(failed.rows - failed.lasting, words.failed)}</p>
      <Causes failed={failed} isPassing={true} />
      <p>{sendsFailed ? words.failedSent : words.failedLeft}</p>
      <Button onPress={() => change({ sendsFailed: !sendsFailed })}>
        {sendsFailed ? words.leaveFailed : words.sendFailed}
      </Button>
    </div>
  );
}

/** Another try changes nothing for them, and would be paid: they are left out unless somebody says otherwise. */
function FailedForGood({ earlier: { failed } }: Props) {
  const words = earlierWords.value;
  const { sendsLasting } = form.value;
  return (
    <div class="notice">
      <p class="notice-title">{figures.count(failed.lasting, words.lasting)}</p>
      <Causes failed={failed} isPassing={false} />
      <p>{sendsLasting ? words.lastingSent : words.lastingLeft}</p>
      <Button onPress={() => change({ sendsLasting: !sendsLasting })}>
        {sendsLasting ? words.leaveLasting : words.sendLasting}
      </Button>
    </div>
  );
}

function Causes({ failed, isPassing }: Pick<Earlier, "failed"> & { readonly isPassing: boolean }) {
  const words = earlierWords.value;
  const causes = failed.causes.filter((cause) => cause.is_passing === isPassing);
  return (
    <ul>
      {causes.map(({ code, detail, rows }) => (
        <li key={code}>{words.cause({ cause: detail.replace(/\.$/, ""), rows: figures.number(rows) })}</li>
      ))}
    </ul>
  );
}
