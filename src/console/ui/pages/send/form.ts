/**
 * The form of the page "Send". It is kept for the window, through reloads, so that the key made when the form was opened
 * stays the same: under one key nothing is sent twice.
 */
import { signal } from "@preact/signals";
import type { Answer, Contract } from "../../api/contract.ts";
import { newKey, readSessionStorage, writeSessionStorage } from "../../browser.ts";
import { me } from "../../state/session.ts";
import { type Replacement, undoReplaced } from "./text-measure.ts";

export type SendingAccount = Answer<"GET /accounts/:account">;
export type WantedBatch = Contract["POST /send/:account/quote"]["body"];
export type ChosenClass = WantedBatch["message_class"];
export type RewriteRule = NonNullable<WantedBatch["text_policy"]>;
export type MissingRule = NonNullable<WantedBatch["missing_attributes"]>;

/** A pressed "send" whose outcome is unknown so far. */
/** `texts`: of those who are reached, for `amount`; `recipients`: all of the batch. */
export type Pressed = {
  readonly wanted: WantedBatch;
  readonly texts: number;
  readonly recipients: number;
  readonly amount: number;
};

type SendForm = {
  readonly key: string;
  /** Who writes it. */
  readonly login: string;
  readonly step: "write" | "check";
  /** The only account of whoever sends for one alone; of others null while none is chosen. */
  readonly account: string | null;
  readonly sender: string | null;
  readonly messageClass: ChosenClass | null;
  readonly text: string;
  /** What of the text was replaced on request; null: nothing. */
  readonly replaced: Replacement | null;
  readonly source: "file" | "paste";
  readonly pasted: string;
  /** Whether the uploaded file has what is pasted now. */
  readonly isPastedRead: boolean;
  /** The uploaded file, by the server's id and its owner's name, and the batch whose unsent rows it has. */
  readonly file: { readonly id: string; readonly name: string; readonly ofBatch?: string | null } | null;
  /** The column of numbers, where chosen by hand. */
  readonly column: number | null;
  /** The sheet and the row of the headings, where chosen by hand. */
  readonly sheet: number | null;
  readonly headingRow: number | null;
  /** The account's own where null. */
  readonly textPolicy: RewriteRule | null;
  readonly missing: MissingRule | null;
  readonly reference: string;
  /** Wall time of the account; "" is now. */
  readonly scheduledAt: string;
  readonly pressed: Pressed | null;
  /** The tags that were confirmed to stay empty. */
  readonly blanksSeen: string;
  /** The batch whose corrected rows it is for; null of any other. */
  readonly correctedOf: string | null;
  /** Whether rows are sent whose number that batch reached, and those whose number it failed for. */
  readonly sendsServed: boolean;
  readonly sendsFailed: boolean;
  /** Whether those too are sent for whom a retry changes nothing. */
  readonly sendsLasting: boolean;
};

const NAME = "send";

function fresh(): SendForm {
  return {
    key: newKey(),
    login: me.peek()?.login ?? "",
    step: "write",
    account: me.peek()?.account?.id ?? null,
    sender: null,
    messageClass: null,
    text: "",
    replaced: null,
    source: "file",
    pasted: "",
    isPastedRead: false,
    file: null,
    column: null,
    sheet: null,
    headingRow: null,
    textPolicy: null,
    missing: null,
    reference: "",
    scheduledAt: "",
    pressed: null,
    blanksSeen: "",
    correctedOf: null,
    sendsServed: false,
    sendsFailed: true,
    sendsLasting: false,
  };
}

/** The form from before a reload, or a new one. */
function restored(): SendForm {
  try {
    return { ...fresh(), ...(JSON.parse(readSessionStorage(NAME) ?? "{}") as Partial<SendForm>) };
  } catch {
    return fresh();
  }
}

export const form = signal<SendForm>(restored());

/** The file itself, until a reload: it can be uploaded again where the server dropped it. */
export const fileAtHand = signal<Blob | null>(null);

export function change(part: Partial<SendForm>): void {
  form.value = { ...form.peek(), ...part };
  writeSessionStorage(NAME, JSON.stringify(form.peek()));
}

/** Replaces the text by one without rare characters. */
export function replaceInText(rewritten: string): void {
  const { text, replaced } = form.peek();
  const from = replaced === null ? text : undoReplaced(replaced, text);
  change({ text: rewritten, replaced: { from, to: rewritten } });
}

/** Undoes that, whatever was typed since. */
export function takeBack(): void {
  const { text, replaced } = form.peek();
  if (replaced !== null) change({ text: undoReplaced(replaced, text), replaced: null });
}

/** Clears the form; the next one has a new key. */
export function startOver(): void {
  fileAtHand.value = null;
  form.value = fresh();
  writeSessionStorage(NAME, null);
}

/** The batch that is corrected: that from which the form was opened, or that of the ids in the file. */
export function correctedBatch({ correctedOf, file }: Pick<SendForm, "correctedOf" | "file">): string | null {
  return correctedOf ?? file?.ofBatch ?? null;
}

/** The request, once all that is needed is there. */
export function toWantedBatch(shown: SendForm): WantedBatch | null {
  const { file, sender, messageClass, text, column, sheet, headingRow } = shown;
  const { textPolicy, missing, reference, scheduledAt } = shown;
  const { sendsServed, sendsFailed, sendsLasting } = shown;
  const of = correctedBatch(shown);
  const which = { sends_served: sendsServed, sends_failed: sendsFailed, sends_lasting: sendsLasting };
  if (!file || sender === null || messageClass === null || text.trim() === "") return null;
  return {
    file: file.id,
    column,
    ...(sheet === null ? {} : { sheet }),
    ...(headingRow === null ? {} : { heading_row: headingRow }),
    sender,
    message_class: messageClass,
    body: text,
    ...(textPolicy === null ? {} : { text_policy: textPolicy }),
    ...(missing === null ? {} : { missing_attributes: missing }),
    ...(reference.trim() === "" ? {} : { client_reference: reference.trim() }),
    ...(scheduledAt === "" ? {} : { scheduled_at: scheduledAt }),
    ...(of === null ? {} : { corrected: { of, ...which } }),
  };
}

/** What was chosen of the file, as a query. */
export function toFileQuery({ column, sheet, headingRow }: FileChoice) {
  return {
    ...(column === null ? {} : { column }),
    ...(sheet === null ? {} : { sheet }),
    ...(headingRow === null ? {} : { heading_row: headingRow }),
  };
}

export type FileChoice = Pick<SendForm, "column" | "sheet" | "headingRow">;

/** The same behind an address; "" where nothing was chosen. */
export function toQueryText(chosen: FileChoice): string {
  const members = Object.entries(toFileQuery(chosen)).map(([name, value]) => `${name}=${value}`);
  return members.length === 0 ? "" : `?${members.join("&")}`;
}
