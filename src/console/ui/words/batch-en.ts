/** The words of one batch's page and one message's, in English. The French has the same keys, or does not compile. */
export const BATCH_EN = {
  failures: "Who did not get the text, and why",
  seeFailed: { one: "See the message that failed", other: "See the # messages that failed" },
  failed: { one: "# that failed", other: "# that failed" },
  passing: "Sending it again may help.",
  registerFirst:
    "Once the sender is registered with this operator, “Send again to those who failed” sends them the text.",
  allReached: { one: "The person got it since.", other: "All # got it since." },
  reached: { one: "# got it since.", other: "# got it since." },
  pending: {
    one: "For #, a new text is under way, or left without a receipt.",
    other: "For #, a new text is under way, or left without a receipt.",
  },
  stillNothing: { one: "# still has nothing.", other: "# still have nothing." },
  lasting: "Sending it again will not help.",
  costAll: "Paid all the same",
  paidInAll: (amount: string) => `Paid all the same, in all: ${amount}.`,
  whyPaid:
    "A text that the operator accepted is paid, also if the phone does not get it afterwards: the operator bills it. A text that the operator refuses at once costs nothing.",
  whyPaidOne: (amount: string) =>
    `This text cost ${amount} although it did not arrive: the operator had accepted it, and bills what it accepts.`,
  againOne: "Send the one that failed again",
  again: (passing: string, failed: string) => `Send ${passing} of the ${failed} again`,
  notAgain: "These are not sent again:",
  againBalance: (account: string, before: string, after: string) =>
    `The balance of ${account} is ${before}, and will be ${after}.`,
  technical: "Technical details",
  advice: {
    UNKNOWN_SUBSCRIBER:
      "The network does not know this number: mistyped, given up, or its SIM card is switched off. Sending again does not help. If the person still uses it, they have the card checked by their operator, or give another number.",
    INVALID_DESTINATION: "This number takes no texts at this operator. Check it, or ask for another.",
    ABSENT_SUBSCRIBER: "The phone was off or out of reach. Sending it later may help.",
    HANDSET_ERROR:
      "Often the memory of the phone or its card is full. Have some of it freed, then send again.",
    EXPIRED_AT_OPERATOR:
      "Most often the phone was off or out of reach until the time was over: sending it later may help.",
    REJECTED_AT_OPERATOR:
      "The operator had taken the text, and then refused it without delivering it: often a filter for senders or contents.",
    OPERATOR_REJECTED: "The operator refused this text at once.",
    DELETED_AT_OPERATOR: "The operator took the text away before it was delivered.",
    UNDELIVERABLE: "The operator says no more than that.",
  } as Readonly<Record<string, string>>,
  noCode: "none",
  askOperator: (operator: string, code: string) =>
    `If it happens often, ask the support of ${operator} why, with the number, the time and its error code (${code}).`,
  askUs: (id: string) => `If it happens often, ask those who run the platform why, with the id ${id}.`,
  repeated: {
    one: "# row has a number that stands further up, or has had its turn",
    other: "# rows have a number that stands further up, or has had its turn",
  },
  family: "This batch and its corrections",
  corrects: (time: string) => `Corrects the batch of ${time}`,
  thisOne: "this batch",
  firstOne: "the first",
  sum: "Together",
  howMany: "How many people have nothing yet, and why",
  stillUnsent: { one: "# person", other: "# people" },
  sumHelp:
    "A row that stays out because its number has the text already counts as not sent each time it comes back. The last line counts people: those to whom nothing was ever sent, each once.",
  sentSince: { one: "# text taken up by corrections since", other: "# texts taken up by corrections since" },
  againReached: {
    one: "# of those that failed has the text by a correction since, or may still get it: nothing is sent there again.",
    other:
      "# of those that failed have the text by a correction since, or may still get it: nothing is sent there again.",
  },
  held: { one: "# text waits", other: "# texts wait" },
  paused: (waiting: string, operator: string, since: string) =>
    `${waiting}: ${operator} is paused since ${since}`,
  pausedBy: (by: string | null, reason: string) =>
    by === null ? `. Reason: ${reason}` : `, by ${by}. Reason: ${reason}`,
  away: (waiting: string, operator: string, since: string | null) =>
    since === null
      ? `${waiting}: ${operator} is not connected`
      : `${waiting}: ${operator} is not connected since ${since}`,
  valuesKept:
    "If the text has {tags}, their columns are in the file; what stood in them is kept only of rows that could not be read or repeat a number, and of the first 1,000 rows of a file that were rejected.",
  valuesHidden:
    "What the text says to each person is shown to users of the account alone: the columns of {tags} are empty here. Ask the client to download this file on their side: there they are filled in.",
  missedFileHelp:
    "Correct the rows and bring the file by “Send the corrected rows”: whoever has the text already does not get it twice. A row that repeats a number stays out. To send it all the same, empty its cell “reason_code”. Leave the column “bendre_row” as it is: by it each row is known.",
};
