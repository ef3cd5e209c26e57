import { attributeOf, tagsOf } from "./xml.ts";

/** Formats of dates and times that every workbook knows by number (ECMA-376 part 1, 18.8.30). */
const isDateFormat = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);

/** Which styles of cells show a number as a date: what a cell names is a place in `cellXfs`. */
export function dateStyles(xml: string): (style: number) => boolean {
  const ownDates = new Set<number>();
  const styles: boolean[] = [];
  let isCellStyle = false;
  for (const { name, isEnd, attributes } of tagsOf(xml)) {
    if (name === "numFmt" && isDateCode(attributeOf(attributes, "formatCode") ?? "")) {
      ownDates.add(Number(attributeOf(attributes, "numFmtId")));
    } else if (name === "cellXfs") isCellStyle = !isEnd;
    else if (name === "xf" && !isEnd && isCellStyle) {
      const id = Number(attributeOf(attributes, "numFmtId") ?? "0");
      styles.push(isDateFormat(id) || ownDates.has(id));
    }
  }
  return (style) => styles[style] === true;
}

/** Whether a format has a part of a date in it, outside of texts, colours and escaped characters. */
function isDateCode(code: string): boolean {
  return /[dmyhs]/i.test(
    code.replaceAll(/"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|\\.|_.|\*./g, "").replaceAll(/general/gi, ""),
  );
}
