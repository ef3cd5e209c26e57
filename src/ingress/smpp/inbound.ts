/**
 * Texts that come in for a sender of an account, for those of its users that asked for them: written with the text, and delivered as
 * receipts are (receipts.ts). A text to a sender that several accounts may use goes to nobody.
 */
import type { Tx } from "../../db/writer.ts";
import { ownersOfSender } from "../../domain/accounts/senders.ts";
import { hasInboundSmppUsers, inboundSmppUsers, type SmppUser } from "../../domain/accounts/smpp-users.ts";
import type { KeptText } from "../../domain/inbound/inbound.ts";
import type { InboundText } from "../../domain/inbound/inbound-texts.ts";
import { ESM_UDHI, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import { encodeDefaultAlphabet } from "../../text/gsm-alphabet.ts";
import { split } from "../../text/segments.ts";
import { encodeUcs2 } from "../../text/ucs2.ts";
import { concatenationHeader } from "../../text/udh.ts";
import { insertInbound } from "./follows.ts";

/** Has a text that was kept delivered to the users of its account; whether there are any. */
export function deliverToUsers(tx: Tx, { id, senders, text }: KeptText, nowMs: number): boolean {
  if (text === null || !hasInboundSmppUsers(tx)) return false;
  const [owner, another] = ownersOfSender(tx, senders);
  if (owner === undefined || another !== undefined) return false;
  const users = inboundSmppUsers(tx, owner);
  for (const userId of users) insertInbound(tx, userId, id, nowMs);
  return users.length > 0;
}

/** data_coding (SMPP 3.4 section 5.2.19). */
const DEFAULT_ALPHABET = 0;
const UCS2 = 8;
/** The longest short_message (SMPP 3.4 section 5.2.22). */
const MAX_SHORT_OCTETS = 254;
const INTERNATIONAL = 1;
const ALPHANUMERIC = 5;
const ISDN = 1;

/**
 * A text as deliver_sm: one, with what is longer than 254 octets in message_payload. A client that knows no optional parameters gets it in
 * parts with a user data header.
 */
export function toTextDelivery(
  { id, msisdn, source, destination, text }: InboundText & { readonly text: string },
  { alphabet }: Pick<SmppUser, "alphabet">,
  hasTlvs: boolean,
): readonly ShortMessage[] {
  const from = toAddress(msisdn ?? source);
  const to = toAddress(destination);
  const addresses = {
    sourceAddrTon: from.ton,
    sourceAddrNpi: from.npi,
    sourceAddr: from.address,
    destAddrTon: to.ton,
    destAddrNpi: to.npi,
    destinationAddr: to.address,
  };
  const dataCoding = encodeDefaultAlphabet(text, alphabet) === null ? UCS2 : DEFAULT_ALPHABET;
  const encode = (part: string): Uint8Array =>
    dataCoding === UCS2 ? encodeUcs2(part) : (encodeDefaultAlphabet(part, alphabet) ?? encodeUcs2(part));
  const octets = encode(text);
  if (octets.length <= MAX_SHORT_OCTETS)
    return [shortMessage({ ...addresses, dataCoding, shortMessage: octets })];
  if (hasTlvs) return [shortMessage({ ...addresses, dataCoding, tlvs: { messagePayload: octets } })];
  const { parts } = split(text);
  return parts.map((part, index) => {
    const header = concatenationHeader({ reference: id, total: parts.length, part: index + 1 });
    const body = Buffer.concat([header, encode(part)]);
    return shortMessage({ ...addresses, dataCoding, esmClass: ESM_UDHI, shortMessage: body });
  });
}

/** An address with its kind (SMPP 3.4 section 5.2.5): "+" is international, other digits may be anything. */
function toAddress(text: string): { readonly ton: number; readonly npi: number; readonly address: string } {
  if (/^\+\d+$/.test(text)) return { ton: INTERNATIONAL, npi: ISDN, address: text.slice(1) };
  return /^\d+$/.test(text)
    ? { ton: 0, npi: ISDN, address: text }
    : { ton: ALPHANUMERIC, npi: 0, address: text };
}
