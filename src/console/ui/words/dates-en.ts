/** The words of dates that a file does not write alike, and of numbers that are not sent as a workbook shows them, in English. */
export const DATES_EN = {
  title: (tag: string) => `The dates of the column ${tag} are not written alike`,
  are: (usual: string, line: string, other: string, otherLine: string) =>
    `“${usual}” in line ${line}, “${other}” in line ${otherLine}. Each text has its date as the file has it.`,
  help: "A spreadsheet may have rewritten some of them when the file was saved. To have them alike, give the column the format Text, write them again, save, and bring the file anew.",
  formatTitle: (tag: string) => `The numbers of the column ${tag} are not sent as the workbook shows them`,
  formatRows: { one: "# row", other: "# rows" },
  formatFirst: (line: string, sent: string, format: string, rows: string) =>
    `In line ${line}, “${sent}” is sent; the format of the cell is ${format}. ${rows} in all.`,
  formatHelp:
    "Zeros, decimals, per cent, durations and whole dates are sent as they are shown; names of months, currencies and spaces between thousands are not. To send something else, give the column the format Text, write the values again, save, and bring the file anew.",
};
