/**
 * Schemas of codes in answers: those of today are listed, and others may be added (docs/public-api.md section 9). Programs generated from
 * a closed list break on the first new one, so the list stands beside the type, in the extension that is known for it.
 */
import { Type as t } from "@sinclair/typebox";
import { type Description, describe } from "../../../core/request-shape.ts";
import type { SenderStatus } from "../../../domain/accounts/senders.ts";
import { PAYMENT_REFUSALS } from "../../../domain/ledger/reservations.ts";
import type { BatchStatus } from "../../../domain/messages/batch-status.ts";
import type { ValidationRefusal } from "../../../domain/submission/staging.ts";
import { type Phrase, phrase } from "../../../i18n/phrase.ts";
import type { EndpointStatus } from "../../../webhooks/endpoints.ts";

/** An open code whose description explains the codes one by one. */
export const openEnum = (codes: readonly string[], description: Description, example = codes[0]) =>
  extensible(codes, phrase(description), example);

/** An open code whose description lists the codes. */
export const listedEnum = (
  description: "reference.code" | "reference.Rejection.reason_code",
  codes: readonly string[],
  example = codes[0],
) => extensible(codes, phrase(description, { codes: codes.join(", ") }), example);

const extensible = (codes: readonly string[], what: Phrase, example: string | undefined) =>
  t.String({
    description: describe("reference.others", { what }),
    "x-extensible-enum": codes,
    examples: [example],
  });

export const SENDER_STATUSES = Object.keys({
  REQUESTED: 1,
  APPROVED: 1,
  REJECTED: 1,
} satisfies Record<SenderStatus, 1>);
export const ENDPOINT_STATUSES = Object.keys({
  ENABLED: 1,
  DISABLED_BY_USER: 1,
  DISABLED_AFTER_FAILURES: 1,
} satisfies Record<EndpointStatus, 1>);

export const QUOTED_STATUSES = ["VALIDATING", "QUEUED", "SCHEDULED", "REJECTED"] satisfies BatchStatus[];
/** Why a batch may fail after its 202. */
export const BATCH_FAILURES = [
  ...PAYMENT_REFUSALS,
  ...(["ACCOUNT_SUSPENDED", "CONFIGURATION_ERROR", "VALIDATION_TIMEOUT", "INTERNAL_ERROR"] as const),
] satisfies ValidationRefusal["code"][];
