/** The French of what the reference says of events and of the endpoints that are told. */
export const EVENTS_IN_FRENCH: Readonly<Record<string, string>> = {
  "Registered and enabled.": "Enregistrée et active.",
  "What the endpoint answered.": "Ce que l’adresse a répondu.",
  "When it happened.": "Quand cela s’est passé.",
  "The event, and `webhook-id` of the request. The same at every try: keep those you have seen.":
    "L’événement, et le `webhook-id` de la requête. Le même à chaque essai : gardez ceux que vous avez vus.",
  "The account that it happened to.": "Le compte concerné.",
  "What happened.": "Ce qui s’est passé.",
  "balance + credit_limit − reserved, never below 0.": "balance + credit_limit − reserved, jamais sous 0.",
  "The level below which `spendable` fell.": "Le seuil sous lequel `spendable` est passé.",
  "Signed as Standard Webhooks: see [/docs/webhooks](/docs/webhooks).":
    "Signé selon Standard Webhooks : voir [/docs/fr/webhooks](/docs/fr/webhooks).",
  "What the signature is verified with.": "Ce qu’il faut pour vérifier la signature.",
  "Any 2xx within 15 seconds: taken. Else it comes again.": "Un 2xx en 15 secondes : pris. Sinon il revient.",
  "A message became final": "Un message est devenu final",
  "What became of a batch": "Ce qu’un lot est devenu",
  "What may be spent fell below the level set for it":
    "Ce qui peut être dépensé est passé sous le seuil fixé",
  "Somebody tries the endpoint": "Quelqu’un essaie l’adresse",
};
