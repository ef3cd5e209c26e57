/**
 * What a process did to the files of its data directory and what it said meanwhile, in the order of the facts. The recorder
 * (recorder.c) writes records, and whoever drives the run adds marks of its own to the same file.
 */

/** A file as the disk knows it: a name that is taken away and made again is another file. */
export type FileId = number;

/** The number of a file that was there before the log began. */
export function existingFile(index: number): FileId {
  return -1 - index;
}

export type Entry =
  | { readonly kind: "create"; readonly file: FileId; readonly name: string }
  | {
      readonly kind: "write";
      readonly file: FileId;
      readonly name: string;
      readonly offset: number;
      readonly octets: Uint8Array;
    }
  | { readonly kind: "truncate"; readonly file: FileId; readonly name: string; readonly length: number }
  | { readonly kind: "sync"; readonly file: FileId; readonly name: string }
  /** The directory was synced: its names are durable. */
  | { readonly kind: "sync names" }
  | { readonly kind: "rename" | "link"; readonly name: string; readonly to: string }
  | { readonly kind: "unlink"; readonly name: string }
  /** Octets that the process gave to a socket, or took from one. */
  | {
      readonly kind: "sent" | "received";
      readonly socket: string;
      readonly isLocal: boolean;
      readonly octets: Uint8Array;
    }
  /** What whoever drives the run knows from here on. */
  | { readonly kind: "mark"; readonly text: string }
  /** Something that no replay knows. */
  | { readonly kind: "odd"; readonly name: string; readonly what: string };

const HEAD_OCTETS = 40;
const MARK = 200;
const AF_UNIX = 1;

type Record = {
  readonly kind: number;
  readonly isDirectory: boolean;
  readonly name: string;
  readonly other: string;
  readonly socket: string;
  readonly inode: bigint;
  readonly offset: number;
  readonly octets: Uint8Array;
};

/** Who asks which file a record is about. */
type Files = {
  readonly byInode: Map<bigint, FileId>;
  readonly existing: Map<string, FileId>;
  next: number;
};

/**
 * Reads a log to its last whole record. `existing`: the names of files that were there before, in the order in which
 * `diskOf` has them.
 * @throws when a record is of a kind that nobody writes.
 */
export function readWriteLog(log: Uint8Array, existing: readonly string[] = []): Entry[] {
  const numbered = existing.map((name, index): [string, FileId] => [name, existingFile(index)]);
  const files: Files = { byInode: new Map(), existing: new Map(numbered), next: 1 };
  const entries: Entry[] = [];
  for (const record of recordsOf(log)) entries.push(...entriesOf(record, files));
  return entries;
}

function* recordsOf(log: Uint8Array): Generator<Record> {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const text = new TextDecoder();
  let at = 0;
  while (at + HEAD_OCTETS <= log.length) {
    const length = view.getUint32(at, true);
    if (length < HEAD_OCTETS || at + length > log.length) return;
    const nameEnd = at + HEAD_OCTETS + view.getUint16(at + 6, true);
    const otherEnd = nameEnd + view.getUint16(at + 8, true);
    yield {
      kind: view.getUint8(at + 4),
      isDirectory: view.getUint8(at + 5) === 1,
      name: text.decode(log.subarray(at + HEAD_OCTETS, nameEnd)),
      other: text.decode(log.subarray(nameEnd, otherEnd)),
      socket: `${view.getUint32(at + 12, true)}/${view.getUint16(at + 10, true)}`,
      inode: view.getBigUint64(at + 16, true),
      offset: Number(view.getBigInt64(at + 32, true)),
      octets: log.subarray(otherEnd, at + length),
    };
    at += length;
  }
}

function entriesOf(record: Record, files: Files): readonly Entry[] {
  const { name, other, offset, octets } = record;
  switch (record.kind) {
    case 1:
      return [{ kind: "create", file: newFile(record, files), name }];
    case 2:
      return known(record, files, (file) => ({ kind: "write", file, name, offset, octets }));
    case 3:
      return known(record, files, (file) => ({ kind: "truncate", file, name, length: offset }));
    case 4:
      if (record.isDirectory) return name === "" ? [{ kind: "sync names" }] : [];
      return known(record, files, (file) => ({ kind: "sync", file, name }));
    case 5:
      return [{ kind: "rename", name, to: other }];
    case 6:
      return [{ kind: "unlink", name }];
    case 7:
      return [{ kind: "link", name, to: other }];
    case 8:
      return name === "" ? [] : [{ kind: "odd", name, what: "mkdir" }];
    case 9:
    case 10: {
      const kind = record.kind === 9 ? "sent" : "received";
      return [{ kind, socket: record.socket, isLocal: offset === AF_UNIX, octets }];
    }
    case 11:
      return [{ kind: "odd", name, what: other }];
    case MARK:
      return [{ kind: "mark", text: new TextDecoder().decode(octets) }];
    default:
      throw new Error(`no record is of the kind ${record.kind}`);
  }
}

function newFile({ inode }: Record, files: Files): FileId {
  const file = files.next++;
  files.byInode.set(inode, file);
  return file;
}

/** A file that was made behind the recorder's back begins empty where it is first seen. */
function known(record: Record, files: Files, entry: (file: FileId) => Entry): readonly Entry[] {
  const file = files.byInode.get(record.inode) ?? files.existing.get(record.name);
  if (file !== undefined) {
    files.byInode.set(record.inode, file);
    files.existing.delete(record.name);
    return [entry(file)];
  }
  const created = newFile(record, files);
  return [{ kind: "create", file: created, name: record.name }, entry(created)];
}

/** A mark as the log has it: whoever drives the run appends it in one write. */
export function markRecord(text: string): Uint8Array {
  const octets = new TextEncoder().encode(text);
  const record = new Uint8Array(HEAD_OCTETS + octets.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, record.length, true);
  view.setUint8(4, MARK);
  record.set(octets, HEAD_OCTETS);
  return record;
}
