/**
 * What a disk may hold when the power goes. The model is what POSIX and the file systems promise, and no more:
 *
 * - The octets and the length of a file are there once it was synced. Of what was done to it since, each write and each
 *   truncation is there or not, whatever became of the others, and a write may be there in part, or as zeros in its length.
 * - Names (created, renamed, linked, taken away) are there once the directory was synced. Of those since, a file system that
 *   keeps a journal (ext4, XFS, btrfs) keeps them in their order: so many of them, and none behind. That ext4 and XFS also keep
 *   the name of a new file when the file alone is synced is not counted on.
 * - The directory itself is there: who installs the appliance makes it, or the first start does and syncs its name before it promises.
 */
import { type Entry, existingFile, type FileId } from "./write-log.ts";

/** Something done to the octets of a file and not synced yet. */
export type Unsynced = Extract<Entry, { readonly kind: "write" | "truncate" }>;

/** Something done to the names and not synced yet. */
export type Naming =
  | Extract<Entry, { readonly kind: "create" | "unlink" }>
  | { readonly kind: "rename" | "link"; readonly name: string; readonly to: string };

/** What is on the disk for certain, and what may be. */
export type Disk = {
  readonly octets: Map<FileId, Uint8Array>;
  readonly names: Map<string, FileId>;
  unsynced: Unsynced[];
  namings: Naming[];
  /** Files whose octets are nobody else's: they are changed in their place. */
  readonly own: Set<FileId>;
};

/** What became of an unsynced operation: there, gone, a hole of its length, or the octets of it from one to another. */
export type Fate = "kept" | "lost" | "zeros" | { readonly from: number; readonly to: number };

/** What survives: a fate for each unsynced operation, and how many of the namings. */
export type Survivors = { readonly fates: readonly Fate[]; readonly namings: number };

/** A data directory by its names. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A disk on which nothing is, or these files, synced. */
export function diskOf(files: Files = new Map()): Disk {
  const names = [...files.keys()].map((name, index): [string, FileId] => [name, existingFile(index)]);
  const octets = [...files.values()].map((content, index): [FileId, Uint8Array] => [
    existingFile(index),
    content,
  ]);
  return { octets: new Map(octets), names: new Map(names), unsynced: [], namings: [], own: new Set() };
}

/** Does to the disk what the log says. */
export function step(disk: Disk, entry: Entry): void {
  switch (entry.kind) {
    case "write":
    case "truncate":
      disk.unsynced.push(entry);
      return;
    case "sync": {
      const own = disk.unsynced.filter(({ file }) => file === entry.file);
      disk.unsynced = disk.unsynced.filter(({ file }) => file !== entry.file);
      if (own.length === 0) return;
      keep(disk, entry.file, own);
      return;
    }
    case "create":
    case "unlink":
    case "rename":
    case "link":
      disk.namings.push(entry);
      return;
    case "sync names":
      for (const naming of disk.namings) rename(disk.names, naming);
      disk.namings = [];
      return;
    case "sent":
    case "received":
    case "mark":
    case "odd":
      return;
  }
}

function keep(disk: Disk, file: FileId, operations: readonly Unsynced[]): void {
  const before = disk.octets.get(file) ?? new Uint8Array(0);
  const isWithin = operations.every(
    (operation) => operation.kind === "write" && endOf(operation) <= before.length,
  );
  if (isWithin && disk.own.has(file)) {
    for (const operation of operations)
      if (operation.kind === "write") before.set(operation.octets, operation.offset);
    return;
  }
  const kept = operations.map((operation) => [operation, "kept"] as const);
  disk.octets.set(file, applied(before, kept));
  disk.own.add(file);
}

/** What is found after the power went: the files by their names, until the next step is done. */
export function filesAfter(disk: Disk, { fates, namings }: Survivors): Files {
  const names = new Map(disk.names);
  for (const naming of disk.namings.slice(0, namings)) rename(names, naming);
  const files = new Map<string, Uint8Array>();
  for (const [name, file] of names) {
    const own = disk.unsynced.flatMap((operation, index): (readonly [Unsynced, Fate])[] => {
      const fate = fates[index] ?? "lost";
      return operation.file === file && fate !== "lost" ? [[operation, fate]] : [];
    });
    const before = disk.octets.get(file) ?? new Uint8Array(0);
    files.set(name, own.length === 0 ? before : applied(before, own));
  }
  return files;
}

function rename(names: Map<string, FileId>, naming: Naming): void {
  switch (naming.kind) {
    case "create":
      names.set(naming.name, naming.file);
      return;
    case "unlink":
      names.delete(naming.name);
      return;
    case "rename":
    case "link": {
      const file = names.get(naming.name);
      if (file !== undefined) names.set(naming.to, file);
      if (naming.kind === "rename") names.delete(naming.name);
      return;
    }
  }
}

function applied(before: Uint8Array, operations: readonly (readonly [Unsynced, Fate])[]): Uint8Array {
  const longest = operations.reduce((most, [operation]) => Math.max(most, endOf(operation)), before.length);
  const octets = new Uint8Array(longest);
  octets.set(before);
  let length = before.length;
  for (const [operation, fate] of operations) {
    if (operation.kind === "truncate") {
      if (operation.length < length) octets.fill(0, operation.length, length);
      length = operation.length;
      continue;
    }
    const written = survivorOf(operation.octets, fate);
    octets.set(written.octets, operation.offset + written.at);
    length = Math.max(length, operation.offset + written.at + written.octets.length);
  }
  return octets.subarray(0, length);
}

function endOf(operation: Unsynced): number {
  return operation.kind === "truncate" ? operation.length : operation.offset + operation.octets.length;
}

function survivorOf(octets: Uint8Array, fate: Fate): { readonly at: number; readonly octets: Uint8Array } {
  if (fate === "kept") return { at: 0, octets };
  if (fate === "lost") return { at: 0, octets: new Uint8Array(0) };
  if (fate === "zeros") return { at: 0, octets: new Uint8Array(octets.length) };
  return { at: fate.from, octets: octets.subarray(fate.from, fate.to) };
}
