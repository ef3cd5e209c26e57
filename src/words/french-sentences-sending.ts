/** What an administrator reads who sends a file: what is wrong with it, and why it is not taken. */
export const SENTENCES_OF_SENDING: Readonly<Record<string, string>> = {
  "line {}: {}": "ligne {1} : {2!}",
  "the account is suspended": "le compte est suspendu",
};
