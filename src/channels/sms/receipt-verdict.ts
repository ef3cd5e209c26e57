import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { MessageErrorCode } from "../../domain/messages/message-error.ts";
import type { Receipt } from "./read-receipt.ts";

/**
 * Raw error codes of the mobile application part that most SMSCs pass on (3GPP TS 29.002 section 17.6.6), with what
 * they say of the phone. Others stay raw.
 */
const NETWORK_ERRORS: ReadonlyMap<string, MessageErrorCode> = new Map([
  ["1", "UNKNOWN_SUBSCRIBER"],
  ["5", "UNKNOWN_SUBSCRIBER"],
  ["6", "ABSENT_SUBSCRIBER"],
  ["9", "UNKNOWN_SUBSCRIBER"],
  ["11", "HANDSET_ERROR"],
  ["12", "HANDSET_ERROR"],
  ["27", "ABSENT_SUBSCRIBER"],
  ["31", "ABSENT_SUBSCRIBER"],
  ["32", "HANDSET_ERROR"],
  ["33", "ABSENT_SUBSCRIBER"],
  ["34", "NETWORK_ERROR"],
  ["35", "NETWORK_ERROR"],
  ["36", "NETWORK_ERROR"],
]);

/** What a receipt says of its segment: a state that ends it with our word for why, or one that is waited on. Pure. */
export function verdictOf(receipt: Pick<Receipt, "state" | "rawStat" | "errorCode">): ReceiptVerdict {
  const operatorCode = receipt.errorCode;
  const failed = (code: MessageErrorCode): ReceiptVerdict => ({
    kind: "failed",
    error: { code, operatorCode },
  });
  switch (receipt.state) {
    case "DELIVERED":
      return { kind: "delivered" };
    case "EXPIRED":
      return failed("EXPIRED_AT_OPERATOR");
    case "DELETED":
      return failed("DELETED_AT_OPERATOR");
    case "REJECTED":
      return failed("REJECTED_AT_OPERATOR");
    case "UNDELIVERABLE":
    case "FAILED":
    case "SKIPPED":
      return failed(NETWORK_ERRORS.get((operatorCode ?? "").replace(/^0+(?=\d)/, "")) ?? "UNDELIVERABLE");
    case "PENDING":
      return { kind: "pending", rawState: receipt.rawStat ?? "?" };
  }
}
