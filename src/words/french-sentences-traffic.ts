/** What happens to messages on their way, as traces and lists of the traffic tell it. */
export const SENTENCES_OF_TRAFFIC: Readonly<Record<string, string>> = {
  ...detailsOfEvents(),
};

function detailsOfEvents(): Readonly<Record<string, string>> {
  return {
    "not known yet: {} of {} unmarked": "pas encore connu : {1} sur {2} sans marque",
  };
}
