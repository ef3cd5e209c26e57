/**
 * What leaves next for one operator, out of the queues of its batches. OTP goes before TRANSACTIONAL before MARKETING, always;
 * inside a class the accounts take turns, and inside an account its batches do, so that a campaign of 100,000 never delays
 * anybody's single message (docs/behaviour.md#order-of-sending).
 *
 * An open batch has one page of its rows in memory and no more; the database is the queue.
 */
import { MESSAGE_CLASSES, type MessageClass } from "../domain/accounts/message-class.ts";
import { ALL_ROUTES, type SenderRoutes } from "../domain/accounts/senders.ts";
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
  /** By which routes its sender may go, as it is queued. */
  readonly senderRoutes: SenderRoutes;
};

export type Candidate = { readonly batch: QueuedBatch; readonly message: QueuedMessage };

/** What of the routes of an operator messages may not leave by: those that are marked for them, and those that their sender is not on. */
export type RouteLimits = Pick<QueuedBatch, "routesTried"> & { readonly senderRoutes?: SenderRoutes };

/** Whether messages of a class, with these limits, may be taken. */
export type IsWanted = (messageClass: MessageClass, limits: RouteLimits) => boolean;

/** By which routes of the operator the sender of a batch may go, as it is registered now. */
export type FindSenderRoutes = (batch: QueuedBatch) => SenderRoutes;

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

/** The next page; "moved" for a batch whose sender goes by other routes than it is queued for; null where no more may be read. */
type ReadMore = (entry: OpenBatch) => Page | "moved" | null;

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
  /** The limits of messages that wait and may not leave by every route. */
  readonly limits: () => readonly RouteLimits[];
  /** The open batches of an account, or all. */
  readonly list: (accountId: number | null) => readonly QueuedBatch[];
  /** Queues a batch anew where its sender may go by other routes than when it was queued. */
  readonly requeue: (batch: QueuedBatch) => void;
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

/** A fair queue of messages with the same limits, and when it last had its turn. */
type LimitedQueue = RouteLimits & { readonly queue: FairQueue<OpenBatch>; turn: number };

/**
 * The fair queues of one class: one of the messages that any route may carry, and one for each set of limits, so that what waits for a
 * route blocks nothing behind it. The accounts take turns over all of them.
 */
class ClassQueues {
  private readonly unlimited: LimitedQueue = { queue: fairQueue(), turn: 0 };
  private readonly alone: readonly LimitedQueue[] = [this.unlimited];
  private readonly limited = new Map<string, LimitedQueue>();
  /** When each account last had its turn, while there is more than one queue. */
  private readonly turns = new Map<number, number>();
  private turn = 0;

  of({ routesTried = 0, senderRoutes = ALL_ROUTES }: RouteLimits): FairQueue<OpenBatch> {
    if (routesTried === 0 && senderRoutes === ALL_ROUTES) return this.unlimited.queue;
    const key = `${routesTried} ${senderRoutes === ALL_ROUTES ? "all" : senderRoutes.join("/")}`;
    const known = this.limited.get(key);
    if (known) return known.queue;
    const made: LimitedQueue = { routesTried, senderRoutes, queue: fairQueue(), turn: 0 };
    this.limited.set(key, made);
    return made.queue;
  }

  isEmpty(): boolean {
    return this.inUse().every(({ queue }) => queue.current() === null);
  }

  /** The limits of the messages that wait here. */
  limits(): readonly RouteLimits[] {
    return [...this.limited.values()].filter(({ queue }) => queue.current() !== null);
  }

  /** The queues in the order in which the next message is looked for: that of the account that has waited for the longest first. */
  inTurn(): readonly LimitedQueue[] {
    for (const [key, { queue }] of this.limited) if (queue.current() === null) this.limited.delete(key);
    const queues = this.inUse();
    if (queues.length === 1) return queues;
    return queues.toSorted(
      (one, other) => this.lastTurn(one) - this.lastTurn(other) || one.turn - other.turn,
    );
  }

  /** A message of an account was taken from a queue. */
  took(queue: LimitedQueue, accountId: number): void {
    if (this.limited.size === 0) {
      this.turns.clear();
      return;
    }
    this.turn += 1;
    queue.turn = this.turn;
    this.turns.set(accountId, this.turn);
  }

  private lastTurn({ queue }: LimitedQueue): number {
    const next = queue.current();
    return next === null ? Number.POSITIVE_INFINITY : (this.turns.get(next.batch.accountId) ?? 0);
  }

  private inUse(): readonly LimitedQueue[] {
    return this.limited.size === 0 ? this.alone : [this.unlimited, ...this.limited.values()];
  }
}

/** `findSenderRoutes`: absent where no operator's routes are told apart. */
export function batchScheduler(
  readPage: ReadPage,
  findSenderRoutes: FindSenderRoutes = () => ALL_ROUTES,
): BatchScheduler {
  const byPlace = new Map<PlaceKey, ScheduledBatch>();
  let byClass = emptyQueues();

  const queueOf = ({ batch: { messageClass, routesTried = 0 }, senderRoutes }: OpenBatch) =>
    byClass[messageClass].of({ routesTried, senderRoutes });
  const enter = (entry: OpenBatch, ahead: boolean): void => {
    byPlace.set(placeOf(entry.batch), { entry, place: queueOf(entry).enter(entry, ahead) });
  };
  const leave = ({ entry, place }: ScheduledBatch): void => {
    byPlace.delete(placeOf(entry.batch));
    queueOf(entry).leave(place);
  };
  const close = (place: PlaceKey): void => {
    const known = byPlace.get(place);
    if (known) leave(known);
  };
  const open = (batch: QueuedBatch, ahead = false): boolean => {
    if (byPlace.has(placeOf(batch))) return false;
    const senderRoutes = findSenderRoutes(batch);
    enter({ batch, page: [], hasMore: true, isGood: ALWAYS, senderRoutes }, ahead);
    return true;
  };
  /** Whether it was queued anew. */
  const requeue = (batch: QueuedBatch): boolean => {
    const known = byPlace.get(placeOf(batch));
    if (!known || areSameRoutes(findSenderRoutes(batch), known.entry.senderRoutes)) return false;
    leave(known);
    open(batch);
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
      let hasMoved = false;
      const readMore: ReadMore = ({ batch }) => {
        isOver ||= !mayRead();
        if (isOver) return null;
        if (!requeue(batch)) return readPage(batch);
        hasMoved = true;
        return "moved";
      };
      for (const messageClass of MESSAGE_CLASSES) {
        const queues = byClass[messageClass];
        do {
          hasMoved = false;
          for (const limited of queues.inTurn()) {
            if (!isWanted(messageClass, limited)) continue;
            const candidate = takeFrom(limited.queue, readMore, close);
            if (candidate) queues.took(limited, candidate.batch.accountId);
            // A less urgent message does not go before a batch that was not looked at.
            if (candidate || isOver) return candidate;
          }
        } while (hasMoved);
      }
      return null;
    },
    isNext: (messageClass) =>
      MESSAGE_CLASSES.slice(0, MESSAGE_CLASSES.indexOf(messageClass) + 1).every((one) =>
        byClass[one].isEmpty(),
      ),
    limits: () => MESSAGE_CLASSES.flatMap((one) => byClass[one].limits()),
    list: (accountId) => {
      const batches: QueuedBatch[] = [];
      for (const { entry } of byPlace.values())
        if (accountId === null || entry.batch.accountId === accountId) batches.push(entry.batch);
      return batches;
    },
    requeue,
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
  readMore: ReadMore,
  close: (place: PlaceKey) => void,
): Candidate | null {
  for (let entry = queue.current(); entry; entry = queue.current()) {
    if (entry.page.length > 0 && !entry.isGood()) empty(entry);
    if (entry.page.length === 0 && entry.hasMore) {
      const page = readMore(entry);
      if (page === null) return null;
      if (page === "moved") continue;
      Object.assign(entry, page);
    }
    const message = entry.page.pop();
    if (message) queue.advance();
    if (entry.page.length === 0 && !entry.hasMore) close(placeOf(entry.batch));
    if (message) return { batch: entry.batch, message };
  }
  return null;
}

function areSameRoutes(one: SenderRoutes, other: SenderRoutes): boolean {
  if (one === ALL_ROUTES || other === ALL_ROUTES) return one === other;
  return one.length === other.length && one.every((route, index) => route === other[index]);
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
