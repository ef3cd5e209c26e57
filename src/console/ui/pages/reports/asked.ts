/** What the address asks the report for. */
import type { Asking } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { filter } from "../traffic/parts.tsx";

type Query = Asking<Contract["GET /reports/delivery"]>["query"];
export type ReportKey = NonNullable<Query["by"]>;

export const REPORT_KEYS: readonly ReportKey[] = ["day", "operator", "sender", "class", "account", "error"];
export const PERIODS = ["7", "31", "90", "366"] as const;
export const USUAL_PERIOD = "31";

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** What figures stand together by; by day where the address says nothing. */
function keyAsked(): ReportKey {
  return REPORT_KEYS.find((key) => key === filter("by")) ?? "day";
}

/** Days from one to another, both with it: the address has days, the server takes the instant that is not in it any more. */
function spanAsked(): Pick<Query, "from" | "to"> {
  const period = filter("days") ?? USUAL_PERIOD;
  if (period !== "own") return { from: `${Number(period)}d` };
  const [from, to] = [filter("from"), filter("to")];
  return {
    ...(from !== undefined && DAY.test(from) ? { from } : {}),
    ...(to !== undefined && DAY.test(to) ? { to: dayAfter(to) } : {}),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** All that is asked for, and the text by which the page knows that it changed. */
export function reportAsked(): { readonly query: Query; readonly key: string } {
  const [operator, sender, account, messageClass] = ["operator", "sender", "account", "class"].map(filter);
  const query = {
    by: keyAsked(),
    ...spanAsked(),
    ...(operator === undefined ? {} : { operator }),
    ...(sender === undefined ? {} : { sender }),
    ...(account === undefined ? {} : { account }),
    ...(messageClass === undefined ? {} : { class: messageClass }),
  } as Query;
  return { query, key: JSON.stringify(query) };
}

/** Where the same is a file. */
export function fileOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/console/api/reports/delivery.csv?${new URLSearchParams(given)}`;
}
