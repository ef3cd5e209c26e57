/**
 * Operations on ported numbers: whose a number or a prefix is, by a file or by hand, before the configured prefixes are asked
 * (docs/administration.md#ported-numbers).
 */
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createMutex, createYielder } from "../../core/concurrency.ts";
import { causePhrase, writtenPhrase } from "../../core/import-row.ts";
import type { MetricsRegistry } from "../../core/metrics-registry.ts";
import { refused } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import { resolveOperatorCode } from "../../domain/messages/operator-codes.ts";
import { normaliseNumber } from "../../domain/submission/phone-numbers.ts";
import {
  beginPortedImport,
  countOverrides,
  countPortedPrefixes,
  FIRST_SWEPT,
  type ImportedRow,
  isPortedSweepDue,
  listPortedOwners,
  MAX_PORTED_PREFIXES,
  type NumberOrPrefix,
  NumberOwners,
  openPortedImport,
  type PortedRow,
  readPortedPage,
  removePorted,
  type SweepPlace,
  setOverride,
  stagePorted,
  sweepPorted,
} from "../../domain/submission/ported-numbers.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { createMsisdnReader, createPrefixReader, describeInvalidNumber, type NumberRules } from "./msisdn.ts";
import { operation } from "./operation.ts";
import { checkOperator } from "./operators.ts";
import { limit, MSISDN, OPERATOR, optional, text, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** In place of an operator: no operator here sends to the number. */
const NONE = "none";

/** A number as a file of ported numbers has it, a prefix with its "*". */
function toFileText({ digits, isPrefix }: NumberOrPrefix): string {
  return isPrefix ? `${digits}*` : digits;
}

/** The same as people read it. */
function toShown(number: NumberOrPrefix): string {
  return number.isPrefix ? toFileText(number) : `+${number.digits}`;
}

/** Reads a number, or a prefix that ends in "*". */
function readNumberOrPrefix(config: NumberRules, typed: string): AdminOutcome<NumberOrPrefix> {
  const read = createNumberReader(config)(typed);
  if (read !== null) return done(read);
  if (isPrefixText(typed)) return refuse("INVALID_PREFIX", { text: typed });
  return refused("INVALID_MSISDN", describeInvalidNumber(config, typed));
}

/** As it stands in the table, with "+" or as a prefix: also what the configuration of today does not take for a number. */
const LISTED = /^(?:\+(\d{1,15})|(\d{1,15})\*)$/;

/** The same of what may stand in the table. */
function readListed(config: NumberRules, typed: string): AdminOutcome<NumberOrPrefix> {
  const read = readNumberOrPrefix(config, typed);
  if (read.ok) return read;
  const [, number, prefix] = LISTED.exec(typed.trim()) ?? [];
  const digits = number ?? prefix;
  return digits === undefined ? read : done({ digits, isPrefix: prefix !== undefined });
}

function isPrefixText(typed: string): boolean {
  return typed.trimEnd().endsWith("*");
}

function createNumberReader(config: NumberRules): (typed: string) => NumberOrPrefix | null {
  const readMsisdn = createMsisdnReader(config);
  const readPrefix = createPrefixReader(config);
  return (typed) => {
    const isPrefix = isPrefixText(typed);
    const digits = isPrefix ? readPrefix(typed) : (readMsisdn(typed)?.slice(1) ?? null);
    return digits === null ? null : { digits, isPrefix };
  };
}

/** Who owns numbers by the configuration that a command works with. */
function numberOwners({ config, store }: Pick<AdminContext, "config" | "store">): NumberOwners {
  return new NumberOwners(() => config.operators, store.read);
}

/** A number, or a prefix that ends in "*". */
const NUMBER = word("NUMBER", text("NUMBER", 100));

/** How many rows of the table come at once. */
const USUAL_ROWS = 1000;
const MAX_ROWS = 10_000;

export const PORTED_OPERATIONS = {
  /** Sets by hand whose a number or a prefix is, or that no operator here sends to it. It counts before every import, also later ones. */
  "route override": operation({
    may: "operators.change",
    params: { number: NUMBER, operator: word("OPERATOR", OPERATOR) },
    run: async (context, { number: typed, operator: code }) => {
      const { config } = context;
      const number = readNumberOrPrefix(config, typed);
      if (!number.ok) return number;
      const operator = code === NONE ? null : code;
      if (operator !== null) {
        const known = checkOperator(config, operator);
        if (!known.ok) return known;
      }
      const shown = toShown(number.value);
      return change(context, (tx, nowMs) => {
        if (number.value.isPrefix && countPortedPrefixes(tx, false) >= MAX_PORTED_PREFIXES)
          return refuse("TOO_MANY_PREFIXES", { most: MAX_PORTED_PREFIXES });
        setOverride(tx, number.value, operator, nowMs);
        return done({
          value: { number: shown, operator, since: isoUtc(nowMs) },
          audit: { action: "route override", subject: shown, detail: { operator: operator ?? NONE } },
        });
      });
    },
  }),
  /** Takes away what was set by hand about a number or a prefix, so that imports count again; without that, what imports say. */
  "route remove": operation({
    may: "operators.change",
    params: { number: NUMBER },
    run: async (context, { number: typed }) => {
      const number = readListed(context.config, typed);
      if (!number.ok) return number;
      const shown = toShown(number.value);
      return change(context, (tx) => {
        const removed = removePorted(tx, number.value);
        return done({
          /** `removed`: what was taken away; null where there was neither. */
          value: { number: shown, removed },
          audit: removed === null ? null : { action: "route remove", subject: shown, detail: { removed } },
        });
      });
    },
  }),
  /** Whose a number is, and by what. */
  "route show": operation({
    may: "operators.read",
    does: "reads",
    params: { number: MSISDN },
    run: (context, { number: typed }) => showNumber(context, typed),
  }),
  /** The rows that count, in the order of their digits, as an import reads them back. */
  "route export": operation({
    may: "operators.read",
    does: "reads",
    params: { after: optional(text("NUMBER", 100)), limit: limit(USUAL_ROWS, MAX_ROWS) },
    run: (context, { after, limit: most }) => exportPorted(context, after, most),
  }),
};

function showNumber(context: AdminContext, typed: string) {
  const { config } = context;
  const msisdn = createMsisdnReader(config)(typed);
  if (msisdn === null) return refused("INVALID_MSISDN", describeInvalidNumber(config, typed));
  const owners = numberOwners(context);
  const number = normaliseNumber(msisdn, config.defaults.region, owners.now());
  const row = owners.describe(msisdn.slice(1));
  const routed = number.kind === "routable" ? number.operator : null;
  return done({
    msisdn,
    /** The operator that messages to it are sent by; null: they are rejected. */
    routed_to: routed,
    /** Whose the number is, configured or not; null: nobody's here. */
    operator: row === null ? routed : row.operator,
    /** What says so: `prefix` is one of the configuration; null: nothing. */
    by: row === null ? (routed === null ? null : "prefix") : row.isByHand ? "override" : "import",
    /** The prefix in the table; null where the row is of the number itself. */
    prefix: row?.isPrefix ? toFileText(row) : null,
    since: isoOrNull(row?.sinceMs ?? null),
    source: row?.source ?? null,
  });
}

/** Rows that are read at once. */
const ROWS_A_STEP = 1000;

async function exportPorted(context: AdminContext, after: string | null, most: number) {
  const start = after === null ? done(null) : readListed(context.config, after);
  if (!start.ok) return start;
  const { read } = context.store;
  const pause = createYielder(context.clock);
  const rows: PortedRow[] = [];
  let from: NumberOrPrefix | null = start.value;
  do {
    const page = readPortedPage(read, from, Math.min(ROWS_A_STEP, Math.max(2, most - rows.length)));
    rows.push(...page.rows);
    from = page.next;
    await pause();
  } while (from !== null && rows.length < most);
  return done({
    rows: rows.map((row) => ({
      msisdn: toFileText(row),
      operator: row.operator ?? NONE,
      by: row.isByHand ? "override" : "import",
      since: isoUtc(row.sinceMs),
      source: row.source,
    })),
    /** Where the next page begins; null after the last. */
    next: from && toShown(from),
  });
}

// Imports.

/** A row of a file of ported numbers. */
export type PortedFileRow = {
  readonly line: number;
  readonly number: string;
  readonly operator: string;
  /** What is wrong with one of its cells; null: nothing. */
  readonly fault: Phrase | null;
};

type PortedImport = {
  /** Goes through the rows of the file; asked for twice. */
  readonly rows: () => Iterable<PortedFileRow>;
  /** Whether all rows of earlier imports end with it. */
  readonly replaces: boolean;
  /** Where the file is from, in words; null: nobody says. */
  readonly source: string | null;
  /** Imports the readable rows where some cannot be read, instead of nothing. */
  readonly skipsBadRows: boolean;
};

/** A row that cannot be imported, and why. */
type BadRow = { readonly line: number; readonly cause: Phrase };

/** The most bad rows that are named. */
const MAX_NAMED = 1000;
/** Rows staged in one transaction: some 2 ms. */
const STAGED_A_STEP = 250;

/** The imports of a store: one at a time, because what another one staged is taken for abandoned. */
class ImportQueue {
  private readonly inTurn = createMutex();
  private waiting = 0;

  get isBusy(): boolean {
    return this.waiting > 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    try {
      return await this.inTurn(work);
    } finally {
      this.waiting -= 1;
    }
  }
}

/** The queue of each store, known by its tally. */
const queues = new WeakMap<MetricsRegistry, ImportQueue>();

function queueOf({ tally }: Pick<Store, "tally">): ImportQueue {
  const queue = queues.get(tally) ?? new ImportQueue();
  queues.set(tally, queue);
  return queue;
}

/**
 * Imports a file of ported numbers. All of it is read before anything is written: with a row that cannot be read, or that contradicts an
 * earlier one, nothing is imported, unless `skipsBadRows`. Then the rows are staged in steps beside other work, and count from one
 * commit on.
 */
export function importPortedNumbers(context: AdminContext, file: PortedImport) {
  return queueOf(context.store).run(async () => {
    await sweepAll(context.store);
    const bad = new BadRows();
    const found = await checkRows(context, file, bad);
    if (bad.count > 0 && !file.skipsBadRows) return bad.refusal();
    if (found === 0) return refuse("INVALID_FILE.no_number");
    const staged = await stageRows(context, file, bad);
    const opened =
      bad.count > 0 && !file.skipsBadRows ? bad.refusal() : await openStaged(context, file, staged, bad);
    await sweepAll(context.store);
    return opened;
  });
}

/** Removes rows that imports overtook, and those of imports that were cut off, in steps. Nothing beside an import, which does it itself. */
export async function sweepPortedNumbers(store: Store, isStopping: () => boolean): Promise<void> {
  const queue = queueOf(store);
  if (!queue.isBusy) await queue.run(() => sweepAll(store, isStopping));
}

async function sweepAll(store: Store, isStopping: () => boolean = () => false): Promise<void> {
  if (!isPortedSweepDue(store.read)) return;
  let place: SweepPlace | null = FIRST_SWEPT;
  while (place !== null && !isStopping()) {
    const from: SweepPlace = place;
    place = await store.write((tx) => sweepPorted(tx, from), "with the next");
  }
}

/** The rows of a file that cannot be imported. */
class BadRows {
  count = 0;
  private readonly first: BadRow[] = [];

  /** The first of them, by their lines. */
  get named(): readonly BadRow[] {
    return this.first.toSorted((a, b) => a.line - b.line);
  }

  add(line: number, cause: Phrase): void {
    this.count += 1;
    if (this.first.length < MAX_NAMED) this.first.push({ line, cause });
  }

  refusal() {
    const lines = this.named.map(({ line, cause }) => phrase("line", { line, why: cause }));
    const rest = this.count > MAX_NAMED ? [phrase("more", { more: this.count - MAX_NAMED })] : [];
    return refuse("INVALID_FILE.ported", { faulty: this.count, lines: [...lines, ...rest] });
  }
}

/** What a row says, or what is wrong with it. */
type RowReader = (row: PortedFileRow) => ImportedRow | Phrase;

function createRowReader({ config, store }: AdminContext): RowReader {
  const readNumber = createNumberReader(config);
  const readOperator = createOwnerReader(store.read, Object.keys(config.operators));
  return ({ number: typed, operator: code, fault }) => {
    if (fault !== null) return fault;
    const number = readNumber(typed);
    if (number === null) return describeFault(config, typed);
    const operator = readOperator(code);
    if (operator !== undefined) return { ...number, operator };
    const known = Object.keys(config.operators).join(", ");
    return phrase("fault.ported.operator", { written: writtenPhrase(code), known, none: NONE });
  };
}

function describeFault(config: NumberRules, typed: string): Phrase {
  if (isPrefixText(typed)) return phrase("fault.ported.prefix", { written: writtenPhrase(typed) });
  const nothing = typed === "" ? causePhrase({ code: "NO_NUMBER", params: {} }) : null;
  return nothing ?? describeInvalidNumber(config, typed);
}

/** Reads the operator of a row, in capital or small letters or under a former code; null for none at all, undefined for an unknown one. */
function createOwnerReader(
  read: Reader,
  codes: readonly string[],
): (code: string) => string | null | undefined {
  const known = new Map<string, string | null | undefined>([[NONE, null]]);
  const find = (code: string): string | undefined => {
    const today = resolveOperatorCode(read, code);
    return codes.includes(today) ? today : undefined;
  };
  return (code) => {
    if (!known.has(code)) {
      const small = code.toLowerCase();
      known.set(code, small === NONE ? null : (find(code) ?? find(small)));
    }
    return known.get(code);
  };
}

/** Reads all rows; how many can be imported. */
async function checkRows(context: AdminContext, { rows }: PortedImport, bad: BadRows): Promise<number> {
  const pause = createYielder(context.clock);
  const read = createRowReader(context);
  let found = 0;
  for (const row of rows()) {
    await pause();
    const said = read(row);
    if ("code" in said) bad.add(row.line, said);
    else found += 1;
  }
  return found;
}

type Staged = { readonly importId: number; numbers: number; prefixes: number };

/** Stages the rows that can be imported; adds those that contradict an earlier one to the bad ones. */
async function stageRows(
  context: AdminContext,
  { rows, source }: PortedImport,
  bad: BadRows,
): Promise<Staged> {
  const { store, clock } = context;
  const pause = createYielder(clock);
  const read = createRowReader(context);
  const importId = await store.write((tx) => beginPortedImport(tx, source), "with the next");
  const staged: Staged = { importId, numbers: 0, prefixes: 0 };
  let step: ImportedRow[] = [];
  let lines: number[] = [];
  const stageStep = async (): Promise<void> => {
    const [ready, readyLines] = [step, lines];
    [step, lines] = [[], []];
    const { numbers, prefixes, contradictions } = await store.write(
      (tx) => stagePorted(tx, importId, ready),
      "with the next",
    );
    staged.numbers += numbers;
    staged.prefixes += prefixes;
    for (const place of contradictions) {
      const row = ready[place];
      const line = readyLines[place];
      if (row && line !== undefined)
        bad.add(line, phrase("fault.ported.contradiction", { number: toShown(row) }));
    }
  };
  for (const row of rows()) {
    await pause();
    const said = read(row);
    if ("code" in said) continue;
    step.push(said);
    lines.push(row.line);
    if (step.length === STAGED_A_STEP) await stageStep();
  }
  if (step.length > 0) await stageStep();
  return staged;
}

/** Makes what was staged count. */
function openStaged(
  context: AdminContext,
  { replaces, source }: PortedImport,
  { importId, numbers, prefixes }: Staged,
  bad: BadRows,
) {
  return change(context, (tx, nowMs) => {
    const all = replaces ? countPortedPrefixes(tx, true) + prefixes : countPortedPrefixes(tx, false);
    if (all > MAX_PORTED_PREFIXES) return refuse("TOO_MANY_PREFIXES", { most: MAX_PORTED_PREFIXES });
    openPortedImport(tx, importId, { numbers, prefixes, replaces }, nowMs);
    const value = {
      numbers,
      prefixes,
      source,
      /** Whether all earlier imports ended with it. */
      replaced: replaces,
      /** Rows that were set by hand: they stay, and count before it. */
      overrides: countOverrides(tx),
      /** Rows that were left out. Of these the first are named. */
      skipped: bad.count,
      skipped_rows: bad.named,
    };
    const detail = {
      numbers,
      prefixes,
      replaced: replaces,
      skipped: bad.count,
      ...(source === null ? {} : { source }),
    };
    return done({ value, audit: { action: "route import", subject: "ported numbers", detail } });
  });
}

// What no operator of the configuration sends to.

/** How many rows of the table are of an operator that a configuration lacks, by its code. Reads in steps; nothing where there is none. */
export async function countUnroutablePorted(
  read: Reader,
  isGone: (code: string) => boolean,
  pause: () => Promise<void> | undefined,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (!listPortedOwners(read).some(isGone)) return counts;
  let from: NumberOrPrefix | null = null;
  do {
    const page = readPortedPage(read, from, ROWS_A_STEP);
    for (const { operator } of page.rows) {
      if (operator !== null && isGone(operator)) counts.set(operator, (counts.get(operator) ?? 0) + 1);
    }
    from = page.next;
    await pause();
  } while (from !== null);
  return counts;
}
