/** The rows of people of a file and its corrections, as far as anything is kept of them. */
import { batchWritten } from "../../messages/batches.ts";
import { fileLinesOf } from "../../messages/file-lines.ts";
import { textsOf } from "../../messages/tries.ts";
import { illegibleAt } from "../../messages/unreadable-rows.ts";
import { writtenIn } from "../../operations/batch-text.ts";
import type { PeopleOfFamily } from "../../reports/family-people.ts";
import { compileTemplate, type Template } from "../../text/template.ts";
import { valuesIn } from "../../text/values-in.ts";
import { type Asked, readsTexts } from "./asked.ts";
import type { FamilyPerson } from "./family-person.ts";
import { type FileLine, firstLines } from "./first-lines.ts";

/** The row of the try that counts. */
export type RowOfPerson = {
  /** As it stood there where nobody could read it, else in E.164; null where nobody knows. */
  readonly number: string | null;
  /** Where it stood in the first file that is known to have it: that of its batch, or an earlier one; null where nobody knows. */
  readonly line: number | null;
  /** What the tags of the text were or would have been filled in with; null: nothing, nobody can tell, or not for this reader. */
  readonly values: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
  readonly batch_id: string;
  /** What was sent; null where nothing was, it is kept no longer, or not for this reader. */
  readonly text: string | null;
};

type Values = Readonly<Record<string, string>>;

type KnownRows = {
  /** The rows of some people, in their order; at most as many as one page has. */
  readonly known: (people: readonly FamilyPerson[]) => readonly RowOfPerson[];
  /** What the texts of the family ask for, each once. */
  readonly tags: readonly string[];
  readonly reads_values: boolean;
};

export function knownRows(asked: Asked, { batches }: PeopleOfFamily): KnownRows {
  const { read } = asked.context.store;
  const reads_values = readsTexts(asked);
  const templates: readonly Template[] = batches.map(({ id }) => {
    const { body, otherTags } = batchWritten(read, writtenIn(read, id));
    return compileTemplate(body, otherTags);
  });
  const tags = [...new Set(templates.flatMap((one) => one.tags.map((tag) => tag.normalize("NFC"))))];
  const lines = batches.map(({ id }) => fileLinesOf(read, id));
  const firstOf = firstLines(read, batches);
  const placeOf = ({ batch, position, first, row }: FamilyPerson): FileLine | null => {
    const tried = [{ batch, line: row?.line ?? lineIn(lines, batch, position) }];
    if (first) tried.push({ batch: first.batch, line: lineIn(lines, first.batch, first.position) });
    const [found] = tried.flatMap(({ line, ...at }) => (line === null ? [] : [{ ...at, line }]));
    return found ? firstOf(found) : null;
  };
  /** What stood beside a number that nobody could read; where the list that came back had nothing there, what the first file had. */
  const valuesOf = (row: FamilyPerson["row"], place: FileLine | null): Values | null => {
    const own = row?.attributes ?? null;
    if (row === null || place === null || Object.values(own ?? {}).some((value) => value.trim() !== ""))
      return own;
    const at = batches[place.batch];
    return (at && illegibleAt(read, at.id, place.line)?.attributes) ?? own;
  };
  const known = (people: readonly FamilyPerson[]): readonly RowOfPerson[] => {
    const ids = people.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
    const said = new Map(textsOf(read, ids).map((one) => [one.messageId, one]));
    return people.map((person) => {
      const { batch, row, msisdn, messageId, reference } = person;
      const place = placeOf(person);
      const one = messageId === null ? undefined : said.get(messageId);
      const text = reads_values ? one?.text || null : null;
      const template = templates[batch];
      const values = text !== null && template ? valuesIn(template, text) : valuesOf(row, place);
      return {
        ...{ number: row?.written ?? msisdn, line: place?.line ?? null },
        values: reads_values ? composed(values) : null,
        client_reference: one?.reference ?? reference ?? row?.client_reference ?? null,
        ...{ batch_id: batches[batch]?.ulid ?? "", text },
      };
    });
  };
  return { known, tags, reads_values };
}

/** The line of a place in a batch of the family. */
function lineIn(
  lines: readonly ((position: number) => number | null)[],
  batch: number,
  position: number | null,
): number | null {
  return position === null ? null : (lines[batch]?.(position) ?? null);
}

/** Names as tags have them in their normal form (NFC). */
function composed(values: Readonly<Record<string, string>> | null): RowOfPerson["values"] {
  return (
    values &&
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name.normalize("NFC"), value]))
  );
}
