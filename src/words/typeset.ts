/** French punctuation keeps to its word: the blank before `: ; ? !` and inside « » is one at which no line breaks. */
export function typeset(french: string): string {
  return french.replaceAll(/ (?=[:;?!»](?:\s|$|[.,)]))/g, "\u00a0").replaceAll("« ", "«\u00a0");
}
