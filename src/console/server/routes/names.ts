/** Options of list filters: operators, senders and errors by name, beside the codes that requests use. */
import { Type as t } from "typebox";
import { done } from "../../../admin/operations/refusal.ts";
import { senderList } from "../../../admin/operations/senders.ts";
import { operatorCodes } from "../../../config/config.ts";
import {
  errorPhrase,
  MESSAGE_ERRORS,
  type MessageErrorCode,
} from "../../../domain/messages/message-status.ts";
import type { PageContext } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { ACCOUNT } from "./schemas.ts";

const NAMES_QUERY = t.Object({ account: t.Optional(ACCOUNT) });

/** Errors that only WhatsApp has: listed only where a number of it is configured. */
const OF_WHATSAPP: ReadonlySet<string> = new Set<MessageErrorCode>([
  ...(["WINDOW_CLOSED", "CHANNEL_LIMIT", "RECIPIENT_OPTED_OUT"] as const),
  ...(["PARAMETER_REFUSED", "TEMPLATE_UNAVAILABLE"] as const),
]);

function namesPage(asked: PageContext, { account }: QueryOf<typeof NAMES_QUERY>) {
  const { context, translate } = asked;
  const senders = account === null ? done({ senders: [] }) : senderList(context, account);
  // The account's name may be half typed.
  if (!senders.ok && asked.account !== null) return senders;
  const { operators, whatsapp } = context.config;
  const isOnSmsAlone = Object.keys(whatsapp.numbers).length === 0;
  return done({
    operators: operatorCodes(context.config).map((code) => ({ code, name: operators[code]?.name ?? code })),

    /** Why a message did not arrive, in the language of whoever asks. */
    errors: Object.keys(MESSAGE_ERRORS)
      .filter((code) => !isOnSmsAlone || !OF_WHATSAPP.has(code))
      .map((code) => ({ code, detail: translate(errorPhrase(code)).replace(/\.$/, "") }))
      .sort((a, b) => a.detail.localeCompare(b.detail, asked.language)),

    /** Senders of the account asked about; empty where all are. */
    senders: senders.ok ? senders.value.senders.map(({ sender }) => sender) : [],
  });
}

export const NAME_ROUTES = {
  "GET /names": route("messages.read", namesPage, { query: NAMES_QUERY }),
};
