import type { EndpointLane } from "./lane.ts";
import type { OpenLanes } from "./open-lanes.ts";
import type { EndpointOutcome, WriteOutcomes } from "./outcomes.ts";

type Page = { readonly lane: EndpointLane; readonly outcome: EndpointOutcome };

/**
 * Writes what the attempts came to since the last time, of all lanes in one transaction. What the disk did not take is kept and
 * written with the next: nobody is told again because of it, and until then its lanes begin nothing, so that a death has little to
 * undo. `onWritten` is told when such lanes go on, `onRetries` when retries are written, which may be due already. Rejects when it
 * could not be written.
 */
export function outcomeWriter(
  write: WriteOutcomes,
  lanes: Pick<OpenLanes, "all" | "ready" | "touched" | "drop">,
  onWritten: () => void,
  onRetries: () => void,
): () => Promise<void> {
  let unwritten: readonly Page[] = [];

  const take = (): readonly Page[] => {
    const fresh = [...lanes.touched].flatMap((lane) => {
      const outcome = lane.takeOutcome();
      return outcome ? [{ lane, outcome }] : [];
    });
    lanes.touched.clear();
    const open = new Set(lanes.all());
    return [...unwritten.filter(({ lane }) => open.has(lane)), ...fresh];
  };

  const settle = (pages: readonly Page[], kept: readonly boolean[]): void => {
    for (const [index, { lane, outcome }] of pages.entries()) {
      if (kept[index] === true && !outcome.isOver) lane.settled(outcome);
      else lanes.drop(lane);
    }
    if (pages.some(({ outcome }) => outcome.retries.length > 0)) onRetries();
    if (unwritten.length === 0) return;
    unwritten = [];
    for (const lane of lanes.all()) lanes.ready.add(lane);
    onWritten();
  };

  return async () => {
    const pages = take();
    if (pages.length === 0) {
      unwritten = [];
      return;
    }
    try {
      settle(pages, await write(pages.map(({ outcome }) => outcome)));
    } catch (error) {
      for (const { lane } of pages) lane.hold();
      unwritten = pages;
      throw error;
    }
  };
}
