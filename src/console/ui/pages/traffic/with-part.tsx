import { useEffect } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { useRequest } from "../../state/use-answer.ts";
import { rowWords } from "../../words/rows.ts";
import { figures } from "../../words/words.ts";

type PartMatchQuery = Contract["GET /messages-with-part"]["query"];
type PartMatchEntry = Contract["GET /messages-with-part"]["answer"]["messages"][number];

export type LookedFor = { readonly typed: string; readonly hasFound: boolean };

type PartMatchProps = {
  readonly asked: PartMatchQuery;
  readonly columns: readonly Column<PartMatchEntry>[];
  /** Told of what was typed whether messages to it were found, once that is known. */
  readonly onLooked: (looked: LookedFor) => void;
};

/** "It ends in 9003": messages to numbers that hold what was typed, among the last ones. Nothing of what is no part of a number. */
export function WithPart({ asked, columns, onLooked }: PartMatchProps) {
  const { value, problem, isLoading } = useRequest(JSON.stringify(asked), () =>
    callApi("GET /messages-with-part", { query: asked }),
  );
  const hasFound = (value?.messages.length ?? 0) > 0;
  useEffect(() => {
    if (!isLoading) onLooked({ typed: asked.typed, hasFound });
  }, [isLoading, hasFound, asked.typed]);
  const words = rowWords.value;
  // What is no part of a number is told beside the field already.
  if (problem) return problem.status === 422 ? null : <ErrorBox problem={problem} />;
  if (value === null) return null;
  const looked = figures.number(value.looked);
  return (
    <Section title={words.part({ typed: asked.typed })}>
      <p class="note">{value.is_all ? words.partHelpAll({ looked }) : words.partHelp({ looked })}</p>
      <Table
        caption={words.part({ typed: asked.typed })}
        columns={columns}
        rows={value.messages}
        keyOf={({ message_id }) => message_id}
        empty={<p class="note">{words.partNone}</p>}
      />
      {value.is_more && (
        <p class="note">{words.partMore({ shown: figures.number(value.messages.length) })}</p>
      )}
    </Section>
  );
}
