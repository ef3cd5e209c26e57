import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { AdminCommand, Args, Usage } from "../admin/command.ts";
import { type AdminOutcome, done, refuse } from "../admin/operations/refusal.ts";
import { decodeText } from "../core/text-of.ts";
import { isRow } from "./show.ts";

/** What a running server still takes in one command. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Puts what stands in a file in place of its path, and makes other paths absolute: a running server may live in another directory, or
 * see other files.
 */
export async function readFileArguments(command: Usage, args: Args): Promise<AdminOutcome<Args>> {
  const read: Record<string, string> = { ...args };
  for (const { name, isFile, isPath } of command.positionals) {
    const path = args[name];
    if (isPath && path !== undefined) read[name] = resolve(path);
    if (!isFile || path === undefined) continue;
    const text = await readText(path);
    if (!text.ok) return text;
    read[name] = text.value;
  }
  return done(read);
}

/** Writes what an answer holds for a file into a new one, its owner's alone, and names that in its place. */
export async function writeNewFile(
  { file }: Pick<AdminCommand, "file">,
  args: Args,
  answer: unknown,
): Promise<AdminOutcome<unknown>> {
  const path = file && args[file.flag];
  if (!file || path === undefined || !isRow(answer)) return done(answer);
  const octets = answer[file.member];
  if (typeof octets !== "string") {
    return refuse("COMMAND_UNKNOWN.flag", { flag: file.flag });
  }
  try {
    await writeFile(path, Buffer.from(octets, "base64"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return code === "EEXIST"
      ? refuse("FILE_UNWRITABLE.present", { path })
      : refuse("FILE_UNWRITABLE", { path, error: code });
  }
  return done({ ...answer, [file.member]: path });
}

async function readText(path: string): Promise<AdminOutcome<string>> {
  const read = await readBytes(path);
  return read.ok ? done(decodeText(read.value)) : read;
}

/** What stands in a file that the command line was told of. */
export async function readBytes(path: string): Promise<AdminOutcome<Uint8Array<ArrayBuffer>>> {
  const file = Bun.file(path);
  try {
    if ((await file.stat()).size > MAX_FILE_BYTES) {
      return refuse("FILE_UNREADABLE.too_large", { path, most: MAX_FILE_BYTES });
    }
    return done(await file.bytes());
  } catch (error) {
    return error instanceof Error && "code" in error
      ? refuse("FILE_UNREADABLE", { path, error: String(error.code) })
      : refuse("FILE_UNREADABLE.unexplained", { path });
  }
}
