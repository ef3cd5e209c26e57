/**
 * Passwords in a simulated world. The runtime works hashes out on threads of its own, for which no simulated time waits, and draws a salt
 * that no seed knows: here a hash is told at once, and the same password has the same one.
 */
export function hashPasswordsAtOnce(): void {
  Bun.password.hash = async (password) => toHash(password);
  Bun.password.verify = async (password, hash) => toHash(password) === hash;
}

function toHash(password: string | NodeJS.TypedArray | ArrayBufferLike | Bun.StringOrBuffer): string {
  return `simulated:${new Bun.CryptoHasher("sha256").update(String(password)).digest("hex")}`;
}
