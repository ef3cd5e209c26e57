/** What may be wrong, in words, and what to do about it in the console. The French has the same keys, or does not compile. */
export const TROUBLES_EN = {
  setUp: {
    notUrgent: "Nothing is urgent, but not all is set up yet.",
    title: "To do before clients come",
    missing: {
      FIRST_STEPS: "The first steps are not all done",
      BACKUP: "No backup has been made yet",
      ALARMS: "Nobody is told of alarms",
      PUBLIC_URL: "The server has no public address",
    },
    todo: {
      FIRST_STEPS: "Connect an operator, create an account and send a first message.",
      BACKUP: "One is made every night. Make the first now, and see that it can be restored.",
      ALARMS: "Say in the configuration file who is told, and by which way.",
      PUBLIC_URL:
        "The links that invite people open on this machine alone. Put the address by which it is reached under [server] in the configuration file, then reload the file:",
    },
    go: { FIRST_STEPS: "What comes next", BACKUP: "To the backups", ALARMS: "The text to copy" },
  },
  rules: {
    link_down: "A connection is down",
    operator_down: "An operator is out of reach",
    not_taken: "An operator takes no message",
    number_stopped: "A number of WhatsApp has stopped",
    template_stopped: "A template has stopped",
    direct_text_stopped: "Text without a template has stopped",
    template_moves: "Meta moves a template to another category",
    templates_unread: "Templates cannot be read",
    country_refused: "Meta refuses a country",
    otp_waits: "OTPs wait",
    transactional_waits: "Transactional messages wait",
    delivered_share: "Fewer messages arrive than usual",
    receipts_unmatched: "Receipts match no message",
    throttled: "An operator keeps asking for less",
    disk: "Little room on the disk",
    clock: "The clock is doubted",
    books: "The books",
    backup: "No recent backup",
    drill: "A backup could not be restored",
    certificate: "A certificate ends",
    endpoint: "An endpoint keeps failing",
    wallet_low: "A wallet is nearly empty",
    test: "A test",
  } as Readonly<Record<string, string>>,
  /** Where the console does what the alarm's own words have a command for. */
  advice: {
    link_down: "Its last error stands with the operators. Traffic goes over the other connections.",
    operator_down: "The last errors stand with the operators. Call the operator if they are not ours.",
    number_stopped:
      "Look at the number, its token and its bill at Meta. Then let it go on, on the page of operators.",
    template_stopped: "Look at it in Meta's WhatsApp manager.",
    direct_text_stopped:
      "Look at what was sent, and have texts approved as templates. Then let it go on, on the page of templates.",
    templates_unread:
      "It is tried again by itself. Look at the token of the number and at its waba_id in the configuration.",
    otp_waits: "The queue shows for which operator they wait, and the operators why.",
    transactional_waits: "The queue shows for which operator they wait, and the operators why.",
    delivered_share: "The reports show with which errors messages fail. Ask the operator what they mean.",
    receipts_unmatched: "They are listed. Does the operator write its ids in another form now?",
    clock: "Set the machine's clock right, or say that it is to be believed if it is.",
    books: "What was found stands with the money. They are checked again every night.",
    backup: "Make one now: the page of backups does it, or says what is in its way.",
    drill: "Make a backup, and restore it for a trial. Keep older ones until one is sound.",
    endpoint: "Its last attempts and why they failed stand with it. Tell the client.",
  } as Readonly<Record<string, string>>,
  checks: {
    ready: "Submissions",
    database: "Database",
    disk: "Disk",
    clock: "Clock",
    operators: "Operators",
    queue: "What waits",
    webhooks: "Endpoints",
    books: "Books of accounts",
    backup: "Backup",
    certificates: "Certificates",
    alarms: "Alarms",
  } as Readonly<Record<string, string>>,
  /** The same of checks. */
  checkAdvice: {
    operators:
      "The page of operators has the last error of each connection, and ends a pause. What waits for an operator that the configuration has not goes on once it is back in it.",
    queue: "The page of operators shows which is away or slow.",
    webhooks: "The page of the endpoint shows why. Tell the client.",
    books: "What was found stands with the money. They are checked again every night.",
    backup: "Make one on the page of backups: it does it, or says what is in its way.",
    certificates:
      "Put a renewed certificate in its place, then have the file reloaded on the page of the state.",
    clock: "Set the machine's clock right, or say on the page of the state that it is to be believed.",
    alarms: "The page of alarms says what to do about each.",
  } as Readonly<Record<string, string>>,
  connection: (operator: string, place: number) => `${operator}, connection ${place}`,
  paused: (who: string) => `${who} is paused: nothing leaves by it`,
  pausedTodo: "Let it go on, on the page of operators, once what it was paused for is over.",
  down: (who: string) => `${who} is out of reach: nothing leaves by it`,
  downAgain: (time: string | null) =>
    `It is tried again by itself${time === null ? "" : ` (the next time at ${time})`}.`,
  downTodo: {
    NOBODY_LISTENS:
      "Nothing answers at that address and port. If it worked before, the operator is down: call it. Else compare both with its sheet.",
    NO_WAY:
      "There is no way to it: look at the link or the VPN, and whether it lets the address of this server in.",
    NO_NAME: "Look at the name in the configuration, and whether this server can look up names (DNS).",
    CREDENTIALS: "Check system_id and password with the operator.",
    BOUND_ALREADY:
      "Another session has the place: wait until it ends at the operator, or ask for one more to be let in.",
    CERTIFICATE: "Check the certificates with the operator: tls_ca_file and tls_server_name.",
    CUT: "The operator cuts the connection. If it lasts, call it.",
    OTHER: "If it lasts, call the operator.",
  },
  refusing: (who: string) => `${who} takes no message`,
  refusingTodo:
    "Ask the operator what its answer means. What it puts off is tried again within its validity; what it refuses has failed.",
  putOff: (who: string) => ({
    one: `# message waits because ${who} has put it off`,
    other: `# messages wait because ${who} has put them off`,
  }),
  putOffTodo:
    "Each is tried again until its validity is over. What the operator answered last stands with the message.",
  stray: (who: string) => ({
    one: `# message waits for ${who}, which the configuration has not`,
    other: `# messages wait for ${who}, which the configuration has not`,
  }),
  strayTodo: "Put the operator back into the configuration, or say that it has another code now, or is gone:",
  lookInto: (page: string) => `Look into it: ${page}`,
};
