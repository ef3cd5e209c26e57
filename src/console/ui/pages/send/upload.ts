/** Uploads recipients, shows the progress, and previews what is in the file. */
import { computed, signal } from "@preact/signals";
import { answerOf, callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { after, uploadFile } from "../../browser.ts";
import { change, type FileChoice, fileAtHand, form, toFileQuery } from "./form.ts";
import { toPastedFile } from "./pasted-numbers.ts";

export type UploadPreview = Answer<"GET /send/:account/files/:file">;

/** The server takes no more either. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The preview of the file; null where none was uploaded, or it is being read. */
export const look = signal<UploadPreview | null>(null);
/** From 0 to 1 during the upload, "reading" until it was read. */
export const progress = signal<number | "reading" | null>(null);
export const problem = signal<Problem | null>(null);
/** The file's size where it is too large to upload. */
export const tooLarge = signal<number | null>(null);

export const isUploading = computed(() => progress.value !== null);

/** Nothing was chosen by hand. */
const AS_FOUND: FileChoice = { column: null, sheet: null, headingRow: null };

let breakOff = () => {};

/** Drops the upload, here and on the server; the form stays. */
export async function discardUpload(): Promise<void> {
  breakOff();
  breakOff = () => {};
  const { account, file } = form.peek();
  for (const state of [look, progress, problem, tooLarge]) state.value = null;
  fileAtHand.value = null;
  change({ file: null, ...AS_FOUND, blanksSeen: "" });
  if (account === null || file === null) return;
  await callApi("DELETE /send/:account/files/:file", { params: { account, file: file.id } });
}

/** Uploads a file; returns whether it was read. Errors stand in `problem`. */
export async function bring(file: Blob, name: string): Promise<boolean> {
  const { account } = form.peek();
  if (account === null) return false;
  await discardUpload();
  if (file.size > MAX_FILE_BYTES) {
    tooLarge.value = file.size;
    return false;
  }
  fileAtHand.value = file;
  const answer = await brought(account, file);
  if (answer === null) return false;
  progress.value = null;
  if (!answer.ok) {
    problem.value = answer.problem;
    return false;
  }
  look.value = answer.value;
  change({ file: { id: answer.value.file_id, name, ofBatch: answer.value.of_batch } });
  return true;
}

/** The server's answer; null where the upload was aborted. */
function brought(account: string, file: Blob) {
  progress.value = 0;
  return new Promise<ReturnType<typeof answerOf<UploadPreview>> | null>((resolve) => {
    const stop = uploadFile(`/console/api/send/${encodeURIComponent(account)}/files`, file, {
      progress: (share) => {
        progress.value = share >= 1 ? "reading" : share;
      },
      done: (status, text) => resolve(answerOf<UploadPreview>(status, text)),
    });
    breakOff = () => {
      stop();
      resolve(null);
    };
  });
}

/** Pause in typing before pasted numbers are read. */
const PAUSE_MS = 600;
let takeBack = () => {};
/** The reading that is under way. */
let reading: Promise<boolean> | null = null;

/** Whether pasted numbers wait to be read: nothing is sent without them. */
export function isPasteUnread(): boolean {
  const { source, pasted, isPastedRead, file } = form.peek();
  return source === "paste" && pasted.trim() !== "" && (file === null || !isPastedRead);
}

/** Keeps what is pasted, and reads it by itself once nobody types any more. */
export function paste(text: string): void {
  takeBack();
  change({ pasted: text, isPastedRead: false });
  takeBack = after(PAUSE_MS, () => void readPasted());
}

/** Reads what is pasted, unless that was done; returns whether it is read. One reading at a time: the last text counts. */
export async function readPasted(): Promise<boolean> {
  takeBack();
  while (reading !== null) await reading;
  const { source, pasted, file } = form.peek();
  if (source === "paste" && pasted.trim() === "" && file !== null) await discardUpload();
  if (!isPasteUnread()) return form.peek().file !== null;
  reading = bring(pastedBlob(pasted), "");
  const isRead = await reading;
  reading = null;
  if (isRead && form.peek().pasted === pasted) change({ isPastedRead: true });
  return isRead;
}

function pastedBlob(pasted: string): Blob {
  return new Blob([toPastedFile(pasted)], { type: "text/csv" });
}

/** The file as it is at hand: what was pasted is as long as the form is. */
function atHand(): Blob | null {
  const { source, pasted, file } = form.peek();
  const isPasted = source === "paste" && file?.name === "" && pasted.trim() !== "";
  return fileAtHand.peek() ?? (isPasted ? pastedBlob(pasted) : null);
}

/** Uploads a file again that the server dropped; false where it is no longer at hand. */
export async function uploadAgain(): Promise<boolean> {
  const { account, file: before, ...shown } = form.peek();
  const file = atHand();
  if (account === null || before === null || file === null) return false;
  const answer = await brought(account, file);
  progress.value = null;
  if (!answer?.ok) return false;
  change({ file: { ...before, id: answer.value.file_id } });
  if (Object.keys(toFileQuery(shown)).length === 0) look.value = answer.value;
  return true;
}

/** Previews the uploaded file as it is chosen. One that the server dropped is uploaded again, or given up. */
export async function refreshPreview(chosen: FileChoice): Promise<void> {
  const { account, file } = form.peek();
  if (account === null || file === null) return;
  const { column, sheet, headingRow } = chosen;
  const query = toFileQuery(chosen);
  progress.value = "reading";
  const answer = await callApi("GET /send/:account/files/:file", {
    params: { account, file: file.id },
    query,
  });
  progress.value = null;
  if (answer.ok) {
    problem.value = null;
    look.value = answer.value;
    change({ column, sheet, headingRow, file: { ...file, ofBatch: answer.value.of_batch } });
  } else if (answer.problem.status === 404) {
    if (!(await uploadAgain())) await discardUpload();
    else if (Object.keys(query).length > 0) await refreshPreview(chosen);
  } else problem.value = answer.problem;
}

/** Previews it with something else chosen; what depends on that is found anew. */
export function chooseInFile(chosen: Partial<FileChoice>): Promise<void> {
  const { column, sheet, headingRow } = form.peek();
  const kept = chosen.column === undefined ? { ...AS_FOUND, sheet } : { column, sheet, headingRow };
  return refreshPreview({ ...kept, ...chosen });
}
