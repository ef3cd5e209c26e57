import { deflateRawSync } from "node:zlib";

/** An archive as programs write it: members deflated, sizes in the directory. */
export function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(members)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(plain.length, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(plain.length, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    pieces.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(members).length, 8);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A workbook of one sheet with these rows, each the XML of its cells. */
export function workbookOf(rows: readonly string[], more: Readonly<Record<string, string>> = {}): Uint8Array {
  return zipOf({
    "xl/workbook.xml": `${HEAD}<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="A &amp; B" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships><Relationship Id="rId3" Target="styles.xml"/><Relationship Id="rId7" Target="worksheets/sheet9.xml"/></Relationships>`,
    "xl/worksheets/sheet9.xml": `${HEAD}<worksheet><sheetData>${rows.map((cells, at) => `<row r="${at + 1}">${cells}</row>`).join("")}</sheetData></worksheet>`,
    ...more,
  });
}

type Sheet = readonly [name: string, ...rows: (readonly string[])[]];

/** A workbook of several sheets with rows of texts; one whose name begins with "." is hidden. */
export function bookOf(...sheets: readonly Sheet[]): Uint8Array {
  const named = sheets.map(([name, ...rows], at) => ({ name, rows, id: `rId${at + 1}` }));
  const sheetTags = named.map(
    ({ name, id }) =>
      `<sheet name="${name}" sheetId="1" ${name.startsWith(".") ? 'state="hidden" ' : ""}r:id="${id}"/>`,
  );
  const relations = named.map(({ id }) => `<Relationship Id="${id}" Target="worksheets/${id}.xml"/>`);
  const rowTags = (rows: readonly (readonly string[])[]) =>
    rows.map((cells, at) => `<row r="${at + 1}">${cells.map(said).join("")}</row>`).join("");
  return zipOf({
    "xl/workbook.xml": `${HEAD}<workbook xmlns:r="r"><sheets>${sheetTags.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships>${relations.join("")}</Relationships>`,
    ...Object.fromEntries(
      named.map(({ rows, id }) => [
        `xl/worksheets/${id}.xml`,
        `${HEAD}<worksheet><sheetData>${rowTags(rows)}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A cell with a text of its own. */
export const said = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
