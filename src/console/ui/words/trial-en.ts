/** The words of a test text over an operator, in English. The French has the same keys, or does not compile. */
export const TRIAL_EN = {
  button: "Send a test SMS",
  title: (name: string) => `Send a test SMS over ${name}?`,
  lead: "One SMS leaves at once, and costs no account anything; the operator charges it as any other. At most 10 in an hour.",
  msisdn: "Phone that gets it",
  msisdnHint: "A number of this operator, of a phone that you have in hand. Its 8 digits are enough.",
  sender: "Sender",
  senderHint:
    "A name that the operator has declared for you, as its sheet says. Left empty: Bendre, which some operators refuse.",
  send: "Send it",
  another: (told: string) =>
    `${told}: a test would show nothing of the connection. Type a number of this operator. Nothing was sent.`,
  sendAnyway: (name: string) => `It was ported to ${name}: send it all the same`,
  sendAgain: "Send another",
  close: "Close",
  delivered: (time: string) => `The phone has it, since ${time}: the operator is connected.`,
  sent: "The operator took it. Its receipt is waited for: this page looks by itself. None comes? The phone may be off, or the operator sends none.",
  sentForGood: (name: string) => `${name} took it, and sends no receipts: look at the phone.`,
  submitted: (name: string) => `${name} was given it and has not answered yet. This page looks by itself.`,
  queued: "It waits for room on the connection. This page looks by itself.",
  todo: {
    SENDER_NOT_REGISTERED:
      "Try again with a sender that the operator has declared for you, or have it declare this one.",
    INVALID_DESTINATION: "Try a number of this operator’s own.",
    NOT_SENT: "Nothing left: see the state of the connection, then try again.",
    OTHER: "Ask the operator what its answer means.",
  },
  thenSenders: "Clients send under names that the operator knows:",
  toSenders: "register the senders",
  thenSend: "Then a client’s text:",
  toSend: "send",
};
