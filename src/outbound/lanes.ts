/**
 * What leaves next for one operator. A lane is one batch's queue. OTP goes before TRANSACTIONAL before MARKETING,
 * always; inside a class the accounts take turns, and inside an account its batches do, so that a campaign of
 * 100,000 never holds up anybody's single message (docs/behaviour.md#order-of-sending).
 *
 * Lanes hold a page of their rows in memory and no more; the database is the queue.
 */
import type { MessageClass } from "../accounts/classes.ts";
import type { QueuedBatch, QueuedMessage } from "../messages/queue.ts";
import { type Ring, type RingPlace, ring } from "./ring.ts";

export type Lane = {
  readonly batch: QueuedBatch;
  /** Rows that were read and not handed out yet, the first last. */
  page: QueuedMessage[];
  /** Whether the queue behind the page may hold more that is due. */
  hasMore: boolean;
  /** Whether what was read may still be handed out; else it is read again. */
  isGood: () => boolean;
};

export type Candidate = { readonly batch: QueuedBatch; readonly message: QueuedMessage };

/** Reads the next page of a lane, the first row last. A lane with neither page nor more is closed. */
export type ReadPage = (batch: QueuedBatch) => Pick<Lane, "page" | "hasMore"> & Partial<Pick<Lane, "isGood">>;

export type Lanes = {
  /** Opens the lane of a batch, last in its class or, `ahead`, with the next turn there; false if it is open. */
  readonly open: (batch: QueuedBatch, ahead?: boolean) => boolean;
  /**
   * Has the page of a batch read again, because something went back to its queue. A lane that is open keeps its turn
   * or, `ahead`, has the next; one that is not is opened.
   */
  readonly reopen: (batch: QueuedBatch, ahead?: boolean) => void;
  /** The next message in fair order, or null when no open lane has one, or as soon as no page more may be read. */
  readonly take: (mayRead?: () => boolean) => Candidate | null;
  /** Closes the lane of a batch, dropping its page. */
  readonly close: (batchId: number) => void;
  readonly get: (batchId: number) => Lane | null;
  readonly all: () => Lane[];
  readonly clear: () => void;
};

type AccountTurns = { readonly accountId: number; readonly lanes: Ring<Lane> };
type ClassTurns = {
  readonly accounts: Ring<AccountTurns>;
  readonly places: Map<number, RingPlace<AccountTurns>>;
};
type OpenLane = { readonly lane: Lane; readonly place: RingPlace<Lane> };

const ORDER: readonly MessageClass[] = ["OTP", "TRANSACTIONAL", "MARKETING"];
const ALWAYS = () => true;

const noTurns = (): Record<MessageClass, ClassTurns> => {
  const empty = (): ClassTurns => ({ accounts: ring(), places: new Map() });
  return { OTP: empty(), TRANSACTIONAL: empty(), MARKETING: empty() };
};

export function lanes(readPage: ReadPage): Lanes {
  const byBatch = new Map<number, OpenLane>();
  let turns = noTurns();

  const enter = (lane: Lane, ahead: boolean): void => {
    const { accountId, messageClass, batchId } = lane.batch;
    const { accounts, places } = turns[messageClass];
    const known = places.get(accountId);
    const account = known?.item ?? { accountId, lanes: ring<Lane>() };
    byBatch.set(batchId, { lane, place: ahead ? account.lanes.addNext(lane) : account.lanes.addLast(lane) });
    if (known && !ahead) return;
    if (known) accounts.remove(known);
    places.set(accountId, ahead ? accounts.addNext(account) : accounts.addLast(account));
  };

  const leave = ({ lane, place }: OpenLane): void => {
    const { accountId, messageClass, batchId } = lane.batch;
    byBatch.delete(batchId);
    const { accounts, places } = turns[messageClass];
    const account = places.get(accountId);
    if (!account) return;
    account.item.lanes.remove(place);
    if (account.item.lanes.current() !== null) return;
    places.delete(accountId);
    accounts.remove(account);
  };

  const close = (batchId: number): void => {
    const known = byBatch.get(batchId);
    if (known) leave(known);
  };

  const takeFrom = ({ accounts }: ClassTurns, mayRead: () => boolean): Candidate | null => {
    for (;;) {
      const account = accounts.current();
      const lane = account?.lanes.current();
      if (!account || !lane) return null;
      if (lane.page.length > 0 && !lane.isGood()) empty(lane);
      if (lane.page.length === 0 && lane.hasMore) {
        if (!mayRead()) return null;
        Object.assign(lane, readPage(lane.batch));
      }
      const message = lane.page.pop();
      if (message) {
        account.lanes.advance();
        accounts.advance();
      }
      if (lane.page.length === 0 && !lane.hasMore) close(lane.batch.batchId);
      if (message) return { batch: lane.batch, message };
    }
  };

  const open = (batch: QueuedBatch, ahead = false): boolean => {
    if (byBatch.has(batch.batchId)) return false;
    enter({ batch, page: [], hasMore: true, isGood: ALWAYS }, ahead);
    return true;
  };

  return {
    open,
    reopen: (batch, ahead = false) => {
      const known = byBatch.get(batch.batchId);
      if (!known) {
        open(batch, ahead);
        return;
      }
      empty(known.lane);
      if (!ahead) return;
      leave(known);
      enter(known.lane, true);
    },
    take: (mayRead = ALWAYS) => {
      let isOver = false;
      const mayStill = (): boolean => {
        isOver ||= !mayRead();
        return !isOver;
      };
      for (const messageClass of ORDER) {
        const candidate = takeFrom(turns[messageClass], mayStill);
        // What is less urgent doesn't go before what was not looked at.
        if (candidate || isOver) return candidate;
      }
      return null;
    },
    close,
    get: (batchId) => byBatch.get(batchId)?.lane ?? null,
    all: () => [...byBatch.values()].map(({ lane }) => lane),
    clear: () => {
      byBatch.clear();
      turns = noTurns();
    },
  };
}

function empty(lane: Lane): void {
  lane.page = [];
  lane.hasMore = true;
}
