/**
 * What leaves next for one operator, out of the queues of its batches. OTP goes before TRANSACTIONAL before MARKETING, always;
 * inside a class the accounts take turns, and inside an account its batches do, so that a campaign of 100,000 never delays
 * anybody's single message (docs/behaviour.md#order-of-sending).
 *
 * An open batch has one page of its rows in memory and no more; the database is the queue.
 */
import { MESSAGE_CLASSES, type MessageClass } from "../domain/accounts/message-class.ts";
import type { QueuedBatch, QueuedMessage } from "../domain/messages/queue.ts";

/** A batch whose messages are taken in turn, with one page of its rows. */
type OpenBatch = {
  readonly batch: QueuedBatch;
  /** Rows that were read and not handed out yet, the first last. */
  page: QueuedMessage[];
  /** Whether the queue behind the page may hold more that is due. */
  hasMore: boolean;
  /** Whether the rows read may still be handed out; otherwise they are read again. */
  isGood: () => boolean;
};

export type Candidate = { readonly batch: QueuedBatch; readonly message: QueuedMessage };

/** Whether messages of a class, for which these routes are marked, may be taken. */
export type IsWanted = (messageClass: MessageClass, routesTried: number) => boolean;

/** A batch in the queue of one operator: by its id or, of messages that were re-routed, by their marks too. */
export type PlaceKey = number | string;

export function placeOf({
  batchId,
  routesTried = 0,
}: Pick<QueuedBatch, "batchId" | "routesTried">): PlaceKey {
  return routesTried === 0 ? batchId : `${batchId} ${routesTried}`;
}

/** Reads the next page of a batch, the first row last. A batch with neither page nor more is closed. */
export type ReadPage = (batch: QueuedBatch) => Page;
type Page = Pick<OpenBatch, "page" | "hasMore"> & Partial<Pick<OpenBatch, "isGood">>;

export type BatchScheduler = {
  /** Opens a batch, last in its class or, `ahead`, with the next turn there; false if it is open. */
  readonly open: (batch: QueuedBatch, ahead?: boolean) => boolean;
  /**
   * Has the page of a batch read again, because something went back to its queue. A batch that is open keeps its turn or,
   * `ahead`, has the next; one that is not is opened.
   */
  readonly reopen: (batch: QueuedBatch, ahead?: boolean) => void;
  /** The next message in fair order of the wanted classes; null when no open batch has one, or as soon as no further page may be read. */
  readonly take: (mayRead?: () => boolean, isWanted?: IsWanted) => Candidate | null;
  /** Whether no batch is open that goes before a new one of this class or takes turns with it. */
  readonly isNext: (messageClass: MessageClass) => boolean;
  /** The sets of marked routes of re-routed messages that wait. */
  readonly marks: () => readonly number[];
  /** Closes a batch, dropping its page. */
  readonly close: (place: PlaceKey) => void;
  readonly get: (place: PlaceKey) => OpenBatch | null;
  readonly clear: () => void;
};

/** An open batch, with its place among those of its class. */
type ScheduledBatch = { readonly entry: OpenBatch; readonly place: RoundRobinEntry<OpenBatch> };

const ALWAYS = () => true;

const emptyQueues = (): Record<MessageClass, ClassQueues> => ({
  OTP: new ClassQueues(),
  TRANSACTIONAL: new ClassQueues(),
  MARKETING: new ClassQueues(),
});

/** A fair queue with the routes that are marked for its messages. */
type MarkedQueue = { readonly routesTried: number; readonly queue: FairQueue<OpenBatch> };

/** The fair queues of one class: one of the messages that were never re-routed, and one for each set of routes marked for others. */
class ClassQueues {
  private readonly fresh: MarkedQueue = { routesTried: 0, queue: fairQueue() };
  private readonly alone: readonly MarkedQueue[] = [this.fresh];
  private readonly rerouted = new Map<number, MarkedQueue>();
  /** Re-routed and other messages take turns. */
  private isReroutedNext = false;

  of(routesTried: number): FairQueue<OpenBatch> {
    if (routesTried === 0) return this.fresh.queue;
    const known = this.rerouted.get(routesTried);
    if (known) return known.queue;
    const made: MarkedQueue = { routesTried, queue: fairQueue() };
    this.rerouted.set(routesTried, made);
    return made.queue;
  }

  isEmpty(): boolean {
    return this.inUse().every(({ queue }) => queue.current() === null);
  }

  /** The sets of marked routes of the messages that wait here; 0 is not among them. */
  marks(): readonly number[] {
    return [...this.rerouted.values()].flatMap(({ routesTried, queue }) =>
      queue.current() === null ? [] : [routesTried],
    );
  }

  /** The queues in the order in which the next message is looked for. */
  inTurn(): readonly MarkedQueue[] {
    for (const { routesTried, queue } of this.rerouted.values()) {
      if (queue.current() === null) this.rerouted.delete(routesTried);
    }
    const queues = this.inUse();
    if (queues.length === 1) return queues;
    this.isReroutedNext = !this.isReroutedNext;
    return this.isReroutedNext ? queues.toReversed() : queues;
  }

  private inUse(): readonly MarkedQueue[] {
    return this.rerouted.size === 0 ? this.alone : [this.fresh, ...this.rerouted.values()];
  }
}

export function batchScheduler(readPage: ReadPage): BatchScheduler {
  const byPlace = new Map<PlaceKey, ScheduledBatch>();
  let byClass = emptyQueues();

  const enter = (entry: OpenBatch, ahead: boolean): void => {
    const { messageClass, routesTried = 0 } = entry.batch;
    const place = byClass[messageClass].of(routesTried).enter(entry, ahead);
    byPlace.set(placeOf(entry.batch), { entry, place });
  };
  const leave = ({ entry, place }: ScheduledBatch): void => {
    const { messageClass, routesTried = 0 } = entry.batch;
    byPlace.delete(placeOf(entry.batch));
    byClass[messageClass].of(routesTried).leave(place);
  };
  const close = (place: PlaceKey): void => {
    const known = byPlace.get(place);
    if (known) leave(known);
  };
  const open = (batch: QueuedBatch, ahead = false): boolean => {
    if (byPlace.has(placeOf(batch))) return false;
    enter({ batch, page: [], hasMore: true, isGood: ALWAYS }, ahead);
    return true;
  };

  return {
    open,
    reopen: (batch, ahead = false) => {
      const known = byPlace.get(placeOf(batch));
      if (!known) {
        open(batch, ahead);
        return;
      }
      empty(known.entry);
      if (!ahead) return;
      leave(known);
      enter(known.entry, true);
    },
    take: (mayRead = ALWAYS, isWanted = ALWAYS) => {
      let isOver = false;
      const readMore = (batch: QueuedBatch): Page | null => {
        isOver ||= !mayRead();
        return isOver ? null : readPage(batch);
      };
      for (const messageClass of MESSAGE_CLASSES) {
        for (const { routesTried, queue } of byClass[messageClass].inTurn()) {
          if (!isWanted(messageClass, routesTried)) continue;
          const candidate = takeFrom(queue, readMore, close);
          // A less urgent message does not go before a batch that was not looked at.
          if (candidate || isOver) return candidate;
        }
      }
      return null;
    },
    isNext: (messageClass) =>
      MESSAGE_CLASSES.slice(0, MESSAGE_CLASSES.indexOf(messageClass) + 1).every((one) =>
        byClass[one].isEmpty(),
      ),
    marks: () => MESSAGE_CLASSES.flatMap((one) => byClass[one].marks()),
    close,
    get: (place) => byPlace.get(place)?.entry ?? null,
    clear: () => {
      byPlace.clear();
      byClass = emptyQueues();
    },
  };
}

/** The next message of one class; null when no batch has one, or as soon as `readMore` gives no page. */
function takeFrom(
  queue: FairQueue<OpenBatch>,
  readMore: (batch: QueuedBatch) => Page | null,
  close: (place: PlaceKey) => void,
): Candidate | null {
  for (let entry = queue.current(); entry; entry = queue.current()) {
    if (entry.page.length > 0 && !entry.isGood()) empty(entry);
    if (entry.page.length === 0 && entry.hasMore) {
      const page = readMore(entry.batch);
      if (page === null) return null;
      Object.assign(entry, page);
    }
    const message = entry.page.pop();
    if (message) queue.advance();
    if (entry.page.length === 0 && !entry.hasMore) close(placeOf(entry.batch));
    if (message) return { batch: entry.batch, message };
  }
  return null;
}

function empty(entry: OpenBatch): void {
  entry.page = [];
  entry.hasMore = true;
}

/** Something that is queued for a batch. */
type OfBatch = { readonly batch: QueuedBatch };
type AccountItems<Item> = { readonly accountId: number; readonly items: RoundRobin<Item> };

/** A fair queue: the accounts take turns, and inside an account its batches do. */
type FairQueue<Item extends OfBatch> = {
  /** Whose turn it is; null when nobody takes part. */
  readonly current: () => Item | null;
  /** Ends the turn: the next is another account's, and of this one another batch's. */
  readonly advance: () => void;
  /** Adds an item, last in its account or, `ahead`, with the next turn there and of all. */
  readonly enter: (item: Item, ahead: boolean) => RoundRobinEntry<Item>;
  readonly leave: (place: RoundRobinEntry<Item>) => void;
};

function fairQueue<Item extends OfBatch>(): FairQueue<Item> {
  const accounts = roundRobin<AccountItems<Item>>();
  const places = new Map<number, RoundRobinEntry<AccountItems<Item>>>();
  return {
    current: () => accounts.current()?.items.current() ?? null,
    advance: () => {
      accounts.current()?.items.advance();
      accounts.advance();
    },
    enter: (item, ahead) => {
      const { accountId } = item.batch;
      const known = places.get(accountId);
      const account = known?.item ?? { accountId, items: roundRobin<Item>() };
      const place = ahead ? account.items.addNext(item) : account.items.addLast(item);
      if (known && !ahead) return place;
      if (known) accounts.remove(known);
      places.set(accountId, ahead ? accounts.addNext(account) : accounts.addLast(account));
      return place;
    },
    leave: (place) => {
      const { accountId } = place.item.batch;
      const account = places.get(accountId);
      if (!account) return;
      account.item.items.remove(place);
      if (account.item.items.current() !== null) return;
      places.delete(accountId);
      accounts.remove(account);
    },
  };
}

/** An item's place in a round robin, by which it is taken out again. */
type RoundRobinEntry<T> = { readonly item: T; before: RoundRobinEntry<T>; after: RoundRobinEntry<T> };

/** Items that take turns. Every operation costs the same with two of them as with a hundred thousand, and costs no other item its turn. */
type RoundRobin<T> = {
  /** Whose turn it is; null when there is no item. */
  readonly current: () => T | null;
  /** Ends the turn. */
  readonly advance: () => void;
  /** Adds an item whose turn comes after that of all others, or before. */
  readonly addLast: (item: T) => RoundRobinEntry<T>;
  readonly addNext: (item: T) => RoundRobinEntry<T>;
  /** Removes an item, once. If it had the turn, the one after it has it. */
  readonly remove: (place: RoundRobinEntry<T>) => void;
};

export function roundRobin<T>(): RoundRobin<T> {
  let turn: RoundRobinEntry<T> | null = null;

  const insert = (item: T): RoundRobinEntry<T> => {
    const place = { item } as RoundRobinEntry<T>;
    place.after = turn ?? place;
    place.before = turn?.before ?? place;
    place.before.after = place;
    place.after.before = place;
    turn ??= place;
    return place;
  };

  return {
    current: () => turn?.item ?? null,
    advance: () => {
      turn = turn?.after ?? null;
    },
    addLast: insert,
    addNext: (item) => {
      turn = insert(item);
      return turn;
    },
    remove: (place) => {
      const isAlone = place.after === place;
      place.before.after = place.after;
      place.after.before = place.before;
      if (isAlone) turn = null;
      else if (turn === place) turn = place.after;
    },
  };
}
