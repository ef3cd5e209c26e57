import type { Config } from "../../config/config.ts";
import { toWhatsAppNumber } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import type { QueuedBatch } from "../../domain/messages/queue.ts";
import { readNumberStops } from "./stops.ts";
import { isWaitingForTemplate } from "./wording.ts";

/** Why messages wait that nothing else holds. */
export type MetaHold =
  /** Meta has stopped the number. */
  | "number_stopped"
  /** The template is paused, or waits for Meta or for a person. */
  | "template_held";

/** Why none of a batch may leave by its number, or null; of another channel null. */
export function findMetaHold(read: Reader, { whatsapp }: Pick<Config, "whatsapp">) {
  const stopped = new Set(readNumberStops(read).map(({ number }) => number));
  return ({ operator, batchId }: Pick<QueuedBatch, "operator" | "batchId">): MetaHold | null => {
    const code = toWhatsAppNumber(operator);
    const number = code === null ? undefined : whatsapp.numbers[code];
    if (code === null || number === undefined) return null;
    if (stopped.has(code)) return "number_stopped";
    return isWaitingForTemplate(read, { batchId, operator }, number.waba_id) ? "template_held" : null;
  };
}
