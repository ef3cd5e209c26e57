/** The words of connecting an operator, in English. The French has the same keys, or does not compile. */
export const CONNECT_EN = {
  title: "How is another operator connected?",
  help: "Have the operator’s sheet in hand, and copy what it says. The page makes a text of it that you put into the configuration file; nothing is changed before. What has no field here, such as the protocol (SMPP 3.4), your purchase price and the senders, does not go into this text.",
  code: "Short name of the operator",
  name: "Name of the operator",
  host: "Address of the SMSC (SMS centre)",
  port: "Port",
  systemId: "system_id (login)",
  prefixes: "Prefixes",
  throughput: "Rate granted, a second",
  window: "Window",
  price: "Default selling price of an SMS, in whole francs",
  hints: {
    name: "As you call it, such as Orange Burkina Faso. Pages and reports show it.",
    code: "For the file and for commands. Proposed from the name; without spaces or accents: orange, moov, telecel.",
    host: "The operator’s machine that takes the SMS. On the sheet: “SMSC”, “SMS centre”, “host” or “IP”. An IP address or a name, without the port. If it is missing, ask the operator: without it nothing leaves.",
    port: "On the sheet: “port”, or the number behind the colon of the address. If it says nothing, take 2775, which is usual for SMPP.",
    systemId:
      "The name by which the operator knows you. On the sheet: “system_id”, “login”, “user” or “identifier”. Capitals count. If it is missing, ask the operator.",
    throughput:
      "How many SMS the operator takes a second at most. On the sheet: “rate”, “throughput”, “TPS” or “SMS/s”. If it says nothing, leave 30: where that is too fast for it, sending slows down by itself.",
    window:
      "How many SMS may wait for the operator’s answer at once. On the sheet: “window” or “windowing”. If it says nothing, leave 10.",
    prefixes:
      "The first digits of its numbers: by them each SMS finds its operator. On the sheet: “numbers of the network”, “prefixes” or “ranges”. Copy them as they are: 04 to 07, 44 45 46, or +226 54. If they are missing, ask the operator.",
    price:
      "What you charge a client that has no price of its own. Not the price of the sheet: that is what the operator charges you. A long text counts as several SMS.",
  },
  password: "Password",
  passwordHint:
    "It is not typed here. The page marks the line that it belongs on, and no page ever shows it. Where is it to stand?",
  passwords: {
    file: { label: "In the configuration file", help: "The simplest way: nothing has to be restarted." },
    environment: {
      label: "In the server’s environment",
      help: "Outside of the file, in a variable. The server has to be restarted.",
    },
  },
  bind: "Kind of session (bind)",
  bindHint:
    "How the server signs in at the SMSC. On the sheet: “session”, “bind” or “mode”. If it says nothing, take TRX. If it allows several sessions, one is enough to begin with.",
  binds: {
    transceiver: { label: "TRX: one session, both ways", help: "Also called transceiver." },
    separate: {
      label: "TX and RX: two sessions, one to send and one to receive",
      help: "Also called transmitter and receiver.",
    },
  },
  receipts: "Delivery receipts",
  receiptsHint:
    "Does the operator tell of each SMS whether it reached the phone? On the sheet: “delivery receipts”, “delivery reports” or “DLR”. If it says nothing, leave yes.",
  receiptsTold: {
    yes: { label: "Yes" },
    no: { label: "No", help: "Then an SMS that the operator took counts as sent, never as delivered." },
  },
  understood: { one: "Understood: # prefix", other: "Understood: # prefixes" },
  misread: {
    UNCLEAR: (piece: string) =>
      `“${piece}” is not understood: it is neither the beginning of a number nor a range such as 04 to 07. Correct it or take it out.`,
    HALF: (piece: string) => `“${piece}” lacks one end: write from where to where, such as 04 to 07.`,
    BACKWARDS: (piece: string) => `“${piece}” goes backwards: the smaller end comes first.`,
    LENGTHS: (piece: string) => `“${piece}”: both ends need as many digits, such as 04 to 07.`,
    TOO_MANY: (piece: string) => `“${piece}” are more than 100 prefixes: write shorter ones.`,
    TOO_LONG: (piece: string) => `“${piece}” is longer than a phone number: write its first digits only.`,
  },
  faults: {
    EMPTY: "This is missing.",
    CODE: "It begins with a letter, then letters, digits, - or _, without spaces or accents.",
    HOST: "The address alone, as an IP address or a name; the port has its own field.",
    PORT: "A whole number from 1 to 65535.",
    SYSTEM_ID: "At most 15 characters, without accents.",
    THROUGHPUT: "A whole number from 1 to 100000.",
    WINDOW: "A whole number from 1 to 1000.",
    PRICE: "A whole number of francs, from 0 to 1000000.",
    TOO_MANY_PREFIXES: "At most 100: write shorter ones, such as 5 for 50 to 59.",
  },
  check: "Check it",
  bad: "The appliance would not take it:",
  good: "The appliance takes it. Four steps are left:",
  text: "For the configuration file",
  copy: "Copy the text",
  priceMissing:
    "The price is missing: an owner of the appliance sets it, in place of the line that begins with #. Until then only accounts with a price of their own send over this operator.",
  put: (file: string) =>
    `On the server, open ${file} and paste the text at its end. Take nothing out of what is there.`,
  putNew: (file: string) =>
    `There is no configuration file yet. On the server, make the file ${file}, paste the text into it, and let nobody else read it (chmod 600). The appliance started without one and goes by it from the next step on.`,
  putUnknown:
    "On the server, open the configuration file and paste the text at its end. Take nothing out of what is there.",
  passwordInFile: {
    one: "In the marked line, type the password of the sheet between the quotes, in place of the three dots:",
    other:
      "In the # marked lines, type the password of the sheet between the quotes, in place of the three dots:",
  },
  passwordKept:
    "Whoever reads this file reads the password: let only root and the service read it. The console shows (hidden) in its place.",
  passwordInEnvironment: (variable: string) =>
    `Leave what is marked as it is: the password comes from the variable ${variable}.`,
  serviceEnvironment: (file: string) =>
    `Add this line to ${file}, with the password of the sheet in place of the three dots:`,
  ownEnvironment:
    "In the terminal that starts the server, with the password of the sheet in place of the three dots:",
  isSet: (variable: string) => `The password is in the environment already, as ${variable}: nothing to do.`,
  restart: "Then restart the server, which reads the file too:",
  loadFile:
    "Save the file. Below, press “Look again”: what is new stands there. Then press “Reload the file”. Or in a terminal:",
  afterRestart: "Once it runs again, press “Look again” below.",
  thenTest: "The page then says whether the connection is open, and sends a test SMS.",
  changes: "What the file would change now",
  changesHint: "Once the text is in the file, it stands here. Nothing of it is in force yet.",
  passwordLeft:
    "The password is still missing: type it in the marked line, between the quotes, in place of the three dots.",
  lookAgain: "Look again",
  loaded: "It is in force.",
  next: {
    title: (name: string) => `Is ${name} connected?`,
    bound: "The connection is open.",
    underWay: "It is being made; this page looks by itself.",
    paused: "It is paused: nothing leaves until somebody resumes it on the page Operators.",
    nextTry: (time: string) => `The next attempt is in ${time}.`,
    open: "Now send a test SMS to a phone that you have in hand.",
    again: "Try now",
    toOperators: "All operators",
    todo: {
      CREDENTIALS:
        "Compare system_id and password with the sheet: capitals, 0 and O, spaces. Correct the line in the file, save, then press “Look again” and “Reload the file” above: another attempt follows at once. Are both right? Ask the operator whether it admits this kind of session, and the address of this server.",
      BOUND_ALREADY:
        "The operator lets in no more sessions under this system_id. End the other one, such as that of an older server, then press “Try now”. Or ask the operator for one more.",
      NOBODY_LISTENS:
        "Nothing answers at this address and port. Compare both with the sheet. Are they right? Ask the operator whether its SMSC is up, and whether it lets the address of this server in. Then press “Try now”.",
      NO_WAY:
        "The network does not lead there. Look at the VPN or the link to the operator, and ask whether it lets the address of this server in. Then press “Try now”.",
      NO_NAME:
        "This name is unknown. Compare the address with the sheet; if it is right, put the IP address in its place in the file, save, then “Look again” and “Reload the file” above.",
      CERTIFICATE:
        "The operator’s certificate is not trusted: ask it for the file of its authority, and name that as tls_ca_file in the file.",
      CUT: "The operator cuts the connection. Ask whether it lets the address of this server in, and whether it wants TLS. Then press “Try now”.",
      OTHER: "Press “Try now”. If it stays, tell the operator this sentence.",
    },
  },
};
