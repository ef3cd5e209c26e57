/** The words of rows of a file that were not sent, where somebody looks for one of them, in English. */
export const ROWS_EN = {
  title: "Find a row that was not sent",
  help: "By the number as it stands in the file, whole or not.",
  helpValues: "By the number as it stands in the file, whole or not, or by a name that the text was to say.",
  hidden:
    "Names are shown and looked for by users of the account alone. Ask for the number as the file has it.",
  sought: "Number or name",
  soughtNumber: "Number",
  none: "No row that was not sent fits.",
  noneOfNumbers: "No number that was not sent to fits; names are not looked for here.",
  line: "Line of the file",
  number: "Number in the file",
  values: "What the text was to say",
  why: "Why",
  more: (shown: string) => `The first ${shown} are shown. Look for a number or a name to see others.`,
  holding: (typed: string) => `Rows that were not sent and hold ${typed}`,
  holdingHelp: (days: string) =>
    `In files of the last ${days} days. Nothing was sent for these rows, and nothing charged.`,
  holdingNone: (days: string) => `No row of the last ${days} days that was not sent holds it.`,
  part: (typed: string) => `Messages to numbers that hold ${typed}`,
  partHelp: (looked: string) => `Looked for among the last ${looked} messages, the newest first.`,
  partHelpAll: (looked: string) => `Looked for among all ${looked} messages, the newest first.`,
  partNone: "None of them went to such a number.",
  partMore: (shown: string) => `The newest ${shown} are shown. Type more digits to see fewer.`,
  corrected: (msisdn: string, state: string, time: string) =>
    `Sent since by a correction: ${msisdn}, ${state}, ${time}`,
  nearly: "One digit apart, or shortened by Excel",
  batch: "Batch of",
  toBatches: "Look through the batches of the last day",
};
