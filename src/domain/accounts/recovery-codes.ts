import type { Chance } from "../../core/chance.ts";
import type { Tx } from "../../db/write.ts";
import { hashOfSecret } from "./sessions.ts";
import { base32 } from "./totp.ts";

const CODES = 10;
/** 80 bits: a plain hash of as much chance cannot be tried out. */
const CODE_OCTETS = 10;

/** Draws new codes in place of those before. Each stands in for the second factor once. */
export function generateRecoveryCodes(tx: Tx, chance: Chance, userId: number): string[] {
  dropRecoveryCodes(tx, userId);
  return Array.from({ length: CODES }, () => {
    const code = base32(chance.bytes(CODE_OCTETS));
    tx.insert(
      "INSERT INTO user_recovery_codes (user_id, code_hash) VALUES (?, ?)",
      userId,
      hashOfSecret(code),
    );
    return code.match(/.{4}/g)?.join("-") ?? code;
  });
}

/** Uses a code up; false where it is none of this user's. */
export function useRecoveryCode(tx: Tx, userId: number, typed: string): boolean {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return (
    tx.run(
      "DELETE FROM user_recovery_codes WHERE user_id = ? AND code_hash = ?",
      userId,
      hashOfSecret(code),
    ) === 1
  );
}

export function dropRecoveryCodes(tx: Tx, userId: number): void {
  tx.run("DELETE FROM user_recovery_codes WHERE user_id = ?", userId);
}
