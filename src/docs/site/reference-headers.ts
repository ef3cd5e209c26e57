/** Which headers of answers the reference shows where: those of every answer once, others where they come. */
import { type ApiDocument, type ApiResponse, operationsOf } from "./open-api.ts";

/** Every header that some answer has, but for those that stand with their operation. */
export function headersOfAll(document: ApiDocument): string[] {
  const usual = usualHeaders(document);
  const ofErrors = document.tags
    .flatMap(({ name }) => operationsOf(document, name))
    .flatMap(({ operation }) => Object.entries(operation.responses))
    .filter(([status]) => !status.startsWith("2"))
    .flatMap(([, { headers = {} }]) => Object.keys(headers));
  const shown = new Set([...usual, ...ofErrors]);
  return Object.keys(document.components.headers ?? {}).filter((name) => shown.has(name));
}

/** The headers of one answer that not every one has. */
export function headersBeside(document: ApiDocument, headers: NonNullable<ApiResponse["headers"]>): string[] {
  const usual = usualHeaders(document);
  return Object.keys(headers).filter((name) => !usual.has(name));
}

/** What every success of an operation that asks for a key has. */
function usualHeaders(document: ApiDocument): ReadonlySet<string> {
  const lists = document.tags
    .flatMap(({ name }) => operationsOf(document, name))
    .filter(({ operation }) => operation["x-scope"] !== undefined)
    .flatMap(({ operation }) => Object.entries(operation.responses))
    .filter(([status]) => status.startsWith("2"))
    .map(([, { headers = {} }]) => new Set(Object.keys(headers)));
  const [first = new Set<string>(), ...others] = lists;
  return others.reduce((kept, one) => kept.intersection(one), first);
}
