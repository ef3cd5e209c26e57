/** Who has the text of a batch and of those that correct it, each person once; who has nothing yet, why, and what helps. */
import { slicer } from "../../base/slices.ts";
import { familyOf } from "../../messages/corrections.ts";
import { type PeopleOfFamily, peopleOfFamily } from "../../reports/family-people.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import type { Asked } from "./asked.ts";
import { operatorLines, type PeopleLine } from "./family-lines.ts";
import {
  everybody,
  type FamilyPerson,
  failedWord,
  hasNothing,
  helper,
  whyOfPerson,
} from "./family-person.ts";
import { knownRows, type RowOfPerson } from "./family-rows.ts";

export type NothingYet = {
  readonly code: string;
  /** In the reader's words. */
  readonly why: string;
  readonly people: number;
  /** Whether no text ever went to them; else it failed, or was called off. */
  readonly was_never_sent: boolean;
};

/** How many have the text, and why others have not. */
export type FamilyCounts = {
  readonly people: number;
  /** Whoever was reached once is, whatever failed later; without a receipt too. */
  readonly reached: number;
  readonly under_way: number;
  /** The rest, by their last try, the most frequent reason first. */
  readonly nothing: number;
  readonly never_sent: number;
  readonly reasons: readonly NothingYet[];
  /** Rows of the first file that repeat a number: their texts were told to nobody. */
  readonly repeats: number;
  /** Texts that are not kept any more: nobody can tell whom they reached. */
  readonly forgotten: number;
};

/** The same with who they are. */
export type FamilyPeople = FamilyCounts & {
  /** The first of those who have nothing yet. */
  readonly waiting: readonly (Omit<RowOfPerson, "text"> & { readonly why: string; readonly helps: string })[];
  /** Whether what stood in their rows is shown. */
  readonly reads_values: boolean;
  /** By operator, state and cause: people by their last try, with all texts to them. */
  readonly lines: readonly PeopleLine[];
};

/** People that a page names. */
const FEW_PEOPLE = 50;
/** People that are counted in one go. */
const STEP = 1000;

/** Read in slices beside other work; null where the batch is alone. */
export async function familyPeople(asked: Asked, batchId: number): Promise<FamilyPeople | null> {
  if (isAlone(asked, batchId)) return null;
  return asked.files.spool.inTurn(() => peopleIn(asked, batchId));
}

async function peopleIn(asked: Asked, batchId: number): Promise<FamilyPeople> {
  const people = await peopleOfFamily(asked.context, batchId);
  const first: FamilyPerson[] = [];
  for (const person of everybody(people)) {
    if (hasNothing(person)) first.push(person);
    if (first.length === FEW_PEOPLE) break;
  }
  const helps = helper(asked, people);
  const { known, reads_values } = knownRows(asked, people);
  const rows = known(first);
  return {
    ...(await countsOf(asked, people)),
    waiting: first.flatMap((person, place) => {
      const { text: _, ...row } = rows[place] ?? { text: null };
      return "number" in row ? [{ ...row, why: whyOfPerson(asked, person), helps: helps(person) }] : [];
    }),
    ...{ reads_values, lines: operatorLines(asked, people) },
  };
}

/** How many they are, read in slices beside other work; null where the batch is alone. */
export async function familyCounts(asked: Asked, batchId: number): Promise<FamilyCounts | null> {
  if (isAlone(asked, batchId)) return null;
  return asked.files.spool.inTurn(async () => countsOf(asked, await peopleOfFamily(asked.context, batchId)));
}

function isAlone({ context }: Asked, batchId: number): boolean {
  return familyOf(context.store.read, batchId).batches.length < 2;
}

async function countsOf(asked: Asked, people: PeopleOfFamily): Promise<FamilyCounts> {
  const { language } = asked;
  const words: Readonly<Record<string, string>> = REJECTION_WORDS[language];
  const counts = { people: 0, reached: 0, under_way: 0, nothing: 0, never_sent: 0 };
  const reasons = new Map<string, NothingYet>();
  const pause = slicer(asked.context.clock);
  for (const person of everybody(people)) {
    if (counts.people % STEP === 0) await pause();
    counts.people += 1;
    const { state, code } = person;
    if (!hasNothing(person)) {
      counts[state === "UNDER_WAY" ? "under_way" : "reached"] += 1;
      continue;
    }
    const was_never_sent = state === "NOT_SENT";
    counts.nothing += 1;
    if (was_never_sent) counts.never_sent += 1;
    const key = `${code} ${was_never_sent}`;
    const known = reasons.get(key);
    const why = known?.why ?? (was_never_sent ? (words[code] ?? code) : failedWord(asked, code));
    reasons.set(key, { code, why, was_never_sent, people: (known?.people ?? 0) + 1 });
  }
  return {
    ...counts,
    reasons: [...reasons.values()].sort((a, b) => b.people - a.people),
    ...{ repeats: people.repeats, forgotten: people.forgotten },
  };
}
