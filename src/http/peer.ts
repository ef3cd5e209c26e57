/** The address of the other end of a connection as the system tells it, or null where it can't. */
export type Peer = () => string | null;

/** What a proxy adds. One on this machine makes the whole world look like loopback. */
const FORWARDED = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Whether a request was made on this machine, and not handed on by something that stands in front. */
export function isFromHere(peer: Peer | undefined, headers: Headers): boolean {
  const address = peer?.() ?? "";
  if (!/^(::ffff:)?127\.|^::1$/i.test(address)) return false;
  return !FORWARDED.some((name) => headers.has(name));
}
