/** Everybody whom a file and its corrections are for as a file that a spreadsheet in the reader's language opens, a line a person. */
import { accountById } from "../../accounts/accounts.ts";
import { isoUtc } from "../../base/clock.ts";
import { sheetHead, sheetLines } from "../../base/csv-line.ts";
import { ownValue } from "../../base/own-value.ts";
import { slicer } from "../../base/slices.ts";
import { operatorNames } from "../../config/operator-codes.ts";
import { referencesOf } from "../../messages/batches.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { REFERENCE_HEADS } from "../../recipients/columns.ts";
import { type PeopleOfFamily, peopleOfFamily } from "../../reports/family-people.ts";
import { accountSlug, slugOf } from "../file-names.ts";
import { SHEET_WORDS, sheetTime } from "../sheet-words.ts";
import { type Asked, ownBatch } from "./asked.ts";
import { everybody, type FamilyPerson, hasNothing, helper, whyOfPerson } from "./family-person.ts";
import { knownRows, type RowOfPerson } from "./family-rows.ts";
import { type Download, download } from "./route.ts";
import { codeIn } from "./why-not-sent.ts";

/** People of one piece. */
const STEP = 1000;
const DAY_LENGTH = 10;

/** Of a batch and of all that correct it. */
export async function peopleFile(asked: Asked, id: string): Promise<AdminOutcome<Download>> {
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const { context, language } = asked;
  const { batchReport: words, people: ownWords } = SHEET_WORDS[language];
  const account = accountById(context.store.read, own.value.accountId);
  const named = referencesOf(context.store.read, [own.value.ulid]).get(own.value.ulid) ?? "";
  const sent = isoUtc(own.value.createdAtMs).slice(0, DAY_LENGTH);
  const name = [words.file, account ? accountSlug(account) : own.value.ulid, sent];
  const whole = [...name, slugOf(named) || own.value.ulid, ownWords.file].join("-");
  const timezone = account?.timezone ?? context.config.defaults.timezone;
  const written = await asked.files.spool.write(asked, async () => {
    const people = await peopleOfFamily(context, own.value.id);
    return done(piecesOf(asked, people, timezone));
  });
  if (!written.ok) return written;
  return done(download(`${whole}.csv`, "text/csv; charset=utf-8", written.value));
}

async function* piecesOf(asked: Asked, people: PeopleOfFamily, timezone: string): AsyncGenerator<string> {
  const { language, context } = asked;
  const { people: words } = SHEET_WORDS[language];
  const { known, tags, reads_values } = knownRows(asked, people);
  const said = reads_values ? [SHEET_WORDS[language].batchReport.text] : [];
  yield sheetHead(language, [
    [...words.heads, ...(reads_values ? tags : []), REFERENCE_HEADS[language], ...words.of, ...said],
  ]);
  const lineOf = lineWriter(asked, people, { timezone, tags: reads_values ? tags : [] });
  const pause = slicer(context.clock);
  for (const some of inPages(everybody(people))) {
    const rows = known(some);
    yield sheetLines(
      language,
      some.flatMap((person, place) => {
        const row = rows[place];
        return row ? [[...lineOf(person, row), ...(reads_values ? [row.text] : [])]] : [];
      }),
    );
    await pause();
  }
}

function* inPages(people: Iterable<FamilyPerson>): Generator<readonly FamilyPerson[]> {
  let page: FamilyPerson[] = [];
  for (const person of people) {
    page.push(person);
    if (page.length < STEP) continue;
    yield page;
    page = [];
  }
  yield page;
}

type Shape = { readonly timezone: string; readonly tags: readonly string[] };

/** Writes what is told of somebody, in the order of the heads. */
function lineWriter(asked: Asked, people: PeopleOfFamily, { timezone, tags }: Shape) {
  const { language, context } = asked;
  const { people: words } = SHEET_WORDS[language];
  const helps = helper(asked, people);
  const operators = operatorNames(context.config);
  const ids = people.batches.map(({ ulid }) => ulid);
  const named = referencesOf(context.store.read, ids);
  const times = people.batches.map(({ createdAtMs }) => sheetTime(language, timezone, isoUtc(createdAtMs)));
  return (person: FamilyPerson, { line, number, values, client_reference, batch_id }: RowOfPerson) => {
    const { state, code, operator, batch } = person;
    const has = hasNothing(person) ? words.no : state === "UNDER_WAY" ? words.open : words.yes;
    return [
      ...[has, words.states[state], whyOfPerson(asked, person), code === "" ? "" : codeIn(language, code)],
      ...[
        helps(person),
        line,
        number,
        ...tags.map((tag) => ownValue(values ?? {}, tag) ?? ""),
        client_reference,
      ],
      ...[operators[operator] ?? operator, batch_id, named.get(batch_id) ?? "", times[batch]],
    ];
  };
}
