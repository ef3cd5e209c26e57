/** 32 symbols of five bits each (the ULID specification). */
const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The id of an event: a ULID whose time is the event's and whose other 80 bits are cut from a digest of what it is
 * about. Whoever derives it again, after a crash, on a replay or for another endpoint, gets the same one.
 */
export function deriveEventId(type: string, subject: string, atMs: number): string {
  const digest = Bun.CryptoHasher.hash("sha256", `${type}:${subject}`);
  let id = "";
  for (let rest = atMs, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) {
    id = `${SYMBOLS[rest % 32]}${id}`;
  }
  let bits = 0;
  let held = 0;
  for (let octet = 0; octet < 10; octet++) {
    bits = (bits << 8) | (digest[octet] ?? 0);
    held += 8;
    while (held >= 5) {
      held -= 5;
      id += SYMBOLS[(bits >> held) & 31];
    }
    bits &= (1 << held) - 1;
  }
  return id;
}
