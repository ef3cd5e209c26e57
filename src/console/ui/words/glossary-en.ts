/** The words of the trade that the help explains, in English, by name and meaning. The French has the same keys, or does not compile. */
export const TERMS_EN = {
  batch: "Batch",
  segment: "SMS that counts (segment)",
  tag: "Tag",
  class: "Class",
  otp: "OTP",
  receipt: "Receipt",
  delivered: "Delivered share",
  booked: "Booked",
  reserved: "Reserved",
  books: "Books of accounts",
  key: "API key",
  webhook: "Endpoint (webhook)",
  window: "Window",
  rate: "Per second",
  publicUrl: "public_url",
  environment: "Environment",
  passphrase: "Passphrase",
};

/** What each means, in two sentences at most. */
export const GLOSSARY_EN = {
  batch: "One text that is sent in one go, to one or many people. The page Batches shows how each is doing.",
  segment: "One SMS as it is billed. A long text, or one with rare letters, counts as several.",
  tag: "A word in braces in the text, such as {name}. When it is sent, what the list says of each person takes its place.",
  class: "OTP goes first, then transactional, then marketing.",
  otp: "A code that is good once, such as that of a sign-in or a payment. It goes out before all other texts.",
  receipt:
    "The operator’s word on whether the phone got the text. Without it nobody knows whether the text arrived.",
  delivered:
    "Each share says of what it is one. Of a batch or a day it is of all texts accepted; of an operator, of those that it took or judged, without those that never left.",
  booked: "Charged to accounts since midnight.",
  reserved: "Money set aside for texts that are not over yet. It is charged then, or given back.",
  books:
    "The accounting of this appliance: all that was paid in, charged and given back. It is checked every night: the sum of all entries has to equal the balances.",
  key: "A password for a program, such as an online shop, to send and read for an account. Each program has its own, which can be revoked.",
  webhook:
    "The address of a client’s program that is told when a text or a batch is over. Who has no such program needs none.",
  window: "How many texts may be on their way to the operator without its answer.",
  rate: "How many texts went out in the last second, of how many the operator grants.",
  publicUrl:
    "The setting that says at which address people open this console. Without it an invitation opens on the server itself and nowhere else.",
  environment:
    "Values that the machine hands to the program when it starts, outside the configuration file. Passwords stand there, so that nobody reads them in the file.",
  passphrase:
    "A long password that seals the keys of the appliance in its backups. Keep it away from the machine: without it nobody can open them again.",
};
