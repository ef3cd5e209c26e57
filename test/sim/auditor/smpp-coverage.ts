/** What a run reached of customers' SMPP clients, name by name. */
import type { History } from "./history.ts";
import { readPdu } from "./pdu.ts";
import { shortTextOf } from "./short-text.ts";
import { isAccepted, isRefused } from "./smpp-clients.ts";
import { messagesOfText } from "./smpp-messages.ts";

/** Every name, without its kind. */
export const SMPP_NAMES: readonly string[] = [
  ...["bind_transceiver", "bind_transmitter", "bind_receiver"],
  ...["a whole text accepted", "a text in parts accepted", "refused for good", "refused for now"],
  ...["an answer lost", "a submit lost", "repeated, the first id again", "a part without the others"],
  ...["header of 8 bits", "header of 16 bits"],
  ...["DELIVRD", "UNDELIV", "EXPIRED", "REJECTD", "UNKNOWN", "DELETED"].map((stat) => `receipt ${stat}`),
  ...["receipt answered ROK", "receipt answered 0x14", "receipt unanswered", "receipt again"],
];

/** Texts, their answers, and their receipts. */
export function smppCoverage(history: History, reach: (name: string, times?: number) => void): void {
  const { texts, receipts } = history.smpp;
  for (const seen of history.observations) {
    if (seen.kind !== "client pdu" || seen.from !== "client" || seen.at !== "client") continue;
    const pdu = readPdu(seen.octets);
    if (pdu.kind === "bind") reach(`smpp: ${pdu.command}`);
    if (pdu.kind !== "submit_sm" || (pdu.text.esmClass & 0x40) === 0) continue;
    const isRead = shortTextOf(pdu.text, "latin1").place.reference !== null;
    if (isRead) reach(`smpp: header of ${pdu.text.octets[1] === 0 ? 8 : 16} bits`);
  }
  for (const text of texts) {
    const submits = text.parts.flatMap((part) => part.submits);
    if (messagesOfText(history, text).length > 0)
      reach(`smpp: a ${text.total > 1 ? "text in parts" : "whole text"} accepted`);
    else if (text.total > 1 && submits.some(isAccepted)) reach("smpp: a part without the others");
    for (const submit of submits) {
      const { answer, arrivedAtMs } = submit;
      if (isRefused(submit)) reach("smpp: refused for good");
      else if (answer !== null && answer.status !== 0) reach("smpp: refused for now");
      if (arrivedAtMs === null) reach("smpp: a submit lost");
      else if (answer !== null && answer.heardAtMs === null) reach("smpp: an answer lost");
    }
    for (const part of text.parts) {
      const ids = part.submits.flatMap(({ answer }) => (answer?.status === 0 ? [answer.id] : []));
      if (ids.length > 1 && new Set(ids).size === 1) reach("smpp: repeated, the first id again");
    }
  }
  const told = new Set<string>();
  for (const { id, stat, user, answer } of receipts) {
    reach(`smpp: receipt ${stat}`);
    if (answer === null) reach("smpp: receipt unanswered");
    else reach(`smpp: receipt answered ${answer.status === 0 ? "ROK" : `0x${answer.status.toString(16)}`}`);
    if (told.has(`${user.systemId} ${id}`)) reach("smpp: receipt again");
    told.add(`${user.systemId} ${id}`);
  }
}
