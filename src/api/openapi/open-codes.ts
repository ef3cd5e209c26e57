/**
 * Codes in answers: those of today are listed, and others may be added (docs/public-api.md section 9). Programs that are generated from a
 * closed list break on the first new one, so the list stands beside the type, in the extension that is known for it.
 */
import { Type as t } from "@sinclair/typebox";
import type { SenderStatus } from "../../accounts/senders.ts";
import type { ValidationRefusal } from "../../intake/validate-batch.ts";
import type { BatchStatus } from "../../messages/batch-status.ts";
import { PAYMENT_REFUSALS } from "../../wallet/reserve.ts";
import type { EndpointStatus } from "../../webhooks/endpoints.ts";

/** `description` says what is to be said of each. */
export const openCode = (codes: readonly string[], description: string, example = codes[0]) =>
  t.String({
    description: `${description} Others may be added.`,
    "x-extensible-enum": codes,
    examples: [example],
  });

/** `beginning` is ended by the list of codes. */
export const listedCode = (beginning: string, codes: readonly string[], example = codes[0]) =>
  openCode(codes, `${beginning} ${codes.join(", ")}.`, example);

export const SENDER_STATUSES = Object.keys({
  ...{ REQUESTED: 1, APPROVED: 1, REJECTED: 1 },
} satisfies Record<SenderStatus, 1>);
export const ENDPOINT_STATUSES = Object.keys({
  ...{ ENABLED: 1, DISABLED_BY_USER: 1, DISABLED_AFTER_FAILURES: 1 },
} satisfies Record<EndpointStatus, 1>);

export const QUOTED_STATUSES = ["VALIDATING", "QUEUED", "SCHEDULED", "REJECTED"] satisfies BatchStatus[];
/** Why a batch may fail after its 202. */
export const BATCH_FAILURES = [
  ...PAYMENT_REFUSALS,
  ...(["ACCOUNT_SUSPENDED", "CONFIGURATION_ERROR", "VALIDATION_TIMEOUT", "INTERNAL_ERROR"] as const),
] satisfies ValidationRefusal["code"][];
