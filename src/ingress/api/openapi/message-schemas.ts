/** What stands in a message object more than once. */
import { Type as t } from "@sinclair/typebox";
import { type Description, describe } from "../../../core/description.ts";
import { MESSAGE_ERRORS } from "../../../domain/messages/message-error.ts";
import { STATUSES } from "../../../domain/messages/status.ts";
import { openCode } from "./open-codes.ts";
import { channel, instant, operatorCode, told, truth } from "./schema-kinds.ts";

/** What went wrong with a message, or with one of its ways. */
export const messageError = (description: Description) =>
  t.Union(
    [
      t.Object({
        ...told(
          Object.keys(MESSAGE_ERRORS),
          "the phone was off or out of reach until the validity ended",
          "ABSENT_SUBSCRIBER",
        ),
        is_permanent: truth("reference.Message.error.is_permanent", false),
        operator_code: t.Union([t.String(), t.Null()], {
          description: describe("reference.Message.error.operator_code"),
          examples: ["027"],
        }),
      }),
      t.Null(),
    ],
    { description: describe(description) },
  );

export const messageStatus = openCode(STATUSES, "reference.Message.status", "DELIVERED");

/** The ways that a message took, in the order of use. */
export const usedChannels = t.Array(
  t.Object({
    channel,
    operator: operatorCode,
    status: messageStatus,
    at: instant("reference.Message.channels.at"),
    error: messageError("reference.Message.channels.error"),
  }),
  {
    description: describe("reference.Message.channels"),
  },
);
