/** What an account pays for a message: the operators' prices from the configuration, and its own, which go before them. */
import { type Config, toWhatsAppOperator } from "../../config/config.ts";
import type { Xof } from "../../core/money.ts";
import { toLiveId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../accounts/message-class.ts";
import { listPrices } from "../accounts/prices.ts";

export type ListedPrice = {
  readonly operator: string;
  /** Null: every class without a price of its own. */
  readonly message_class: MessageClass | null;
  /** Whole XOF per segment; of a number of WhatsApp, per message. */
  readonly amount: Xof;
  /** Whose price it is: the account's own, or the operator's from the configuration. */
  readonly source: "account" | "operator";
};

/** The account's own prices first, then those of the operators and of the numbers of WhatsApp. A sandbox has its account's. */
export function listAllPrices(
  { operators, whatsapp }: Pick<Config, "operators" | "whatsapp">,
  read: Reader,
  accountId: number,
): ListedPrice[] {
  const own = listPrices(read, toLiveId(accountId)).map(
    ({ operator, messageClass, amount }): ListedPrice => ({
      operator,
      message_class: messageClass,
      amount,
      source: "account",
    }),
  );
  const ofOperators = Object.entries(operators).flatMap(([operator, { price }]): ListedPrice[] =>
    price === undefined ? [] : [{ operator, message_class: null, amount: price, source: "operator" }],
  );
  const ofNumbers = Object.entries(whatsapp.numbers).flatMap(([code, { price }]) =>
    MESSAGE_CLASSES.flatMap((message_class): ListedPrice[] => {
      const amount = price[message_class];
      const operator = toWhatsAppOperator(code);
      return amount === undefined ? [] : [{ operator, message_class, amount, source: "operator" }];
    }),
  );
  return [...own, ...ofOperators, ...ofNumbers];
}
