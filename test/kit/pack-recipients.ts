import {
  type PackedRecipients,
  type RequestRecipient,
  recipientPacker,
} from "../../src/domain/submission/recipients.ts";

/** Recipients packed for the body of their batch. */
export function packRecipients(recipients: readonly RequestRecipient[], body: string): PackedRecipients {
  const packing = recipientPacker(body);
  for (const recipient of recipients) packing.add(recipient);
  return packing.all();
}
