/** Schemas that several pages share. Every text has a maximum length. */
import { type TSchema, Type as t } from "typebox";

/** An id of ours as it is written in a path: a ULID, or the twelve characters of a key. */
export const ID = t.String({ minLength: 1, maxLength: 40 });

/** The number of a row that a page goes on from. */
export const ROW_ID = t.String({ pattern: "^\\d{1,15}$" });

/** An account by its id, its short name, its name, or an ending of its id. */
export const ACCOUNT = t.String({ minLength: 1, maxLength: 200 });

/** A word to look for: a code, a number, a name. */
export const WORD = t.String({ minLength: 1, maxLength: 100 });

/** A date, a time, or how long ago. */
export const INSTANT = t.String({ minLength: 1, maxLength: 40 });

/** Why something is done, for the audit. */
export const REASON = t.String({ minLength: 1, maxLength: 500 });

/** The same, optional for account users. */
export const REASON_TO_READ = t.Object({ reason: t.Optional(REASON) });

/** How many rows of a list. */
export const LIMIT = t.Optional(t.Integer({ minimum: 1, maximum: 200 }));

/** Something, or null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return t.Union([schema, t.Null()]);
}

/** An account in a path. */
export const ACCOUNT_PATH = t.Object({ account: ACCOUNT });

/** Filters of a list that may be left out. */
export function filters<Fields extends Readonly<Record<string, TSchema>>>(fields: Fields) {
  return t.Partial(t.Object(fields));
}

/** Rows of a list by default. */
export const USUAL_ROWS = 50;
