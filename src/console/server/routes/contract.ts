/** What each route takes and answers, as types for the pages: a changed field does not compile. */
import type { Static, TSchema } from "typebox";
import type { Download } from "./route.ts";
import type { RouteName, Routes } from "./table.ts";

/** The answer of a route that succeeds. */
type AnswerOf<Name extends RouteName> = Extract<
  Awaited<ReturnType<Routes[Name]["run"]>>,
  { readonly ok: true }
>["value"];

type Given<Schema, Field extends string> = [Schema] extends [never]
  ? Readonly<Record<never, never>>
  : Schema extends TSchema
    ? { readonly [Name in Field]: Static<Schema> }
    : never;

type SchemaOf<Name extends RouteName, Part extends "params" | "query" | "body"> = Exclude<
  Routes[Name][Part],
  undefined
>;

/** Routes by name. Those that answer with a file are opened as links, and left out here. */
export type RoutesContract = {
  readonly [Name in RouteName as AnswerOf<Name> extends Download ? never : Name]: Given<
    SchemaOf<Name, "params">,
    "params"
  > &
    Given<SchemaOf<Name, "query">, "query"> &
    Given<SchemaOf<Name, "body">, "body"> & { readonly answer: AnswerOf<Name> };
};
