const KEY_BITS = 0x1f_ffff_ffff_ffffn;

/** A text or number as an integer that SQLite and JavaScript both hold exactly (53 bits of a 64-bit hash). */
export function hashKey(text: string): number {
  return Number(Bun.hash.wyhash(text) & KEY_BITS);
}
