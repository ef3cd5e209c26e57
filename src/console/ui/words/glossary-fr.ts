import type { GLOSSARY_EN, TERMS_EN } from "./glossary-en.ts";

/** Les mots du métier que l’aide explique, en français : leur nom et leur sens. */
export const TERMS_FR: typeof TERMS_EN = {
  batch: "Lot",
  segment: "SMS compté (segment)",
  tag: "Balise",
  class: "Classe",
  otp: "OTP",
  receipt: "Accusé de réception",
  delivered: "Part livrée",
  booked: "Comptabilisé",
  reserved: "Réservé",
  books: "Livres de comptes",
  key: "Clé d’API",
  webhook: "Webhook",
  window: "Fenêtre",
  rate: "Par seconde",
  publicUrl: "public_url",
  environment: "Environnement",
  passphrase: "Phrase secrète (passphrase)",
};

/** Le sens de chacun, en deux phrases au plus. */
export const GLOSSARY_FR: typeof GLOSSARY_EN = {
  batch:
    "Un texte envoyé en une fois, à une ou plusieurs personnes. La page des lots montre où en est chacun.",
  segment: "Un SMS tel qu’il est facturé. Un texte long, ou avec des lettres rares, compte pour plusieurs.",
  tag: "Un mot entre accolades dans le texte, comme {nom}. À l’envoi, ce que la liste dit de chaque personne prend sa place.",
  class: "Les OTP partent d’abord, puis le transactionnel, puis le marketing.",
  otp: "Un code qui ne sert qu’une fois, pour une connexion ou un paiement par exemple. Il part avant tous les autres textes.",
  receipt:
    "La réponse de l’opérateur qui dit si le téléphone a reçu le texte. Tant qu’elle manque, personne ne sait s’il est arrivé.",
  delivered:
    "Chaque part dit sur quoi elle est comptée. D’un lot ou d’une journée, ce sont tous les textes acceptés ; d’un opérateur, ceux qu’il a pris ou jugés, sans ceux qui ne sont jamais partis.",
  booked: "Débité aux comptes depuis minuit.",
  reserved: "De l’argent mis de côté pour des textes encore en cours. Il est ensuite débité, ou rendu.",
  books:
    "La comptabilité de ce serveur : tout ce qui a été versé, débité et rendu. Elle est vérifiée chaque nuit : la somme des mouvements doit égaler les soldes.",
  key: "Un mot de passe qui permet à un programme, une boutique en ligne par exemple, d’envoyer et de lire pour un compte. Chaque programme a la sienne, qu’on peut révoquer.",
  webhook:
    "L’adresse d’un programme du client, prévenu quand un texte ou un lot est terminé. Qui n’a pas de tel programme n’en a pas besoin.",
  window: "Combien de textes peuvent être en route vers l’opérateur sans sa réponse.",
  rate: "Combien de textes sont partis à la dernière seconde, sur combien l’opérateur en accorde.",
  publicUrl:
    "Le réglage qui dit à quelle adresse on ouvre cette console. Tant qu’il manque, un lien d’invitation ne s’ouvre que sur le serveur lui-même.",
  environment:
    "Des valeurs que la machine donne au programme à son démarrage, hors du fichier de configuration. On y met les mots de passe, pour que personne ne les lise dans le fichier.",
  passphrase:
    "Un long mot de passe qui scelle les clés du serveur dans ses sauvegardes. Gardez-le hors de la machine : sans lui, personne ne peut plus les ouvrir.",
};
