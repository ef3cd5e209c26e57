/** Bugs that somebody could make where customers bind over SMPP. */
import type { Plant } from "./plant.ts";

const CALM = { options: ["--messages", "20", "--faults", "smpp clients"] } as const;

export const OF_SMPP: readonly Plant[] = [
  {
    name: "text-repeated-unknown",
    bug: "what a text was answered is not looked for when it comes again, so that its repetition is refused as a copy",
    edits: [
      {
        file: "src/ingress/smpp/submission.ts",
        find: "if (before?.status === 0) {",
        replace: "if (before?.status === 0 && nowMs < 0) {",
      },
    ],
    ...CALM,
  },
  {
    name: "receipt-ends-when-sent",
    bug: "a receipt is over once it is written to a session, and not once the client has answered it: one that is lost on its way never comes",
    edits: [
      {
        file: "src/ingress/smpp/receipts.ts",
        find: "      else session.deliver(one.id, message);",
        replace: `      else {
        session.deliver(one.id, message);
        void store.write((tx) => endReceipt(tx, one.id), "with the next").catch(() => {});
      }`,
      },
    ],
    ...CALM,
  },
  {
    name: "receipts-for-all",
    bug: "whatever receipts a part asked for, it gets one of every end",
    edits: [
      {
        file: "src/ingress/smpp/follows.ts",
        find: "if (isOver && wantsFinal(registered, state)) {",
        replace: "if (isOver && wantsReceipts(registered)) {",
      },
    ],
    ...CALM,
  },
  {
    name: "receipt-of-the-first-part",
    bug: "of a long text the first part alone gets a receipt",
    edits: [
      {
        file: "src/ingress/smpp/submission.ts",
        find: "      registered: one.registered,\n      sessionId: one.part",
        replace: "      registered: one.part === 1 ? one.registered : 0,\n      sessionId: one.part",
      },
    ],
    ...CALM,
  },
  {
    name: "receipt-answered-comes-again",
    bug: "a receipt that the client has answered with ROK comes once more",
    edits: [
      {
        file: "src/ingress/smpp/receipts.ts",
        find: '        endReceipt(tx, id);\n        return "delivered";',
        replace: `        if (attempts === 0) postponeReceipt(tx, id, nowMs + RETRY_MS[0]);
        else endReceipt(tx, id);
        return "delivered";`,
      },
    ],
    ...CALM,
  },
  {
    name: "answered-receipt-on-full-disk",
    bug: "what a client answered while the disk takes nothing is not noted, and the receipt is sent again at once, until it can be",
    edits: [
      {
        file: "src/ingress/smpp/receipts.ts",
        find: "          if (!isStopped) clock.after(NOTE_AGAIN_MS, tryToNote);",
        replace: `          inFlight.get(userId)?.delete(id);
          if (!isStopped) again(userId);`,
      },
    ],
    options: ["--messages", "20", "--faults", "smpp clients,disk,habits"],
  },
  {
    name: "sent-for-good-is-undelivered",
    bug: "a message whose operator gives no receipts is told as UNDELIV once it is final at SENT",
    edits: [
      {
        file: "src/ingress/smpp/follows.ts",
        find: '  if (status === "SENT") return "UNKNOWN";',
        replace: "",
      },
    ],
    ...CALM,
  },
];
