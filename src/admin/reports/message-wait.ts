import { tracedUnaccepted } from "../../channels/sms/departures.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { tracedMessage } from "../../domain/messages/trace.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { statusLabel, statusMeaning } from "../../smpp/status.ts";
import type { AdminContext } from "../operations/context.ts";

/** Why a message waits whose operator puts it off: what it answered last, how often it has, and when the next try is due. */
export type MessageWait = {
  /** The last answer, as manuals write it and in words. */
  readonly code: string;
  readonly answer: Phrase;
  readonly times: number;
  readonly last_at: string;
  /** Null once it is due: it leaves in its turn. */
  readonly again_at: string | null;
};

/** Null of a message that does not wait, and of one that its operator has never put off. */
export function deriveMessageWait({ store, clock }: AdminContext, messageId: string): MessageWait | null {
  const message = tracedMessage(store.read, messageId.toUpperCase());
  if (message?.status !== "QUEUED") return null;
  const putOff = tracedUnaccepted(store.read, message.id).filter(({ outcome }) => outcome === "PUT_OFF");
  const last = putOff.toSorted((a, b) => a.endedAt - b.endedAt).at(-1);
  if (last === undefined || last.commandStatus === null) return null;
  return {
    code: statusLabel(last.commandStatus),
    answer: statusMeaning(last.commandStatus).words,
    times: putOff.reduce((sum, { times }) => sum + times, 0),
    last_at: isoUtc(last.endedAt),
    again_at: isoOrNull(message.notBefore > clock.nowMs() ? message.notBefore : null),
  };
}
