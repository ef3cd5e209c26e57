/** Those about operators, webhooks, the server, files and backups. */
export const SENTENCES_OF_UPKEEP: Readonly<Record<string, string>> = {
};
