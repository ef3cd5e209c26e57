import type { QueuedBatch } from "../domain/messages/queue.ts";
import { type Ring, type RingPlace, ring } from "./ring.ts";

/** Something that takes turns for a batch. */
type OfBatch = { readonly batch: QueuedBatch };
type AccountTurns<Item> = { readonly accountId: number; readonly items: Ring<Item> };

/** Whose turn it is: the accounts take turns, and inside an account its batches do. */
export type Turns<Item extends OfBatch> = {
  /** Whose turn it is; null when nobody takes part. */
  readonly current: () => Item | null;
  /** Ends the turn: the next is another account's, and of this one another batch's. */
  readonly advance: () => void;
  /** Lets an item take part, last in its account or, `ahead`, with the next turn there and of all. */
  readonly enter: (item: Item, ahead: boolean) => RingPlace<Item>;
  readonly leave: (place: RingPlace<Item>) => void;
};

export function turns<Item extends OfBatch>(): Turns<Item> {
  const accounts = ring<AccountTurns<Item>>();
  const places = new Map<number, RingPlace<AccountTurns<Item>>>();
  return {
    current: () => accounts.current()?.items.current() ?? null,
    advance: () => {
      accounts.current()?.items.advance();
      accounts.advance();
    },
    enter: (item, ahead) => {
      const { accountId } = item.batch;
      const known = places.get(accountId);
      const account = known?.item ?? { accountId, items: ring<Item>() };
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
