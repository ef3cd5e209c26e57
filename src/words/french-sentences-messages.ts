/** Why a message did not arrive, as the console says it to those who look for it. */
export const SENTENCES_OF_MESSAGES: Readonly<Record<string, string>> = {};
