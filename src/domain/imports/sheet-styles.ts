import { wholeIn } from "../../core/numbers-in.ts";
import { type NumberFormat, numberFormat } from "./number-format.ts";
import { attributeOf, tagsOf } from "./xml.ts";

/** Formats that every workbook knows by number (ECMA-376 part 1, 18.8.30). */
const KNOWN: ReadonlyMap<number, string> = new Map([
  [0, "General"],
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "mm-dd-yy"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "m/d/yy h:mm"],
  [37, "#,##0 ;(#,##0)"],
  [38, "#,##0 ;[Red](#,##0)"],
  [39, "#,##0.00;(#,##0.00)"],
  [40, "#,##0.00;[Red](#,##0.00)"],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mmss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
]);
const GENERAL = 0;
/** A workbook has fewer (Excel specifications and limits). */
const MAX_STYLES = 65_536;

/** The format of each style of cells: what a cell names is a place in `cellXfs`. */
export function cellFormats(xml: string): (style: number) => NumberFormat {
  const codes = new Map<number, string | null>(KNOWN);
  const styles: number[] = [];
  let isCellStyle = false;
  for (const { name, isEnd, attributes } of tagsOf(xml)) {
    if (name === "numFmt" && !isEnd) {
      const id = wholeIn(attributeOf(attributes, "numFmtId"));
      if (id !== null) codes.set(id, attributeOf(attributes, "formatCode"));
    } else if (name === "cellXfs") isCellStyle = !isEnd;
    else if (name === "xf" && !isEnd && isCellStyle) {
      if (styles.length < MAX_STYLES) styles.push(wholeIn(attributeOf(attributes, "numFmtId")) ?? GENERAL);
    }
  }
  const formats = new Map<number, NumberFormat>();
  return (style) => {
    const id = styles[style] ?? GENERAL;
    const known = formats.get(id);
    if (known) return known;
    // A number that names no format, or one of another language's calendar, is shown as it is.
    const format = numberFormat(codes.get(id) === undefined ? "General" : (codes.get(id) ?? null));
    formats.set(id, format);
    return format;
  };
}
