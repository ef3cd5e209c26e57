/**
 * Texts that stand in files of their own. The build packs what they hold into the executable, which carries it compressed: a text in the
 * program would stand there as source and as bytecode. Where the program runs from its source, the files are read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import type { Locale } from "./phrase.ts";

/** A value of JSON as the executable carries it. */
export function pack(value: unknown): string {
  return Bun.zstdCompressSync(JSON.stringify(value), { level: 19 }).toString("base64");
}

/** What the executable carries; what `read` gives where nothing was packed. */
export function unpackOr<Value>(packed: string | undefined, read: () => Value): Value {
  return packed === undefined
    ? read()
    : JSON.parse(Bun.zstdDecompressSync(Buffer.from(packed, "base64")).toString());
}

/** What files hold, by language and by the file's name without its ending. */
type ByLanguage<Content> = Readonly<Record<Locale, Readonly<Record<string, Content>>>>;

/** Reads the files of `en` and `fr` below a folder, in the order of their names; folders in there are apart. */
export function readByLanguage<Content>(
  folder: string,
  read: (text: string) => Content,
): ByLanguage<Content> {
  const filesOf = (locale: Locale) =>
    readdirSync(join(folder, locale), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
      .map((name) => [parse(name).name, read(readFileSync(join(folder, locale, name), "utf8"))] as const);
  return { en: Object.fromEntries(filesOf("en")), fr: Object.fromEntries(filesOf("fr")) };
}
