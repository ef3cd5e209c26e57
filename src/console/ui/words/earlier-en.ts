/** Words of corrected rows beside the batches that they come from, in English. The French has the same keys, or does not compile. */
export const EARLIER_EN = {
  compared: (first: string) => `Compared with the batch of ${first}.`,
  comparedAll: (first: string, others: string) =>
    `Compared with the batch of ${first}, and with what corrected it: ${others}.`,
  forgotten: {
    one: "# text of these batches is not kept any more: nobody can say whether one of these numbers had it.",
    other:
      "# texts of these batches are not kept any more: nobody can say whether these numbers had one of them.",
  },
  fresh: {
    one: "# row whose number is new: nothing was sent to it yet",
    other: "# rows whose numbers are new: nothing was sent to them yet",
  },
  unlocked: {
    one: "# row that you unlocked: it is sent, even if its number has a message already",
    other: "# rows that you unlocked: they are sent, even if their numbers have a message already",
  },
  served: {
    one: "# row has a number that was reached already",
    other: "# rows have numbers that were reached already",
  },
  servedLeft:
    "The person has a message already, or it is on its way. Nothing is sent to them, and nothing is paid.",
  servedSent: "You chose to send it all the same: the person gets a second message, and it is paid.",
  servedCaption: "Rows whose number was reached already",
  servedFirst: (shown: string) => `The first ${shown} are shown here; the list to download has them all.`,
  other: {
    one: "# of these rows says something else than the text that its number has already: it is not sent.",
    other:
      "# of these rows say something else than the text that their number has already: they are not sent.",
  },
  otherHelp:
    "If the person is to get this second text, bring a file with that row alone, and choose “Send these rows too”.",
  otherHidden: "The text that was sent is shown to users of the account alone.",
  otherCaption: "Rows that say something else than the text that was sent",
  otherSent: "Sent already",
  otherHere: "This row would say",
  number: "Number",
  became: "Their message",
  inBatch: (state: string, time: string) => `${state} (batch of ${time})`,
  states: {
    DELIVERED: "delivered",
    SENT: "sent, without a receipt",
    UNDER_WAY: "on its way",
  } as Readonly<Record<string, string>>,
  sendServed: "Send these rows too",
  leaveServed: "Do not send these rows",
  failed: {
    one: "# row has a number for which sending failed, and may succeed now",
    other: "# rows have numbers for which sending failed, and may succeed now",
  },
  failedSent: "They are sent again, and paid like any other.",
  failedLeft: "You chose not to send them again: nothing is paid for them.",
  lasting: {
    one: "# row has a number for which sending again changes nothing",
    other: "# rows have numbers for which sending again changes nothing",
  },
  lastingLeft: "Nothing is sent to them, and nothing is paid.",
  lastingSent: "You chose to send to them all the same: these messages are paid, even if they fail.",
  cause: (cause: string, rows: string) => `${cause}: ${rows}`,
  sendLasting: "Send to those too",
  leaveLasting: "Do not send to those",
  sendFailed: "Send these rows again",
  leaveFailed: "Do not send these rows again",
};
