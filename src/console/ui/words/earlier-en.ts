/** Words of corrected rows beside the batch that they come from, in English. The French has the same keys, or does not compile. */
export const EARLIER_EN = {
  fresh: {
    one: "# row whose number got nothing of that batch",
    other: "# rows whose numbers got nothing of that batch",
  },
  served: {
    one: "# row has a number that this batch reached already",
    other: "# rows have numbers that this batch reached already",
  },
  servedLeft:
    "The person has a message of this batch, or it is on its way. Nothing is sent to them, and nothing is paid.",
  servedSent: "You chose to send it all the same: the person gets a second message, and it is paid.",
  servedCaption: "Rows whose number was reached already",
  servedFirst: (shown: string) => `The first ${shown} are shown here; the list to download has them all.`,
  number: "Number",
  became: "Its first message",
  states: {
    DELIVERED: "delivered",
    SENT: "sent, without a receipt",
    UNDER_WAY: "on its way",
  } as Readonly<Record<string, string>>,
  sendServed: "Send these rows too",
  leaveServed: "Do not send these rows",
  failed: {
    one: "# row has a number for which this batch failed",
    other: "# rows have numbers for which this batch failed",
  },
  failedSent: "They are sent again, and paid like any other.",
  failedLeft: "You chose not to send them again: nothing is paid for them.",
  cause: (cause: string, rows: string, passing: string) => `${cause}: ${rows}. ${passing}`,
  sendFailed: "Send these rows again",
  leaveFailed: "Do not send these rows again",
};
