/**
 * The arguments of a request as octets: which text they are is told by other arguments. The first of a name counts.
 */
export type Arguments = ReadonlyMap<string, Uint8Array>;

const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;

/** Reads `name=value&…`, as queries and forms are written. */
export function readArguments(octets: Uint8Array): Arguments {
  const found = new Map<string, Uint8Array>();
  for (const piece of Buffer.from(octets).toString("latin1").split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = text(percentDecode(equals === -1 ? piece : piece.slice(0, equals)));
    if (!found.has(name)) found.set(name, percentDecode(equals === -1 ? "" : piece.slice(equals + 1)));
  }
  return found;
}

/** The arguments in the query of a URL. */
export function queryOf(url: string): Arguments {
  const at = url.indexOf("?");
  const [query = ""] = at === -1 ? [] : url.slice(at + 1).split("#");
  return readArguments(Buffer.from(query));
}

/** An argument as text; undefined without one. */
export function textOf(args: Arguments, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const octets = args.get(name);
    if (octets) return text(octets);
  }
  return undefined;
}

function text(octets: Uint8Array): string {
  return Buffer.from(octets).toString("utf8");
}

/** `+` is a space, `%41` an octet; a `%` without two digits stands for itself. */
export function percentDecode(latin: string): Uint8Array {
  const octets = Buffer.from(latin, "latin1");
  const plain = new Uint8Array(octets.length);
  let length = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] ?? 0;
    const pair = octet === PERCENT ? latin.slice(at + 1, at + 3) : "";
    const isEscape = /^[0-9a-fA-F]{2}$/.test(pair);
    plain[length] = isEscape ? Number.parseInt(pair, 16) : octet === PLUS ? SPACE : octet;
    length += 1;
    if (isEscape) at += 2;
  }
  return plain.subarray(0, length);
}
