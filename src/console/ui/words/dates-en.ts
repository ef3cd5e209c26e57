/** The words of dates that a file does not write alike, in English. */
export const DATES_EN = {
  title: (tag: string) => `The dates of the column ${tag} are not written alike`,
  are: (usual: string, line: string, other: string, otherLine: string) =>
    `“${usual}” in line ${line}, “${other}” in line ${otherLine}. Each text has its date as the file has it.`,
  help: "A spreadsheet may have rewritten some of them when the file was saved. To have them alike, give the column the format Text, write them again, save, and bring the file anew.",
};
