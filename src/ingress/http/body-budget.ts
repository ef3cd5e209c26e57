/** Budget of memory for large request bodies, shared fairly between accounts, so that slow uploads cannot exhaust it. */
import type { Cancel, Clock } from "../../core/clock.ts";

/** One large body's claim on memory: it grows as the body arrives, and is given back with `release`. */
export type BodyClaim = {
  /**
   * Asks for memory for `bytes` in all, at most the longest the body may be; resolves as soon as it is granted. Never
   * resolves once the claim is lost or released.
   */
  readonly grow: (bytes: number) => Promise<void>;
  /** Notes bytes that have arrived. */
  readonly arrived: (bytes: number) => void;
  /** Notes that the whole body has arrived: it no longer counts as slow. */
  readonly complete: () => void;
  /** Resolves when its memory was taken away, because it arrives too slowly while others wait. */
  readonly lost: Promise<"lost">;
  /** Harmless to call twice. */
  readonly release: () => void;
};

/** Memory for the large bodies of all requests under way. */
export type BodyBudget = {
  /** Opens a claim. `longest`: the declared length of the body, or the largest allowed. */
  readonly claim: (accountId: number, longest: number) => BodyClaim;
};

/** How long a body has to show that it arrives, once others wait for memory. */
export const JUDGED_EVERY_MS = 1000;

/** While others wait, a body arrives at this rate at least, in bytes a second … */
const MIN_RATE = 65_536;
/** … and fast enough that what it holds would arrive within the deadline of a whole body. */
const HELD_SECONDS = 30;

/** What the bodies of an account hold and wait for. */
type Share = {
  readonly accountId: number;
  held: number;
  /** The longest that its bodies that hold memory may become, in all. */
  begun: number;
  /** When it was last served; 0 before the first time. */
  turn: number;
  claims: number;
  /** Claims that wait, in the order of asking: for their first memory, and for more. */
  readonly entering: Set<Standing>;
  readonly growing: Set<Standing>;
};

type Standing = {
  readonly share: Share;
  readonly longest: number;
  bytes: number;
  /** Bytes that arrived since it was last judged; null when it was not watched for the whole interval. */
  recently: number | null;
  isComplete: boolean;
  asking: { readonly bytes: number; readonly grant: () => void } | null;
  readonly lost: PromiseWithResolvers<"lost">;
};

/** All claims, and the memory that they hold. */
type Book = {
  readonly mostBytes: number;
  readonly claims: Set<Standing>;
  readonly shares: Map<number, Share>;
  /** Bytes held by all claims but the favoured one. */
  heldTogether: number;
  favoured: Standing | null;
  turns: number;
};

/**
 * A budget of two bodies of the largest size. A body holds at most twice what of it has arrived, so that a slow client
 * holds next to nothing. One half is shared: an account may hold as much of it as it leaves free, so that some is left
 * for the next (dynamic thresholds, Choudhury and Hahne 1998). The other half is for one body at a time, the favoured
 * one, so that one can always grow to its end, however many are half-way. An account's bodies come to one largest body
 * at most, or they would wait for each other half-way.
 *
 * Of the accounts that wait, the one that holds least is served first, then the one that was served longest ago; of its
 * bodies, one that has begun. While any body waits, those that arrive too slowly are broken off, the largest first.
 */
export function bodyBudget(mostBytes: number, clock: Clock): BodyBudget {
  const book: Book = {
    mostBytes,
    claims: new Set(),
    shares: new Map(),
    heldTogether: 0,
    favoured: null,
    turns: 0,
  };
  let stopJudging: Cancel | null = null;

  const serve = (): void => {
    while (serveOne(book)) {
      // Until nobody fits.
    }
    if (sharesThatWait(book).length === 0) {
      stopJudging?.();
      stopJudging = null;
    } else if (!stopJudging) {
      for (const claim of book.claims) claim.recently = 0;
      stopJudging = clock.after(JUDGED_EVERY_MS, judge);
    }
  };
  const judge = (): void => {
    stopJudging = null;
    const slow = [...book.claims].filter(isTooSlow).sort((a, b) => b.bytes - a.bytes);
    for (const claim of slow) {
      if (sharesThatWait(book).length === 0) break;
      drop(book, claim);
      claim.lost.resolve("lost");
      serve();
    }
    serve();
  };

  return {
    claim: (accountId, longest) => {
      const own = enter(book, accountId, longest);
      return {
        grow: (bytes) =>
          new Promise((granted) => {
            if (!book.claims.has(own)) return;
            own.asking = { bytes, grant: granted };
            (own.bytes === 0 ? own.share.entering : own.share.growing).add(own);
            serve();
          }),
        arrived: (bytes) => {
          if (own.recently !== null) own.recently += bytes;
        },
        complete: () => {
          own.isComplete = true;
        },
        lost: own.lost.promise,
        release: () => {
          if (!book.claims.has(own)) return;
          drop(book, own);
          serve();
        },
      };
    },
  };
}

function enter({ claims, shares }: Book, accountId: number, longest: number): Standing {
  let share = shares.get(accountId);
  if (!share) {
    share = { accountId, held: 0, begun: 0, turn: 0, claims: 0, entering: new Set(), growing: new Set() };
    shares.set(accountId, share);
  }
  share.claims += 1;
  const lost = Promise.withResolvers<"lost">();
  const claim: Standing = { share, longest, bytes: 0, recently: null, isComplete: false, asking: null, lost };
  claims.add(claim);
  return claim;
}

function drop(book: Book, claim: Standing): void {
  const { share } = claim;
  book.claims.delete(claim);
  share.entering.delete(claim);
  share.growing.delete(claim);
  share.held -= claim.bytes;
  if (claim.bytes > 0) share.begun -= claim.longest;
  share.claims -= 1;
  if (share.claims === 0) book.shares.delete(share.accountId);
  if (book.favoured === claim) book.favoured = null;
  else book.heldTogether -= claim.bytes;
}

function serveOne(book: Book): boolean {
  return sharesThatWait(book)
    .sort((a, b) => a.held - b.held || a.turn - b.turn)
    .flatMap(({ growing: [more], entering: [first] }) => [more, first].filter((one) => one !== undefined))
    .some((claim) => grant(book, claim));
}

function sharesThatWait({ shares }: Book): Share[] {
  return [...shares.values()].filter(({ entering, growing }) => entering.size + growing.size > 0);
}

function grant(book: Book, claim: Standing): boolean {
  const { asking, share } = claim;
  if (!asking || !makeRoom(book, claim, asking.bytes)) return false;
  if (claim.bytes === 0) share.begun += claim.longest;
  share.held += asking.bytes - claim.bytes;
  share.turn = ++book.turns;
  share.entering.delete(claim);
  share.growing.delete(claim);
  claim.bytes = asking.bytes;
  claim.asking = null;
  // The time that it waited is not held against it.
  claim.recently = null;
  asking.grant();
  return true;
}

/** Grants a claim from the shared half, or makes it the favoured one; whether either was possible. */
function makeRoom(book: Book, claim: Standing, bytes: number): boolean {
  const { mostBytes, favoured } = book;
  const more = bytes - claim.bytes;
  if (claim.bytes === 0 && claim.share.begun + claim.longest > mostBytes) return false;
  if (claim === favoured) return true;
  const own = claim.share.held - (favoured?.share === claim.share ? favoured.bytes : 0);
  if (own + more <= mostBytes - book.heldTogether - more) {
    book.heldTogether += more;
    return true;
  }
  if (favoured) return false;
  book.favoured = claim;
  book.heldTogether -= claim.bytes;
  return true;
}

/** Whether a body is slow. Not while it waits for memory itself, nor when it was not watched for the whole interval. */
function isTooSlow({ bytes, recently, isComplete, asking }: Standing): boolean {
  if (isComplete || asking || recently === null || bytes === 0) return false;
  return recently < (Math.max(MIN_RATE, bytes / HELD_SECONDS) * JUDGED_EVERY_MS) / 1000;
}
