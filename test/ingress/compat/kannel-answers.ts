/**
 * What smsbox of Kannel 1.4.5, as Debian packages it, answered to these queries on a Monday in 2026, with an operator that takes
 * everything. It was asked once; the tests need none. `@` stands for user and password, `#` for a text that is asked once.
 */
export type Answer = readonly [status: number, words: string];

const TAKEN: Answer = [202, "0: Accepted for delivery"];
const no = (words: string): Answer => [400, `${words}, rejected`];
const misformed = (name: string): Answer => no(`${name} field misformed`);
const CHARSET = no("Charset or body misformed");
const DENIED: Answer = [403, "Authorization failed for sendsms"];
const SENDER = no("Sender missing and no global set");

const SOUND = "@&to=70000001&from=ACME&text=#";
const each = (name: string, values: readonly string[], answer: Answer) =>
  values.map((value) => [`${SOUND}&${name}=${value}`, answer] as const);

/** Where both say the same. */
export const ALIKE: readonly (readonly [query: string, answer: Answer])[] = [
  [SOUND, TAKEN],
  ["@&from=ACME&text=#", no("Missing receiver number")],
  ["@&to=&from=ACME&text=#", no("Empty receiver number not allowed")],
  ["@&to=70000001&text=#", SENDER],
  ["@&to=70000001&from=&text=#", SENDER],
  ["to=70000001&from=ACME&text=#", DENIED],
  ["username=faso&to=70000001&from=ACME&text=#", DENIED],
  ["password=wrong&to=70000001&from=ACME&text=#", DENIED],
  ["@&to=70000001+70000002+70000003&from=ACME&text=#", TAKEN],
  ["@&to=70000001+70000001&from=ACME&text=#", TAKEN],
  ["@&to=%2B22670000001+0022670000002&from=ACME&text=#", TAKEN],
  ["@&to=7000000x+70000001&from=ACME&text=#", TAKEN],
  ["@&to=70-00-00-01&from=ACME&text=#", TAKEN],
  ["@&to=70000001&to=70000002&from=ACME&text=#", TAKEN],
  ["@&to=70000001&from=ACME&from=NOBODY&text=#", TAKEN],
  [`${SOUND}&colour=red&smsc=default&binfo=1&meta-data=%3Fsmpp%3Fa%3Db&account=abc&flash=1`, TAKEN],
  [`${SOUND}+100%+%25+%zz`, TAKEN],
  [`${SOUND}${"a".repeat(900)}`, TAKEN],
  ...each("coding", ["", "-1", "0", "x"], TAKEN),
  ...each("coding", ["-2", "3", "4"], misformed("Coding")),
  ...each("coding", ["2&charset=UTF-8", "2x&charset=UTF-8", "+2&charset=ISO-8859-1"], TAKEN),
  ...each("mclass", ["", "-1", "1", "1x", "x"], TAKEN),
  ...each("mclass", ["-2", "4"], misformed("MClass")),
  ...each("udh", [""], TAKEN),
  ...each("udh", ["%01", "050003010201"], misformed("UDH")),
  ...each("dlr-mask", ["", "-1", "0", "1", "31", "63", "64", "66", "x"], TAKEN),
  ...each("dlr-mask", ["-2", "67", "1000"], misformed("DLR-Mask")),
  ...each("dlr-url", ["http://a", "HTTP://a.example/x", "https://a.example/?t=%25d", "http://a/b+c"], TAKEN),
  ...each("dlr-url", ["http://", "ftp://a.example/x", "http:/x", "x"], misformed("DLR-URL")),
  ...each("dlrmask", ["31&dlrurl=http://a.example/x"], TAKEN),
  ...each(
    "charset",
    ["UTF-8", "utf8", "ISO-8859-1", "latin1", "WINDOWS-1252", "CP1252", "KOI8-R", "ASCII", ""],
    TAKEN,
  ),
  ...each("charset", ["klingon", "GSM", "ISO-8859-99"], CHARSET),
  ...each("validity", ["-1", "0", "300", "x"], TAKEN),
  ...each("validity", ["-2"], misformed("Validity")),
  ...each("deferred", ["-1", "0", "3", "x"], TAKEN),
  ...each("deferred", ["-2"], misformed("Deferred")),
  ...each("priority", ["-1", "0", "3", "x"], TAKEN),
  ...each("priority", ["-2", "8", "300"], misformed("Priority")),
  ...each("pid", ["-1", "0", "x"], TAKEN),
  ...each("pid", ["-2", "300"], misformed("PID")),
  ...each("rpi", ["-1", "0", "1", "2"], TAKEN),
  ...each("rpi", ["-2", "3"], misformed("RPI")),
  ...each("alt-dcs", ["-1", "0", "1"], TAKEN),
  ...each("alt-dcs", ["-2", "3"], misformed("Alt-DCS")),
  ...each("mwi", ["-1", "x"], TAKEN),
  ...each("mwi", ["-2", "8"], misformed("MWI")),
  ...each("compress", ["-1", "0"], TAKEN),
  ...each("compress", ["-2", "3"], misformed("Compress")),
  ...each("account", ["a".repeat(64)], TAKEN),
  ...each("account", ["a".repeat(65), "[a]"], [400, "Account field misformed or too long, rejected"]),
];

/** Where smsbox takes what would become another message here, or says something else: what it says, and what is said here. */
export const OTHERWISE: readonly (readonly [query: string, kannel: Answer, ours: Answer])[] = [
  // A text message has a text.
  ["@&to=70000001&from=ACME", TAKEN, [400, "Empty text not allowed, rejected."]],
  ["@&to=70000001&from=ACME&text=+", TAKEN, [400, "Empty text not allowed, rejected."]],
  ["@&to=70000001&from=ACME&text=a%00b", TAKEN, CHARSET],
  ["@&to=70000001&from=ACME&text=%FF%FE", TAKEN, CHARSET],
  // Octets, other headers, texts that are shown and not kept, signs of waiting voice mail.
  ...["0", "2", "3"].map(
    (value) => [`${SOUND}&mclass=${value}`, TAKEN, misformed("MClass")] as [string, Answer, Answer],
  ),
  [`${SOUND}&coding=1`, TAKEN, misformed("Coding")],
  [`${SOUND}&udh=%05%00%03%01%02%01`, TAKEN, misformed("UDH")],
  [`${SOUND}&mwi=0`, TAKEN, misformed("MWI")],
  [`${SOUND}&pid=64`, TAKEN, misformed("PID")],
  [`${SOUND}&compress=1`, TAKEN, misformed("Compress")],
  // UTF-16 comes in pairs of octets.
  ["@&to=70000001&from=ACME&coding=2&text=%00h%00", TAKEN, CHARSET],
  // What is no number is rejected as whatever cannot be routed is.
  [
    "@&to=7000000x&from=ACME&text=#",
    [400, "Number(s) has/have been denied by white- and/or black-lists."],
    [403, "Not routable. Do not try again."],
  ],
  // Senders are those of the account.
  ["@&to=70000001&from=ABCDEFGHIJKLMNOP&text=#", TAKEN, SENDER],
  // The addresses of endpoints: no password in them, and 2,048 letters at most.
  [`${SOUND}&dlr-url=http://u:p@a.example/`, TAKEN, misformed("DLR-URL")],
  [`${SOUND}&dlr-url=http://a.example/${"a".repeat(3000)}`, TAKEN, misformed("DLR-URL")],
];

export type Posting = {
  readonly type: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: Answer;
};

/** What smsbox says of a POST of a text by its type and headers, beside those of a user and a sender that are right. */
export const POSTED: readonly Posting[] = [
  { type: "text/plain", headers: { to: "70000001" }, answer: TAKEN },
  { type: "text/plain; charset=ISO-8859-1", headers: { to: "70000001" }, answer: TAKEN },
  { type: "application/octet-stream", headers: { to: "70000001" }, answer: TAKEN },
  { type: "text/plain", headers: { to: "70000001 70000002" }, answer: TAKEN },
  {
    type: "text/plain",
    headers: { to: "70000001", "dlr-mask": "31", "dlr-url": "http://a/" },
    answer: TAKEN,
  },
  { type: "text/plain", headers: {}, answer: no("Missing receiver(s) number(s)") },
  { type: "text/plain", headers: { to: "" }, answer: no("Empty receiver number not allowed") },
  { type: "text/plain", headers: { to: "70000001", password: "wrong" }, answer: DENIED },
  { type: "text/html", headers: { to: "70000001" }, answer: [415, "Unsupported content-type, rejected"] },
  { type: "text/html", headers: {}, answer: no("Missing receiver(s) number(s)") },
  { type: "application/json", headers: { to: "70000001" }, answer: [400, "Invalid content-type"] },
  { type: "multipart/form-data; boundary=x", headers: {}, answer: [400, "Invalid content-type"] },
];

/** Elements of a document of Kannel's XML; without one, what is right. */
export type Document = {
  readonly ud?: string;
  readonly da?: string;
  readonly oa?: string;
  readonly from?: string;
  readonly more?: string;
};

/** What smsbox says of a document, and what its text is then. */
export const WRITTEN: readonly (readonly [document: Document | string, answer: Answer, text?: string])[] = [
  [{ ud: "Hello" }, TAKEN, "Hello"],
  [{ ud: "Hello%20there%2C+%C3%A9" }, TAKEN, "Hello there, é"],
  [{ ud: Buffer.from("Hello in hex").toString("hex") }, TAKEN, "Hello in hex"],
  [{ ud: "<![CDATA[Salt & <pepper>]]>" }, TAKEN, "Salt & <pepper>"],
  [{ ud: "Salt &amp; &#233;" }, TAKEN, "Salt & é"],
  [{ ud: "<!-- none -->Deep", more: "<dcs><coding>2</coding></dcs>" }, TAKEN, "Deep"],
  [{ from: "<from><user>@u</user><pass>@p</pass><account>a</account></from>" }, TAKEN],
  [{ da: "<da><number>70000001</number></da><da><number>70000002</number></da>" }, TAKEN],
  [{ da: "" }, no("Missing receiver(s) number(s)")],
  [{ da: "<da><number></number></da>" }, no("Missing receiver(s) number(s)")],
  [{ oa: "" }, SENDER],
  [{ from: "" }, DENIED],
  [{ from: "<from><username>@u</username><password>wrong</password></from>" }, DENIED],
  [{ more: "<dcs><mclass>5</mclass></dcs>" }, misformed("MClass")],
  [{ more: "<dcs><coding>5</coding></dcs>" }, misformed("Coding")],
  [{ more: "<timing><delay>-5</delay></timing>" }, misformed("Deferred")],
  [
    {
      more: "<statusrequest><dlr-mask>31</dlr-mask><dlr-url>http://a/?t=%d&amp;p=%p</dlr-url></statusrequest>",
    },
    TAKEN,
  ],
  [
    { more: "<statusrequest><dlr-mask>31</dlr-mask><dlr-url>ftp://a</dlr-url></statusrequest>" },
    misformed("DLR-URL"),
  ],
  ["<message><submit>", DENIED],
  ["<message></submit>", DENIED],
  ["", DENIED],
];

/** What the escapes of a callback say when it is delivered, with `id` for the operator's id; and when the operator refused it. */
export const FILLED = {
  delivered: {
    d: "1",
    c: "-1",
    C: "UTF-8",
    m: "-1",
    M: "-1",
    O: "00",
    k: "id%3Aid",
    s: "sub%3A001",
    p: "0022670000001",
    P: "ACME",
    q: "%2B22670000001",
    Q: "ACME",
    n: "faso",
    F: "id",
    B: "",
    D: "",
    f: "",
    u: "",
    v: "",
    V: "",
    "%": "%",
    z: "%z",
    "1": "%1",
    "#smpp#x#": "",
  },
  taken: { d: "8", A: "ACK%2F", a: "ACK%2F", b: "ACK%2F", k: "ACK%2F", r: "", s: "", S: "" },
  refused: { d: "16", F: "" },
} as const;
