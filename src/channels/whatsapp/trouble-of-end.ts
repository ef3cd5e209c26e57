import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../db/write.ts";
import { recipientOf } from "../../domain/messages/part-lookup.ts";
import { readBatchNote } from "./batch-note.ts";
import { applyTemplateNews } from "./template-stops.ts";
import type { NumberTrouble } from "./trouble.ts";

/** Codes that say of a template that nothing is sent with it, and its status then. */
const TEMPLATE_CODES: ReadonlyMap<number, string> = new Map([
  [132015, "PAUSED"],
  [132016, "DISABLED"],
]);
const COUNTRY_REFUSED = 130497;

type Ended = { readonly messageId: number; readonly batchId: number };

/**
 * What the code that ended a message says of more than it: its template stops until it was read again, or a country takes nothing from
 * the number. `atMs`: when Meta said so.
 */
export function noteTemplateTrouble(
  tx: Tx,
  { messageId, batchId }: Ended,
  code: number | null,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): NumberTrouble | null {
  if (code === COUNTRY_REFUSED)
    return { kind: "country", country: callingCodeOf(recipientOf(tx, messageId)) };
  const status = TEMPLATE_CODES.get(code ?? 0);
  const note = status === undefined ? null : readBatchNote(tx, batchId);
  if (status === undefined || note?.kind !== "template") return null;
  const { wabaId, name, language } = note;
  const isApplied = applyTemplateNews(tx, { wabaId, name, language, atMs, said: { kind: "stops", status } }, nowMs);
  return { kind: "template", wabaId, name, isNews: isApplied === "applied" };
}

/** The calling code of a number's country; of one that no library knows, the number's first digits. */
function callingCodeOf(msisdn: string): string {
  return parsePhoneNumberFromString(msisdn)?.countryCallingCode ?? msisdn.slice(1, 4);
}
