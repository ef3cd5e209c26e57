import type { Tx } from "../../db/write.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { MessageErrorCode } from "../../domain/messages/message-error.ts";
import { classifyMetaError } from "./consequence.ts";
import { decodeOpaque } from "./post-body.ts";
import type { CloudStatus } from "./statuses.ts";

/** What a status says of a text that an administrator sent to see a number work. */
export type TestMessageStatus = {
  /** The id that it was given. */
  readonly ulid: string;
  /** Meta's. */
  readonly remoteId: string;
  readonly rawState: string;
  readonly operatorCode: string | null;
  readonly verdict: ReceiptVerdict;
  readonly atMs: number;
};

/** Notes it of the test that it is about; false where it is about none. */
export type SaveTestMessageStatus = (tx: Tx, told: TestMessageStatus) => boolean;

/** A status of no message as one of a test; null for what was never ours. Pure. */
export function toTestMessageStatus(status: CloudStatus, nowMs: number): TestMessageStatus | null {
  const ours = status.opaque === null ? null : decodeOpaque(status.opaque);
  if (ours === null) return null;
  const operatorCode = status.code === null ? null : String(status.code);
  const verdict = verdictOf(status, operatorCode);
  return {
    ulid: ours.messageUlid,
    remoteId: status.wamid,
    rawState: status.status,
    operatorCode,
    verdict,
    atMs: nowMs,
  };
}

function verdictOf({ status, code }: CloudStatus, operatorCode: string | null): ReceiptVerdict {
  if (status === "sent") return { kind: "pending", rawState: status };
  if (status !== "failed") return { kind: "delivered" };
  return { kind: "failed", error: { code: errorOf(code), operatorCode } };
}

function errorOf(code: number | null): MessageErrorCode {
  const what = classifyMetaError(code, { as: "status" });
  if (what.kind === "final") return what.error;
  return what.kind === "again" ? "OPERATOR_THROTTLED" : "OPERATOR_REJECTED";
}
