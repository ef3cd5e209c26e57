/** What a proxy adds. One on this machine makes the whole world look like loopback. */
const FORWARDED = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether a request was made on this machine, and not handed on by something that stands in front. `address` is that of the
 * other end of its connection; null where the system can't tell.
 */
export function isFromHere(address: string | null, headers: Headers): boolean {
  if (address === null || !/^(::ffff:)?127\.|^::1$/i.test(address)) return false;
  return !isForwarded(headers);
}

/** Whether a request was made in one of the networks of our own staff, and not handed on by something that stands in front. */
export function isFromStaff(
  address: string | null,
  headers: Headers,
  isStaff: (address: string) => boolean,
): boolean {
  return address !== null && isStaff(address) && !isForwarded(headers);
}

function isForwarded(headers: Headers): boolean {
  return FORWARDED.some((name) => headers.has(name));
}
