import type { AlarmWords } from "./words.ts";

export const EN: AlarmWords = {
  link_down: {
    title: "connection {connection} to {operator} is down",
    detail: "Connection {connection} to {operator} is down. {error}",
    action: '"bendre operator status" shows its last error. Traffic goes over the other connections.',
  },
  operator_down: {
    title: "no connection to {operator} is up",
    detail: "No connection to {operator} is up: nothing is sent to its numbers. {error}",
    action: '"bendre operator status" shows the last errors. Call the operator if they are not ours.',
  },
  not_taken: {
    title: "{operator} takes no message over connection {connection}",
    detail:
      "{operator} has taken none of the last {answers} messages over connection {connection}. It answers {code}: {answer}",
    action:
      "Ask the operator what its answer means. What it puts off is tried again within its validity; what it refuses has failed.",
  },
  number_stopped: {
    title: "the number {operator} has stopped",
    detail: "Meta lets the number {operator} send nothing: its messages wait. {error}",
    action:
      'Look at the number, its token and its bill at Meta. "bendre operator resume {operator}" lets it go on at once.',
  },
  template_stopped: {
    title: "the template {template} has stopped",
    detail: "The template {template} cannot be sent as before: {why}.",
    action: 'Look at it in Meta\'s WhatsApp manager. "bendre whatsapp template list" shows all of them.',
  },
  direct_text_stopped: {
    title: "{operator} sends no {class} without a template any more",
    detail:
      "Meta bills text without a template of the class {class} by {operator} as {category}: it has stopped, and its messages wait.",
    action:
      'Look at what was sent, and have texts approved as templates. "bendre whatsapp release {operator} CLASS" lets it go on.',
  },
  template_moves: {
    title: "the template {template} becomes {category}",
    detail:
      "Meta moves the template {template} to the category {category} at {at}: what of another class has not left by then fails, and batches are refused.",
    action:
      "Tell the accounts that send it. Have a text without advertising approved, or object in Meta's WhatsApp manager.",
  },
  templates_unread: {
    title: "the templates of {operator} cannot be read",
    detail: "The templates of {operator} cannot be read from Meta: what is known of them is old. {error}",
    action: '"bendre whatsapp sync" tries at once. Look at the token of the number and at its waba_id.',
  },
  country_refused: {
    title: "{operator} may not write to {country}",
    detail:
      "Meta lets {operator} write to nobody in the country {country}: each message there fails (130497).",
    action: "Ask Meta why, or take the country out of the countries of the number.",
  },
  otp_waits: {
    title: "OTPs have been waiting for {seconds} s",
    detail: "The oldest OTP has been waiting for {seconds} s.",
    action: '"bendre queue show" tells for which operator, "bendre operator status" why.',
  },
  transactional_waits: {
    title: "TRANSACTIONAL messages have been waiting for {seconds} s",
    detail: "The oldest TRANSACTIONAL message has been waiting for {seconds} s.",
    action: '"bendre queue show" tells for which operator, "bendre operator status" why.',
  },
  delivered_share: {
    title: "{operator} delivers only {share} %, {usual} % is usual",
    detail: "{operator} delivers {share} % of the last {messages} messages; {usual} % is usual.",
    action:
      '"bendre message trace" of some that failed shows the codes of the operator. Ask it what they mean.',
  },
  receipts_unmatched: {
    title: "{unmatched} receipts of {operator} match no message",
    detail: "{unmatched} of {receipts} receipts of {operator} in 15 minutes name no message of ours.",
    action: '"bendre operator receipts" lists them. Does the operator write its ids in another form now?',
  },
  throttled: {
    title: "{operator} keeps asking us to send less",
    detail: "{operator} has been asking us to send less for a while.",
    action: "Set throughput to what the contract says, or ask the operator (for WhatsApp: Meta) for more.",
  },
  disk: {
    title: "only {free} MB left on the disk of the data",
    detail: "{free} MB are free on the disk of the data; {reserve} MB of them are the reserve.",
    action: "Make room: when the reserve is reached, nothing new is accepted.",
  },
  clock: {
    title: "the clock is doubted",
    detail: "The clock of the machine is doubted ({kind}).",
    action: 'Set the clock right, or say "bendre clock accept" if what it says is right.',
  },
  books: {
    title: "the check of the books: {standing}",
    detail: "The last check of the books: {standing}.",
    action: '"bendre ledger check" checks them again and names each difference.',
  },
  backup: {
    title: "no backup for {hours} hours",
    detail: "There is no backup of the last {hours} hours.",
    action: '"bendre backup create" makes one, or says what is in its way.',
  },
  drill: {
    title: "the trial of a backup failed",
    detail: "The last trial of a backup failed: {failure}",
    action: 'Say "bendre backup create", then "bendre backup drill". Keep older backups until one is sound.',
  },
  certificate: {
    title: "the certificate of {key} ends in {left} days",
    detail: "The certificate of {key} ends in {left} days.",
    action: "Put a renewed certificate in its place.",
  },
  endpoint: {
    title: "the webhook {endpoint} of {account} keeps failing",
    detail: "The webhook {endpoint} of account {account} fails again and again.",
    action: '"bendre webhook show {endpoint}" tells why. Tell the customer.',
  },
  wallet_low: {
    title: "{account} has {spendable} XOF left",
    detail: "{account} has {spendable} XOF left to spend.",
    action: "Tell the customer, or top the wallet up.",
  },
  test: {
    title: "this is a test",
    detail: "This is a test: alarms find their way here.",
    action: "Nothing is to be done.",
  },
};
