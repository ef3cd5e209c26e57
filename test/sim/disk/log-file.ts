/** The write-ahead log as octets (sqlite.org/fileformat2.html#walformat). */

export const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const PAGE_SIZE_AT = 8;

/** Octets of a log of so many frames. */
export function logOctets(frames: number, pageSize: number): number {
  return frames === 0 ? 0 : LOG_HEADER + frames * (FRAME_HEADER + pageSize);
}

/** The page size that a log's header tells; null where there is no header. */
export function pageSizeOf(log: Uint8Array): number | null {
  return log.length < LOG_HEADER ? null : view(log).getUint32(PAGE_SIZE_AT);
}

/** The newest page of each number among the frames from `from` (not included) to `to`, by page number. */
export function newestPages(
  log: Uint8Array,
  pageSize: number,
  from: number,
  to: number,
): readonly (readonly [page: number, octets: Uint8Array])[] {
  const newest = new Map<number, Uint8Array>();
  const data = view(log);
  for (let frame = from; frame < to; frame++) {
    const at = LOG_HEADER + frame * (FRAME_HEADER + pageSize);
    newest.set(data.getUint32(at), log.subarray(at + FRAME_HEADER, at + FRAME_HEADER + pageSize));
  }
  return [...newest].sort(([a], [b]) => a - b);
}

function view(octets: Uint8Array): DataView {
  return new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
}
