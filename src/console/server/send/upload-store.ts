/**
 * Uploaded files of recipients, parsed, for as long as their user works on them: in memory, of a user, never on a disk. The browser
 * has the file too: one that was dropped is uploaded again, so that making room costs nobody their work.
 */
import type { Clock } from "../../../core/clock.ts";

export type StoredUpload = {
  readonly id: string;
  /** Its rows, or the file itself where these would take too much. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isParsed: boolean;
  /** The batch, by its public id, whose unsent rows it has; null of any other. */
  ofBatch: string | null;
  /** Recipients that its last quote rejected. */
  rejected: readonly { readonly line: number; readonly reason: string }[];
  /** Recipients whose text would fail because their operator does not know the sender, by the same quote. */
  unreached: readonly { readonly line: number; readonly operator: string }[];
};

export type UploadStore = {
  /** Stores a file of a user under a new id. */
  readonly keep: (
    user: number,
    id: string,
    bytes: Uint8Array<ArrayBuffer>,
    isParsed: boolean,
  ) => StoredUpload;
  /** A file of that user, whose lifetime it extends; null when it is gone, or was never theirs. */
  readonly get: (user: number, id: string) => StoredUpload | null;
  readonly drop: (user: number, id: string) => void;
};

/** Largest file. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Bytes of all files together. */
const MAX_BYTES = 4 * MAX_FILE_BYTES;
/** Files of one user, over all sessions: another session makes no room. */
const MAX_OF_USER = 2;
/** As long as a session lasts without a request. */
const KEPT_MS = 30 * 60_000;

type Place = { readonly user: number; readonly file: StoredUpload; usedMs: number };

export function createUploadStore(clock: Clock): UploadStore {
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
  const ofUser = (user: number): number => [...places.values()].filter((place) => place.user === user).length;
  return {
    keep: (user, id, content, isParsed) => {
      remove(
        (place) => place.user === user,
        () => ofUser(user) >= MAX_OF_USER,
      );
      remove(
        () => true,
        () => bytes() + content.byteLength > MAX_BYTES,
      );
      const file: StoredUpload = { id, bytes: content, isParsed, ofBatch: null, rejected: [], unreached: [] };
      places.set(id, { user, file, usedMs: clock.steadyMs() });
      begin();
      return file;
    },
    get: (user, id) => {
      const place = places.get(id);
      if (place?.user !== user || clock.steadyMs() - place.usedMs >= KEPT_MS) return null;
      places.delete(id);
      places.set(id, { ...place, usedMs: clock.steadyMs() });
      return place.file;
    },
    drop: (user, id) => {
      if (places.get(id)?.user === user) places.delete(id);
    },
  };
}
