/**
 * Requests with something behind them, as clients, proxies and attackers write them. Whatever it is, and however the octets are cut
 * into writes, each request that was whole is answered, in its order.
 */

/** A request, in the parts that the forms put together. */
export type WireRequest = {
  readonly line: string;
  /** Without Content-Length, Transfer-Encoding and Connection. */
  readonly fields: readonly string[];
  readonly body: string;
};

export type OctetForm = {
  readonly name: string;
  /** What is written, one write each; a number waits so many turns of the event loop and at least as many milliseconds. */
  readonly writes: readonly (string | number)[];
  /** The client ends its half behind the last write. */
  readonly endsHalf: boolean;
  /** How many of the requests are answered; what is no request is answered with a bare 4xx behind them, or not at all. */
  readonly answered: number;
};

/** `make(n)`: the n-th request, each with a body of its own. */
export function octetForms(make: (n: number) => WireRequest): OctetForm[] {
  const plain = (n: number, ...more: string[]): string => {
    const { line, fields, body } = make(n);
    return [line, ...fields, ...more, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n");
  };
  const chunked = (n: number, trailer = ""): string => {
    const { line, fields, body } = make(n);
    const head = [line, ...fields, "Transfer-Encoding: chunked", "", ""].join("\r\n");
    const [first, rest] = [body.slice(0, 3), body.slice(3)];
    const chunks = [first, rest].map(
      (piece) => `${Buffer.byteLength(piece).toString(16)};x=1\r\n${piece}\r\n`,
    );
    return `${head}${chunks.join("")}0\r\n${trailer}\r\n`;
  };
  const version10 = (n: number): string => plain(n).replace(" HTTP/1.1\r\n", " HTTP/1.0\r\n");
  const octets = (text: string): string[] => [...text];
  const form = (
    name: string,
    answered: number,
    writes: readonly (string | number)[],
    endsHalf = false,
  ): OctetForm => ({ name, answered, writes, endsHalf });
  return [
    form("an empty line", 1, [`${plain(1)}\r\n`]),
    form("four empty lines, then another request", 2, [`${plain(1)}\r\n\r\n\r\n\r\n${plain(2)}`]),
    form("half an empty line", 1, [`${plain(1)}\n`]),
    form("one octet more than was declared", 1, [`${plain(1)}X`]),
    form("a line that is no request", 1, [`${plain(1)}what is this\r\n\r\n`]),
    form("a megabyte of what is no request", 1, [`${plain(1)}${"x".repeat(1_048_576)}`]),
    form("another request", 2, [plain(1) + plain(2)]),
    form("two other requests", 3, [plain(1) + plain(2) + plain(3)]),
    form("an empty line in a later write", 1, [plain(1), 1, "\r\n"]),
    form("an octet in a later write", 1, [plain(1), 1, "X"]),
    form("another request in a later write", 2, [plain(1), 1, plain(2)]),
    form("half of another request, the rest later", 2, [
      plain(1) + plain(2).slice(0, 9),
      5,
      plain(2).slice(9),
    ]),
    form("an empty line and another request, an octet a write", 2, octets(`${plain(1)}\r\n${plain(2)}`)),
    form("the end of the client's half", 1, [plain(1)], true),
    form("an empty line and the end of the client's half", 1, [`${plain(1)}\r\n`], true),
    form("another request and the end of the client's half", 2, [plain(1) + plain(2)], true),
    form(
      "half of another request and the end of the client's half",
      1,
      [plain(1) + plain(2).slice(0, 9)],
      true,
    ),
    form("another request, both in chunks", 2, [chunked(1) + chunked(2, "X-Sum: 1\r\n")]),
    form("chunks, an octet a write, and another request", 2, octets(chunked(1) + plain(2))),
    form("a body that did not wait for 100 Continue, and an empty line", 1, [
      `${plain(1, "Expect: 100-continue")}\r\n`,
    ]),
    form("another request, although the connection was to be closed", 1, [
      plain(1, "Connection: close") + plain(2),
    ]),
    form("an empty line, in HTTP/1.0", 1, [`${version10(1)}\r\n`]),
    form("empty lines before it, too", 1, [`\r\n\r\n${plain(1)}\r\n\r\n`]),
  ];
}
