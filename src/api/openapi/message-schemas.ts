/** What stands in a message object more than once. */
import { Type as t } from "@sinclair/typebox";
import { MESSAGE_ERRORS } from "../../messages/message-error.ts";
import { STATUSES } from "../../messages/status.ts";
import { openCode } from "./open-codes.ts";
import { channel, instant, operatorCode, told, truth } from "./schema-kinds.ts";

/** What went wrong with a message, or with one of its ways. */
export const messageError = (description: string) =>
  t.Union(
    [
      t.Object({
        ...told(
          Object.keys(MESSAGE_ERRORS),
          "the phone was off or out of reach until the validity ended",
          "ABSENT_SUBSCRIBER",
        ),
        is_permanent: truth(
          "Whether it is pointless that a program sends the same again by itself: number, sender or text has to change, or a person to decide so, as after CANCELLED.",
          false,
        ),
        operator_code: t.Union([t.String(), t.Null()], {
          description: "What the operator said, in its own code; null when it said nothing.",
          examples: ["027"],
        }),
      }),
      t.Null(),
    ],
    { description },
  );

export const messageStatus = openCode(
  STATUSES,
  "QUEUED, SUBMITTED, SENT, DELIVERED, FAILED or CANCELLED.",
  "DELIVERED",
);

/** The ways that a message took, in the order of use. */
export const usedChannels = t.Array(
  t.Object({
    channel,
    operator: operatorCode,
    status: messageStatus,
    at: instant("When it came to that."),
    error: messageError("Why this way failed; null when it did not."),
  }),
  {
    description:
      "The ways by which it went, in the order of use: one, or two where a message of WhatsApp went on as an SMS. `operator`, `segments`, `encoding` and `amount` above are those of the way that carries it.",
  },
);
