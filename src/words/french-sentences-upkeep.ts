/** Those about operators, webhooks, the server, files and backups. */
export const SENTENCES_OF_UPKEEP: Readonly<Record<string, string>> = {
  "{} is there already: name a new file": "{1} existe déjà : donnez un nouveau fichier",
};
