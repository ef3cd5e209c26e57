/** The texts that an account sent to a number lately, for whoever likens them himself: the memory of sends knows them by their hashes. */
import type { Tx } from "../../db/write.ts";
import { counts, KINDS, recipientKeyOf, type SendsSpan, within } from "./recent-sends.ts";
import { createSendCache } from "./send-runs.ts";
import type { Stages } from "./stages.ts";

/** What was sent lately and counts, as its text. */
export type SentText = {
  /** "" where it is kept no longer: its key is all that is known. */
  readonly text: string;
  readonly textKey: number;
};

/** Texts to a number that are looked at one by one, of each kind, in memory and in the table. */
const MAX_TEXTS = 100;

/** The texts that still count of an account's messages to a number, with planned times in a span: for whoever likens them himself. */
export function* textsSentTo(
  tx: Tx,
  stages: Stages,
  { accountId, msisdn, ...span }: SendsSpan & { readonly accountId: number; readonly msisdn: string },
): Generator<SentText> {
  const hand = createSendCache(tx);
  const recipientKey = recipientKeyOf(accountId, msisdn);
  const whose = { accountId, msisdn, counting: stages.counting() };
  for (const kind of KINDS) {
    for (const { run, index, second: textKey } of within(
      hand.withFirst(kind, recipientKey),
      span,
      MAX_TEXTS,
    )) {
      const found = tx.get<{ text: string }>(
        `SELECT coalesce(o.text, b.body) AS text FROM messages o JOIN batches b ON b.id = o.batch_id
         WHERE o.id = $messageId AND ${counts("$messageId")}`,
        { ...whose, messageId: run.firstId + index },
      );
      if (found) yield { ...found, textKey };
    }
    if (!hand.areOthers) continue;
    yield* tx.all<SentText>(
      `SELECT coalesce(o.text, b.body) AS text, s.text_key AS textKey
       FROM (SELECT text_key, message_id FROM recent_sends
             WHERE recipient_key = $recipientKey AND is_marketing = $kind AND planned_at >= $fromMs AND planned_at < $toMs
             LIMIT $most) s
       JOIN messages o ON o.id = s.message_id JOIN batches b ON b.id = o.batch_id WHERE ${counts("s.message_id")}`,
      { ...whose, ...span, recipientKey, kind, most: MAX_TEXTS },
    );
  }
}
