/**
 * What leaves next for one operator. A lane is one batch's queue. OTP goes before TRANSACTIONAL before MARKETING,
 * always; inside a class the accounts take turns, and inside an account its batches do, so that a campaign of
 * 100,000 never holds up anybody's single message (decisions.md section 6, Order of sending).
 *
 * Lanes hold a page of their rows in memory and no more; the database is the queue.
 */
import type { MessageClass } from "../accounts/classes.ts";
import type { QueuedBatch, QueuedMessage } from "../messages/queue.ts";

export type Lane = {
  readonly batch: QueuedBatch;
  /** Rows that were read and not handed out yet, the first last. */
  page: QueuedMessage[];
  /** Whether the queue behind the page may hold more that is due. */
  hasMore: boolean;
};

export type Candidate = { readonly batch: QueuedBatch; readonly message: QueuedMessage };

/** Reads the next page of a lane, the first row last. A lane with neither page nor more is closed. */
export type ReadPage = (batch: QueuedBatch) => Pick<Lane, "page" | "hasMore">;

type Turns = { readonly accounts: AccountTurns[]; next: number };
type AccountTurns = { readonly accountId: number; readonly lanes: Lane[]; next: number };

export type Lanes = {
  /** Opens the lane of a batch, last in its class or, `ahead`, with the next turn there; false if it is open. */
  readonly open: (batch: QueuedBatch, ahead?: boolean) => boolean;
  /** The next message in fair order, or null when no open lane has one. */
  readonly take: () => Candidate | null;
  /** Closes the lane of a batch, dropping its page. */
  readonly close: (batchId: number) => void;
  readonly all: () => Lane[];
};

const ORDER: readonly MessageClass[] = ["OTP", "TRANSACTIONAL", "MARKETING"];

export function lanes(readPage: ReadPage): Lanes {
  const byBatch = new Map<number, Lane>();
  const turns: Record<MessageClass, Turns> = {
    OTP: { accounts: [], next: 0 },
    TRANSACTIONAL: { accounts: [], next: 0 },
    MARKETING: { accounts: [], next: 0 },
  };

  const close = (batchId: number): void => {
    const lane = byBatch.get(batchId);
    if (!lane) return;
    byBatch.delete(batchId);
    const ring = turns[lane.batch.messageClass];
    const at = ring.accounts.findIndex((account) => account.accountId === lane.batch.accountId);
    const account = ring.accounts[at];
    if (!account) return;
    removeTurn(account.lanes, account.lanes.indexOf(lane), account);
    if (account.lanes.length === 0) removeTurn(ring.accounts, at, ring);
  };

  const takeFrom = (ring: Turns): Candidate | null => {
    for (;;) {
      const account = ring.accounts[ring.next];
      const lane = account?.lanes[account.next];
      if (!account || !lane) return null;
      if (lane.page.length === 0 && lane.hasMore) Object.assign(lane, readPage(lane.batch));
      const message = lane.page.pop();
      if (message) {
        account.next = (account.next + 1) % account.lanes.length;
        ring.next = (ring.next + 1) % ring.accounts.length;
      }
      if (lane.page.length === 0 && !lane.hasMore) close(lane.batch.batchId);
      if (message) return { batch: lane.batch, message };
    }
  };

  return {
    open: (batch, ahead = false) => {
      if (byBatch.has(batch.batchId)) return false;
      const lane: Lane = { batch, page: [], hasMore: true };
      byBatch.set(batch.batchId, lane);
      const ring = turns[batch.messageClass];
      const at = ring.accounts.findIndex((known) => known.accountId === batch.accountId);
      const account = ring.accounts[at] ?? { accountId: batch.accountId, lanes: [], next: 0 };
      account.lanes.splice(ahead ? account.next : account.lanes.length, 0, lane);
      if (at >= 0 && !ahead) return true;
      removeTurn(ring.accounts, at, ring);
      ring.accounts.splice(ahead ? ring.next : ring.accounts.length, 0, account);
      return true;
    },
    take: () => {
      for (const messageClass of ORDER) {
        const candidate = takeFrom(turns[messageClass]);
        if (candidate) return candidate;
      }
      return null;
    },
    close,
    all: () => [...byBatch.values()],
  };
}

/** Takes one out of a ring without anybody losing a turn. */
function removeTurn(ring: unknown[], at: number, turn: { next: number }): void {
  if (at < 0) return;
  ring.splice(at, 1);
  if (at < turn.next) turn.next -= 1;
  if (turn.next >= ring.length) turn.next = 0;
}
