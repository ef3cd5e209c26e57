/** What comes of a test text over an operator, and what each answer of an operator means. */
export const SENTENCES_OF_OPERATOR_TESTS: Readonly<Record<string, string>> = {
  "it connects": "elle se connecte",
};
