/** The words of one batch's page and one message's, in English. The French has the same keys, or does not compile. */
export const BATCH_EN = {
  repeated: {
    one: "# row repeats a number that stands further up",
    other: "# rows repeat a number that stands further up",
  },
  missedFileHelp:
    "If the text has {tags}, their columns are in the file; what stood in them is kept only of rows that could not be read or repeat a number. Fill in what is empty, correct the rows and bring the file on the page “Send”. A row with the code DUPLICATE_IN_BATCH has a number that got the text by another row: it is not sent when the file comes back. To send it all the same, empty its cell “Reason code”.",
};
