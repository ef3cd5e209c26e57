/** What stands in a ZIP archive (PKWARE APPNOTE 4.3), as far as workbooks are written: stored or deflated, of one part, not encrypted. */
import { inflateRawSync } from "node:zlib";
import { ToldError } from "../../core/told-error.ts";
import { phrase } from "../../i18n/phrase.ts";

/** A member of an archive by its name, unpacked; null where there is none. @throws ZipError */
export type ZipReader = (name: string) => Uint8Array | null;

/** The archive is broken, or unpacks to more than it may. */
export class ZipError extends ToldError {
  override name = "ZipError";
}

type Member = { readonly method: number; readonly packed: number; readonly at: number };

const END_MARK = 0x06054b50;
const MEMBER_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const MEMBER_BYTES = 46;
const LOCAL_BYTES = 30;
/** A workbook has a few dozen. */
const MOST_MEMBERS = 10_000;
const STORED = 0;
const DEFLATED = 8;

/**
 * Opens an archive. All that is read of it together unpacks to `mostBytes` at most, counted as it unpacks: what an archive says of
 * its own sizes is not believed.
 * @throws ZipError
 */
export function openZip(bytes: Uint8Array, mostBytes: number): ZipReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const members = within(() => membersOf(bytes, view));
  let left = mostBytes;
  return (name) => {
    const member = members.get(name);
    if (!member) return null;
    const unpacked = within(() => unpack(bytes, view, member, left));
    left -= unpacked.byteLength;
    return unpacked;
  };
}

function membersOf(bytes: Uint8Array, view: DataView): Map<string, Member> {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  if (count > MOST_MEMBERS) throw new ZipError(phrase("fault.workbook.members", { most: MOST_MEMBERS }));
  const members = new Map<string, Member>();
  let at = view.getUint32(end + 16, true);
  for (let n = 0; n < count; n += 1) {
    if (view.getUint32(at, true) !== MEMBER_MARK) throw new ZipError(phrase("fault.workbook.directory"));
    const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
    if (isEncrypted) throw new ZipError(phrase("fault.workbook.encrypted"));
    const nameBytes = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + MEMBER_BYTES, at + MEMBER_BYTES + nameBytes));
    members.set(name, {
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    });
    at += MEMBER_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return members;
}

/** Where the end of the directory stands: last in the archive, but for a comment. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at -= 1) {
    if (view.getUint32(at, true) === END_MARK) return at;
  }
  throw new ZipError(phrase("fault.workbook.cut"));
}

function unpack(
  bytes: Uint8Array,
  view: DataView,
  { method, packed, at }: Member,
  mostBytes: number,
): Uint8Array {
  if (view.getUint32(at, true) !== LOCAL_MARK) throw new ZipError(phrase("fault.workbook.member"));
  const begin = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const data = bytes.subarray(begin, begin + packed);
  if (data.byteLength < packed) throw new ZipError(phrase("fault.workbook.cut"));
  if (method === STORED) {
    if (packed > mostBytes) throw new ZipError(TOO_LARGE);
    return data;
  }
  if (method !== DEFLATED) throw new ZipError(phrase("fault.workbook.packed"));
  return inflated(data, mostBytes);
}

const TOO_LARGE = phrase("fault.workbook.large");

function inflated(data: Uint8Array, mostBytes: number): Uint8Array {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, mostBytes) });
  } catch (error) {
    const isTooLarge = error instanceof RangeError || codeOf(error) === "ERR_BUFFER_TOO_LARGE";
    throw new ZipError(isTooLarge ? TOO_LARGE : phrase("fault.workbook.member"));
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}

/** A place outside of the archive is a fault of the archive. */
function within<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new ZipError(phrase("fault.workbook.broken"));
    throw error;
  }
}
