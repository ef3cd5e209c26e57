/** Passwords as argon2id (RFC 9106), worked out beside the event loop, few at a time. */
import { assert } from "../../core/assert.ts";
import type { Chance } from "../../core/chance.ts";
import { concurrencyLimiter, type Party } from "../../core/concurrency.ts";

/** 64 MiB and two passes: a fifth of a second on a server of today. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 } as const;
/** At once: each holds 64 MiB, and a processor that messages want too. */
const AT_ONCE = 2;
/** Those that wait beside them. More are an attack: whoever brings most is refused for now. */
const MAX_WAITING = 16;

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

export type Passwords = {
  /** Null: too many at once. */
  readonly hash: (password: string, party: Party) => Promise<string | null>;
  /**
   * Whether a password is that of a hash. Without a hash the same work is done for a password that nobody has, so that the time
   * tells nobody which logins exist. Null: too many at once.
   */
  readonly verify: (password: string, hash: string | null, party: Party) => Promise<boolean | null>;
};

/** The hash of a text that was drawn at random and thrown away: compared with where there is no password. */
const NOBODYS =
  "$argon2id$v=19$m=65536,t=2,p=1$zK9qF1Ux2D+gHuelpkHb82Ihdjzo7uvl2NoLg0yuiTM$ujXWwUgvzBEqKtr88cko9dQT1XynHD4Hd22pCKnOv9A";

export function passwords(): Passwords {
  const queue = concurrencyLimiter({ maxConcurrent: AT_ONCE, maxWaiting: MAX_WAITING });
  const hash = (password: string) => Bun.password.hash(password.normalize("NFC"), ARGON2ID);
  return {
    hash: (password, party) => {
      assert(password.length >= MIN_PASSWORD_LENGTH, "a password was checked before it is kept");
      return queue.enter(party, () => hash(password));
    },
    verify: async (password, known, party) => {
      const typed = password.normalize("NFC").slice(0, MAX_PASSWORD_LENGTH);
      const against = known ?? NOBODYS;
      const fits = await queue.enter(party, () => Bun.password.verify(typed === "" ? " " : typed, against));
      return fits === null ? null : fits && known !== null;
    },
  };
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Draws a password of letters and digits, each alike: octets above the last multiple of 62 are drawn again. */
export function drawPassword(chance: Chance, length: number): string {
  let password = "";
  while (password.length < length)
    for (const byte of chance.bytes(length))
      if (byte < 248 && password.length < length) password += LETTERS.charAt(byte % LETTERS.length);
  return password;
}
