import type { Plan, Step } from "../plan.ts";
import { type Table, tableOf, tablesOf, textOf } from "./json.ts";

type Document = Plan["document"];
type ChangingStep = Extract<Step, { readonly kind: "settings" | "rename operator" | "retire operator" }>;

/**
 * The document after a step that changes it: in force at once, with the next start, or with the restart that belongs to the step.
 * What such a step names and the document has no more (an operator that got another code) is left as it is.
 */
export function nextDocument(document: Document, step: ChangingStep): Document {
  switch (step.kind) {
    case "settings":
      return withOnePace(
        Object.entries(step.changes).reduce(
          (changed, [key, value]) => tableOf(withChange(changed, key.split("."), value)),
          document,
        ),
      );
    case "rename operator": {
      const operators = Object.entries(tableOf(document.operators));
      const renamed = operators.map(([code, operator]) => [code === step.from ? step.to : code, operator]);
      return { ...document, operators: Object.fromEntries(renamed) as Table };
    }
    case "retire operator": {
      const left = Object.entries(tableOf(document.operators)).filter(([code]) => code !== step.code);
      return left.length === 0 ? document : { ...document, operators: Object.fromEntries(left) };
    }
  }
}

/** Connections that share a pace have one throughput: that of the first of them. */
export function withOnePace(document: Document): Document {
  const paces = new Map<string, unknown>();
  const inOne = (connection: Table): Table => {
    const word = textOf(connection.shared_pace);
    if (word === null) return connection;
    const throughput = paces.get(word) ?? connection.throughput;
    paces.set(word, throughput);
    return { ...connection, throughput };
  };
  const operators = Object.entries(tableOf(document.operators)).map(([code, operator]) => {
    const connections = tablesOf(tableOf(operator).connections).map(inOne);
    return [code, { ...tableOf(operator), connections }] as const;
  });
  return paces.size === 0 ? document : { ...document, operators: Object.fromEntries(operators) };
}

/** A list of connections with another that is like the first. */
function oneMore(connections: readonly unknown[]): readonly unknown[] {
  return [...connections, connections[0]];
}

/** A list of connections without the first that another can stand in for; the same where there is none. */
function oneLess(connections: readonly unknown[]): readonly unknown[] {
  const kinds = connections.map((connection) => {
    const { bind, route = "" } = tableOf(connection);
    return `${bind} ${route}`;
  });
  const spare = kinds.findIndex((kind, index) => kinds.indexOf(kind, index + 1) >= 0);
  return connections.filter((_, index) => index !== spare);
}

/** A value with something else at a place; missing tables are made but below `operators`. */
function withChange(value: unknown, [key, ...rest]: readonly string[], changed: unknown): unknown {
  if (key === undefined) return changed;
  if (Array.isArray(value) && rest.length === 0 && (key === "one more" || key === "one less")) {
    return key === "one more" ? oneMore(value) : oneLess(value);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? withChange(item, rest, changed) : item));
  }
  const table = tableOf(value);
  const isGone = key === "operators" && !(rest[0] !== undefined && rest[0] in tableOf(table.operators));
  if (isGone) return table;
  return { ...table, [key]: withChange(table[key], rest, changed) };
}
