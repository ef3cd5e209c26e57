/** Every bug that the simulation must find: first those that were there once, brought back; then others that could be. */
import type { Plant } from "./plant.ts";

export const PLANTS: readonly Plant[] = [
  {
    name: "stages-never-void",
    bug: "what a failed submission had staged goes on counting, so its repetition loses recipients to DUPLICATE_RECENT_BODY",
    edits: [
      {
        file: "src/messages/stages.ts",
        find: "          now.isVoid = true;",
        replace: "          now.isVoid = false;",
      },
    ],
  },
  {
    name: "claims-behind-a-cancel",
    bug: "a claim that waited behind the writer is carried out though its account was suspended or its number opted out meanwhile",
    edits: [
      {
        file: "src/outbound/claim.ts",
        find: "switch (barOf(tx, batch.accountId, message.msisdn, batch.messageClass)) {",
        replace:
          "switch (batch.accountId < 0 ? barOf(tx, batch.accountId, message.msisdn, batch.messageClass) : null) {",
      },
    ],
  },
  {
    name: "receipt-answered-before-durable",
    bug: "a receipt is answered before it is written down, so a death loses it",
    edits: [
      {
        file: "src/sms/incoming.ts",
        find: "    try {\n      const receipt = readReceipt(message);",
        replace: "    try {\n      answer(STATUS.ROK);\n      const receipt = readReceipt(message);",
      },
    ],
  },
];
