/** The last batch sent from this window: whoever comes back to an empty page, or reloads it, reads that it left. */
import { nowMs, readSessionStorage, writeSessionStorage } from "../../browser.ts";
import { HOME } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";

type Sent = {
  readonly login: string;
  readonly batch: string;
  readonly texts: number;
  /** More than the texts where an operator does not know the sender. */
  readonly recipients: number;
  /** Epoch milliseconds. */
  readonly at: number;
};

const NAME = "sent";
const SHOWN_MS = 3_600_000;

/** Records that a batch was accepted, and for how many. */
export function keepSent(batch: string, { texts, recipients }: Pick<Sent, "texts" | "recipients">): void {
  const sent: Sent = { login: me.peek()?.login ?? "", batch, texts, recipients, at: nowMs() };
  writeSessionStorage(NAME, JSON.stringify(sent));
}

/** What this person sent within the hour; null: nothing. */
function lastSent(): Sent | null {
  try {
    const sent = JSON.parse(readSessionStorage(NAME) ?? "null") as Sent | null;
    const isTheirs = sent !== null && sent.login === me.peek()?.login;
    return isTheirs && nowMs() - sent.at < SHOWN_MS ? sent : null;
  } catch {
    return null;
  }
}

/** Adds how many others cannot be reached: the page of the batch counts all. */
function textsOf({ texts, recipients }: Sent): string {
  const { check: words } = sending.value;
  const text = words.texts(texts);
  return texts === recipients ? text : words.notYet(recipients - texts, { texts: text });
}

export function LastSentNotice() {
  const sent = lastSent();
  if (sent === null) return null;
  const { check: words } = sending.value;
  const time = figures.time(new Date(sent.at).toISOString());
  return (
    <p class="notice">
      {words.lastSent({ texts: textsOf(sent), time })}{" "}
      <a href={`${HOME}/batches/${sent.batch}`}>{words.toLastSent}</a>
    </p>
  );
}
