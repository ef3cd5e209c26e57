import type { AlarmWords } from "./words.ts";

export const FR: AlarmWords = {
  link_down: {
    title: "connexion {connection} vers {operator} coupée",
    detail: "La connexion {connection} vers {operator} est coupée. {error}",
    action: "« bendre operator status » donne sa dernière erreur. Le trafic passe par les autres connexions.",
  },
  operator_down: {
    title: "plus aucune connexion vers {operator}",
    detail: "Plus aucune connexion vers {operator} : rien ne part vers ses numéros. {error}",
    action:
      "« bendre operator status » donne les dernières erreurs. Si elles ne viennent pas de nous, appelez l'opérateur.",
  },
  not_taken: {
    title: "{operator} ne prend aucun message par la connexion {connection}",
    detail:
      "{operator} n'a pris aucun des {answers} derniers messages par la connexion {connection}. Il répond {code} : {answer}",
    action:
      "Demandez à l'opérateur ce que veut dire sa réponse. Ce qu'il remet à plus tard est retenté tant que le message vaut ; ce qu'il refuse a échoué.",
  },
  number_stopped: {
    title: "le numéro {operator} est arrêté",
    detail: "Meta ne laisse plus rien partir par le numéro {operator} : ses messages attendent. {error}",
    action:
      "Voyez chez Meta le numéro, son jeton et sa facture. « bendre operator resume {operator} » le relance aussitôt.",
  },
  template_stopped: {
    title: "le modèle {template} est arrêté",
    detail: "Le modèle {template} ne part plus comme avant : {why}.",
    action:
      "Voyez-le dans le gestionnaire WhatsApp de Meta. « bendre whatsapp template list » les montre tous.",
  },
  direct_text_stopped: {
    title: "plus de {class} sans modèle par {operator}",
    detail:
      "Meta facture en {category} les textes {class} sans modèle de {operator} : plus aucun ne part, leurs messages attendent.",
    action:
      "Voyez ce qui a été envoyé, et faites approuver ces textes comme modèles. « bendre whatsapp release {operator} CLASSE » les relance.",
  },
  template_moves: {
    title: "le modèle {template} devient {category}",
    detail:
      "Meta fait passer le modèle {template} dans la catégorie {category} le {at} : ce qui n'est pas parti d'ici là dans une autre classe échouera, et les lots seront refusés.",
    action:
      "Prévenez les comptes qui l'envoient. Faites approuver un texte sans publicité, ou contestez dans le gestionnaire WhatsApp de Meta.",
  },
  templates_unread: {
    title: "les modèles de {operator} restent illisibles",
    detail: "Impossible de lire chez Meta les modèles de {operator} : ce qu'on en sait est ancien. {error}",
    action: "« bendre whatsapp sync » réessaie aussitôt. Vérifiez le jeton du numéro et son waba_id.",
  },
  country_refused: {
    title: "{operator} ne peut écrire vers {country}",
    detail:
      "Meta interdit au numéro {operator} d'écrire vers le pays {country} : chaque message y échoue (130497).",
    action: "Demandez à Meta pourquoi, ou retirez ce pays de ceux du numéro (countries).",
  },
  otp_waits: {
    title: "des OTP attendent depuis {seconds} s",
    detail: "Le plus ancien OTP attend depuis {seconds} s.",
    action: "« bendre queue show » dit pour quel opérateur, « bendre operator status » dit pourquoi.",
  },
  transactional_waits: {
    title: "des messages TRANSACTIONAL attendent depuis {seconds} s",
    detail: "Le plus ancien message TRANSACTIONAL attend depuis {seconds} s.",
    action: "« bendre queue show » dit pour quel opérateur, « bendre operator status » dit pourquoi.",
  },
  delivered_share: {
    title: "{operator} ne remet que {share} %, {usual} % d'habitude",
    detail: "{operator} remet {share} % des {messages} derniers messages, contre {usual} % d'habitude.",
    action:
      "Suivez quelques échecs avec « bendre message trace » : on y lit les codes de l'opérateur. Demandez-lui ce qu'ils veulent dire.",
  },
  receipts_unmatched: {
    title: "{unmatched} accusés de {operator} sans message",
    detail:
      "En 15 minutes, {unmatched} accusés de {operator} sur {receipts} ne correspondent à aucun message.",
    action:
      "« bendre operator receipts » en donne la liste. L'opérateur a-t-il changé la forme de ses identifiants ?",
  },
  throttled: {
    title: "{operator} nous demande sans cesse de ralentir",
    detail: "{operator} nous demande depuis un moment d'envoyer moins vite.",
    action:
      "Ramenez le débit (throughput) à celui du contrat, ou demandez-en davantage à l'opérateur (pour WhatsApp : à Meta).",
  },
  disk: {
    title: "plus que {free} Mo sur le disque des données",
    detail: "Il reste {free} Mo sur le disque des données, dont {reserve} Mo de réserve.",
    action: "Faites de la place : une fois la réserve atteinte, plus rien n'est accepté.",
  },
  clock: {
    title: "horloge mise en doute",
    detail: "L'horloge de la machine est mise en doute ({kind}).",
    action: "Mettez-la à l'heure, ou tapez « bendre clock accept » si elle a raison.",
  },
  books: {
    title: "contrôle des comptes : {standing}",
    detail: "Dernier contrôle des comptes : {standing}.",
    action: "« bendre ledger check » les vérifie à nouveau et cite chaque écart.",
  },
  backup: {
    title: "aucune sauvegarde depuis {hours} heures",
    detail: "Aucune sauvegarde depuis {hours} heures.",
    action: "« bendre backup create » en fait une, ou dit ce qui l'en empêche.",
  },
  drill: {
    title: "l'essai d'une sauvegarde a échoué",
    detail: "Le dernier essai d'une sauvegarde a échoué : {failure}",
    action:
      "Tapez « bendre backup create », puis « bendre backup drill ». Gardez les anciennes en attendant.",
  },
  certificate: {
    title: "le certificat de {key} expire dans {left} jours",
    detail: "Le certificat de {key} expire dans {left} jours.",
    action: "Mettez un certificat renouvelé à sa place.",
  },
  endpoint: {
    title: "le webhook {endpoint} de {account} échoue sans arrêt",
    detail: "Le webhook {endpoint} du compte {account} échoue sans arrêt.",
    action: "« bendre webhook show {endpoint} » dit pourquoi. Prévenez le client.",
  },
  wallet_low: {
    title: "il reste {spendable} XOF à {account}",
    detail: "Il reste {spendable} XOF à dépenser à {account}.",
    action: "Prévenez le client, ou rechargez son portefeuille.",
  },
  test: {
    title: "ceci est un essai",
    detail: "Ceci est un essai : les alarmes arrivent bien ici.",
    action: "Il n'y a rien à faire.",
  },
};
