/**
 * Files of recipients that people brought, for as long as they work on them: in memory, of a session, never on a disk. The browser has
 * the file too: one that had to go here is brought again, so that making room costs nobody their work.
 */
import type { Clock } from "../../base/clock.ts";

export type KeptFile = {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Who would be rejected, as the last quote of it said. */
  rejected: readonly { readonly line: number; readonly reason: string }[];
};

export type FileShelf = {
  /** Keeps a file of a session under a new id. */
  readonly keep: (session: number, id: string, bytes: Uint8Array<ArrayBuffer>) => KeptFile;
  /** A file of that session, which lasts longer for it; null when it is gone, or was never its own. */
  readonly get: (session: number, id: string) => KeptFile | null;
  readonly drop: (session: number, id: string) => void;
};

/** What one file may have. */
export const MOST_FILE_BYTES = 16 * 1024 * 1024;
/** What all may have together. */
const MOST_BYTES = 4 * MOST_FILE_BYTES;
const MOST_OF_SESSION = 2;
/** A session ends after as long without a request. */
const KEPT_MS = 30 * 60_000;

type Place = { readonly session: number; readonly file: KeptFile; usedMs: number };

export function fileShelf(clock: Clock): FileShelf {
  /** Longest unused first. */
  const places = new Map<string, Place>();
  let isSweeping = false;
  const sweep = (): void => {
    isSweeping = false;
    for (const [id, { usedMs }] of places) if (clock.steadyMs() - usedMs >= KEPT_MS) places.delete(id);
    begin();
  };
  const begin = (): void => {
    if (isSweeping || places.size === 0) return;
    isSweeping = true;
    clock.after(KEPT_MS, sweep);
  };
  const remove = (least: (place: Place) => boolean, isTooMuch: () => boolean): void => {
    for (const [id, place] of places) {
      if (!isTooMuch()) return;
      if (least(place)) places.delete(id);
    }
  };
  const bytes = (): number => [...places.values()].reduce((sum, { file }) => sum + file.bytes.byteLength, 0);
  const ofSession = (session: number): number =>
    [...places.values()].filter((place) => place.session === session).length;
  return {
    keep: (session, id, content) => {
      remove(
        (place) => place.session === session,
        () => ofSession(session) >= MOST_OF_SESSION,
      );
      remove(
        () => true,
        () => bytes() + content.byteLength > MOST_BYTES,
      );
      const file: KeptFile = { id, bytes: content, rejected: [] };
      places.set(id, { session, file, usedMs: clock.steadyMs() });
      begin();
      return file;
    },
    get: (session, id) => {
      const place = places.get(id);
      if (place?.session !== session || clock.steadyMs() - place.usedMs >= KEPT_MS) return null;
      places.delete(id);
      places.set(id, { ...place, usedMs: clock.steadyMs() });
      return place.file;
    },
    drop: (session, id) => {
      if (places.get(id)?.session === session) places.delete(id);
    },
  };
}
