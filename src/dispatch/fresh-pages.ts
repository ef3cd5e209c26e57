import type { QueuedMessage } from "../domain/messages/queue.ts";

/**
 * First pages of batches that need not be read, because whoever wrote them has handed them over. There are only so many: what
 * is handed over beyond that is read from the queue when its turn comes.
 */
export type FreshPages = {
  /** Keeps the page of a batch, if there is room. `change`: of its account, at this moment. */
  readonly keep: (batchId: number, messages: readonly QueuedMessage[], change: number) => void;
  /** Takes out the page of a batch; null where it has none, or its account has changed since. */
  readonly take: (batchId: number, change: number) => readonly QueuedMessage[] | null;
  readonly drop: (batchId: number) => void;
  readonly clear: () => void;
};

/** Messages kept in all: an operator may be away for hours while batches come in. */
const MAX_MESSAGES = 5000;

type FreshPage = { readonly messages: readonly QueuedMessage[]; readonly change: number };

export function freshPages(): FreshPages {
  const pages = new Map<number, FreshPage>();
  let kept = 0;
  const drop = (batchId: number): FreshPage | null => {
    const page = pages.get(batchId);
    if (!page) return null;
    pages.delete(batchId);
    kept -= page.messages.length;
    return page;
  };
  return {
    keep: (batchId, messages, change) => {
      drop(batchId);
      if (kept + messages.length > MAX_MESSAGES) return;
      pages.set(batchId, { messages, change });
      kept += messages.length;
    },
    take: (batchId, change) => {
      const page = drop(batchId);
      return page?.change === change ? page.messages : null;
    },
    drop,
    clear: () => {
      pages.clear();
      kept = 0;
    },
  };
}
