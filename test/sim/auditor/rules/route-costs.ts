import { lifeBegunBy } from "../circumstances.ts";
import { deathThatUndid } from "../durable.ts";
import { finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { settingsIn } from "../in-force.ts";
import { type Group, joinsOf } from "../joins.ts";
import { list, number, text } from "../json.ts";
import { commandsNamed } from "../once.ts";
import { receiptMatchesOf } from "../receipt-matches.ts";
import { hasRoutes, lastCode, nameOf, type RouteTaken, routesEver, routesOf } from "../routes.ts";
import { wallClockOf } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const found = finder(
  "route-costs",
  "Every segment that a route accepted costs what it cost then; two acceptances cost twice.",
);

/** An answer that came so shortly before its link ended may not have been heard. */
const CLOSE_MS = 1_000;
/** From the last of what was heard of a submit until it is written down. */
const WRITTEN_DOWN_MS = 1_000;

/** What a route's row must hold at least, and may hold. */
type Bounds = { least: number; most: number; leastMilli: number; mostMilli: number; unknown: number };

/** The book of what routes cost holds what their centres accepted, whatever died meanwhile. */
export const routeCosts: Rule = (history) => {
  const clock = wallClockOf(history);
  if (!hasRoutes(history) || clock === null || clock.jumps || history.restAtMs === null) return [];
  const restAtMs = history.restAtMs;
  const asked = commandsNamed(history, "report margin").findLast(
    ({ args, outcome, askedAtMs }) => args.by === "route" && outcome?.ok && askedAtMs >= restAtMs,
  );
  if (!asked?.outcome?.ok) return [];
  // What a death left claimed may never have left, and a receipt that names nobody may be taken for its own.
  if (mayBeOfTheDead(history)) return [];
  const bounds = boundsOf(history);
  const rows = rowsOf(history, asked.outcome.data);
  const total = newBounds();
  const operators = new Set([...bounds.keys(), ...rows.keys()].map((key) => key.split("/")[0] ?? key));
  return [...operators].flatMap((operator) => {
    const isOf = (key: string) => key === operator || key.startsWith(`${operator}/`);
    const keys = [...new Set([...bounds.keys(), ...rows.keys()])].filter(isOf);
    return keys.flatMap((key) => {
      const { least, most, leastMilli, mostMilli, unknown } = bounds.get(key) ?? total;
      const row = rows.get(key) ?? NO_ROW;
      const says = `the book has ${row.segments} segments of ${key} for ${row.costMilli / 1000} XOF, ${row.unknown} of them of unknown cost`;
      const must = `its centres accepted ${least} to ${most}, for ${leastMilli / 1000} to ${mostMilli / 1000} XOF, ${unknown} at most of unknown cost`;
      const isRight =
        least <= row.segments &&
        row.segments <= most &&
        leastMilli <= row.costMilli &&
        row.costMilli <= mostMilli &&
        row.unknown <= unknown;
      return isRight ? [] : [found(asked.askedAtMs, `${says}; ${must}`)];
    });
  });
};

/** Whether a process died that claimed messages, and a receipt came whose id is nobody's. */
function mayBeOfTheDead(history: History): boolean {
  if (history.lives.every(({ end }) => end === null || end === "stopped")) return false;
  const sure = new Set(
    [...receiptMatchesOf(history).values()]
      .flat()
      .filter(({ isSure }) => isSure)
      .map(({ deliver }) => deliver),
  );
  return wiresOf(history).delivers.some((deliver) => deliver.receipt !== null && !sure.has(deliver));
}

type Row = { readonly segments: number; readonly costMilli: number; readonly unknown: number };
const NO_ROW: Row = { segments: 0, costMilli: 0, unknown: 0 };

/** Rows by route, an operator's codes being one. */
function rowsOf(history: History, report: unknown): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const each of list(report, "rows")) {
    const [code = "", route = ""] = (text(each, "key") ?? "").split("/");
    const key = nameOf({ operator: lastCode(history, code), route });
    const before = rows.get(key) ?? NO_ROW;
    rows.set(key, {
      segments: before.segments + (number(each, "segments") ?? 0),
      costMilli: before.costMilli + Math.round(Number(text(each, "cost") ?? "0") * 1000),
      unknown: before.unknown + (number(each, "unknown_cost_segments") ?? 0),
    });
  }
  return rows;
}

function newBounds(): Bounds {
  return { least: 0, most: 0, leastMilli: 0, mostMilli: 0, unknown: 0 };
}

function boundsOf(history: History): Map<string, Bounds> {
  const bounds = new Map<string, Bounds>();
  const at = (route: RouteTaken): Bounds => {
    const key = nameOf(route);
    const known = bounds.get(key) ?? newBounds();
    bounds.set(key, known);
    return known;
  };
  const { groups } = joinsOf(history);
  const withStrays = new Set(groups.filter((group) => hasStray(history, group)).flatMap(numbersOf));
  for (const group of groups) {
    const mayHaveStray = numbersOf(group).some((msisdn) => withStrays.has(msisdn));
    for (const { submit, parts } of group.carried) {
      const isUnanswered = submit.answers.every(({ heardAtMs }) => heardAtMs === null);
      if (!mayBeAccepted(history, submit) && !(mayHaveStray && isUnanswered)) continue;
      const isSure = wasHeard(history, submit);
      // What was in doubt may be booked by the route that a receipt came by, or by none that is known.
      const left = isSure
        ? routesOf(history, submit, { fromMs: submit.writtenAtMs, toMs: submit.writtenAtMs })
        : routesEver(history, submit);
      const [only, ...others] = left;
      for (const route of left) {
        const costs = costsOf(history, submit, route);
        const bound = at(route);
        bound.most += parts.length;
        bound.mostMilli += parts.length * Math.max(0, ...costs.map((cost) => cost ?? 0));
        if (costs.includes(null) || !isSure) bound.unknown += parts.length;
        if (!isSure || others.length > 0 || route !== only || route.route === "") continue;
        bound.least += parts.length;
        bound.leastMilli += parts.length * Math.min(...costs.map((cost) => cost ?? 0));
      }
      if (isSure) continue;
      for (const operator of new Set(left.map((route) => route.operator))) {
        const bound = at({ operator, route: "" });
        bound.most += parts.length;
        bound.unknown += parts.length;
      }
    }
  }
  return bounds;
}

function numbersOf({ messages }: Group): string[] {
  return messages.map(({ message }) => message.msisdn);
}

/**
 * Whether a receipt came for a submit that had been refused. Its id is in no acceptance, so it may be taken for that of another
 * submit to the same number that nothing was said of.
 */
function hasStray(history: History, { carried }: Group): boolean {
  const matches = receiptMatchesOf(history);
  return carried.some(({ submit }) => {
    const first = submit.answers.find(({ heardAtMs }) => heardAtMs !== null);
    return first !== undefined && first.status !== 0 && matches.has(submit);
  });
}

/** A centre accepted it, or a receipt may be about it. */
function mayBeAccepted(history: History, submit: Submit): boolean {
  return submit.answers.some(({ status }) => status === 0) || receiptMatchesOf(history).has(submit);
}

/** Whether the first answer, in time or late, was an acceptance that nothing can have undone. */
function wasHeard(history: History, { answers, linkEndedAtMs }: Submit): boolean {
  const first = answers.find(({ heardAtMs }) => heardAtMs !== null);
  if (!first || first.heardAtMs === null || first.status !== 0 || !first.isSure) return false;
  const { heardAtMs } = first;
  const isClose = linkEndedAtMs !== null && linkEndedAtMs - heardAtMs < CLOSE_MS;
  const stoppingAtMs = lifeBegunBy(history.lives, heardAtMs)?.stoppingAtMs ?? Infinity;
  return !isClose && heardAtMs < stoppingAtMs && deathThatUndid(history, heardAtMs) === null;
}

/** What a segment may have cost by a route while something was heard of a submit; null: unknown. */
function costsOf(history: History, submit: Submit, { route }: RouteTaken): readonly (number | null)[] {
  const heard = submit.answers.map(({ heardAtMs }) => heardAtMs ?? 0);
  const told = (receiptMatchesOf(history).get(submit) ?? []).map(
    ({ deliver }) => deliver.pdu.centreAtMs ?? 0,
  );
  const toMs = Math.max(submit.writtenAtMs, ...heard, ...told) + WRITTEN_DOWN_MS;
  const costs = settingsIn(history, { fromMs: submit.writtenAtMs, toMs }).flatMap(({ operators }) =>
    operators
      .filter(({ centres }) => centres.includes(submit.centre))
      .flatMap(({ routes }) => routes.filter(({ name }) => name === route).map(({ costMilli }) => costMilli)),
  );
  return costs.length === 0 ? [null] : [...new Set(costs)];
}
