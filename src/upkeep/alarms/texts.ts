/** The words of alarms, in every language that they are told in. */
import type { AlarmFacts, RuleName } from "./rules.ts";

export type AlarmLanguage = "en" | "fr";

/** What is wrong, and what to do about it. A name in braces stands for a fact. */
type Words = { readonly detail: string; readonly action: string };

const EN: Readonly<Record<RuleName | "test", Words>> = {
  link_down: {
    detail: "Connection {connection} to {operator} is down. {error}",
    action: '"bendre operator status" shows its last error. Traffic goes over the other connections.',
  },
  operator_down: {
    detail: "No connection to {operator} is up: nothing is sent to its numbers. {error}",
    action: '"bendre operator status" shows the last errors. Call the operator if they are not ours.',
  },
  otp_waits: {
    detail: "The oldest OTP has been waiting for {seconds} s.",
    action: '"bendre queue show" tells for which operator, "bendre operator status" why.',
  },
  transactional_waits: {
    detail: "The oldest TRANSACTIONAL message has been waiting for {seconds} s.",
    action: '"bendre queue show" tells for which operator, "bendre operator status" why.',
  },
  delivered_share: {
    detail: "{operator} delivers {share} % of the last {messages} messages; {usual} % is usual.",
    action:
      '"bendre message trace" of some that failed shows the codes of the operator. Ask it what they mean.',
  },
  receipts_unmatched: {
    detail: "{unmatched} of {receipts} receipts of {operator} in 15 minutes name no message of ours.",
    action: '"bendre operator receipts" lists them. Does the operator write its ids in another form now?',
  },
  throttled: {
    detail: "{operator} has been asking us to send less for a while.",
    action: "Set throughput of its connections to what the contract says, or ask the operator for more.",
  },
  disk: {
    detail: "{free} MB are free on the disk of the data; {reserve} MB of them are the reserve.",
    action: "Make room: when the reserve is reached, nothing new is accepted.",
  },
  clock: {
    detail: "The clock of the machine is doubted ({kind}).",
    action: 'Set the clock right, or say "bendre clock accept" if what it says is right.',
  },
  books: {
    detail: "The last check of the books: {standing}.",
    action: '"bendre ledger check" checks them again and names each difference.',
  },
  backup: {
    detail: "There is no backup of the last {hours} hours.",
    action: '"bendre backup create" makes one, or says what is in its way.',
  },
  drill: {
    detail: "The last backup that was tried is not sound: {failure}",
    action: 'Say "bendre backup create", then "bendre backup drill". Keep older backups until one is sound.',
  },
  certificate: {
    detail: "The certificate of {key} ends in {left} days.",
    action: "Put a renewed certificate in its place.",
  },
  endpoint: {
    detail: "The webhook {endpoint} of account {account} fails again and again.",
    action: '"bendre webhook show {endpoint}" tells why. Tell the customer.',
  },
  wallet_low: {
    detail: "{account} has {spendable} XOF left to spend.",
    action: "Tell the customer, or top the wallet up.",
  },
  test: {
    detail: "This is a test: alarms find their way here.",
    action: "Nothing is to be done.",
  },
};

const FR: Readonly<Record<RuleName | "test", Words>> = {
  link_down: {
    detail: "La connexion {connection} vers {operator} est coupée. {error}",
    action: "« bendre operator status » donne sa dernière erreur. Le trafic passe par les autres connexions.",
  },
  operator_down: {
    detail: "Plus aucune connexion vers {operator} : rien ne part vers ses numéros. {error}",
    action:
      "« bendre operator status » donne les dernières erreurs. Si elles ne viennent pas de nous, appelez l'opérateur.",
  },
  otp_waits: {
    detail: "Le plus ancien OTP attend depuis {seconds} s.",
    action: "« bendre queue show » dit pour quel opérateur, « bendre operator status » dit pourquoi.",
  },
  transactional_waits: {
    detail: "Le plus ancien message TRANSACTIONAL attend depuis {seconds} s.",
    action: "« bendre queue show » dit pour quel opérateur, « bendre operator status » dit pourquoi.",
  },
  delivered_share: {
    detail: "{operator} remet {share} % des {messages} derniers messages, contre {usual} % d'habitude.",
    action:
      "Suivez quelques échecs avec « bendre message trace » : on y lit les codes de l'opérateur. Demandez-lui ce qu'ils veulent dire.",
  },
  receipts_unmatched: {
    detail:
      "En 15 minutes, {unmatched} accusés de {operator} sur {receipts} ne correspondent à aucun message.",
    action:
      "« bendre operator receipts » en donne la liste. L'opérateur a-t-il changé la forme de ses identifiants ?",
  },
  throttled: {
    detail: "{operator} nous demande depuis un moment d'envoyer moins vite.",
    action:
      "Ramenez le débit (throughput) de ses connexions à celui du contrat, ou demandez-en davantage à l'opérateur.",
  },
  disk: {
    detail: "Il reste {free} Mo sur le disque des données, dont {reserve} Mo de réserve.",
    action: "Faites de la place : une fois la réserve atteinte, plus rien n'est accepté.",
  },
  clock: {
    detail: "L'horloge de la machine est mise en doute ({kind}).",
    action: "Mettez-la à l'heure, ou tapez « bendre clock accept » si elle a raison.",
  },
  books: {
    detail: "Dernier contrôle des comptes : {standing}.",
    action: "« bendre ledger check » les vérifie à nouveau et cite chaque écart.",
  },
  backup: {
    detail: "Aucune sauvegarde depuis {hours} heures.",
    action: "« bendre backup create » en fait une, ou dit ce qui l'en empêche.",
  },
  drill: {
    detail: "La dernière sauvegarde mise à l'essai n'est pas saine : {failure}",
    action:
      "Tapez « bendre backup create », puis « bendre backup drill ». Gardez les anciennes en attendant.",
  },
  certificate: {
    detail: "Le certificat de {key} expire dans {left} jours.",
    action: "Mettez un certificat renouvelé à sa place.",
  },
  endpoint: {
    detail: "Le webhook {endpoint} du compte {account} échoue sans arrêt.",
    action: "« bendre webhook show {endpoint} » dit pourquoi. Prévenez le client.",
  },
  wallet_low: {
    detail: "Il reste {spendable} XOF à dépenser à {account}.",
    action: "Prévenez le client, ou rechargez son portefeuille.",
  },
  test: {
    detail: "Ceci est un essai : les alarmes arrivent bien ici.",
    action: "Il n'y a rien à faire.",
  },
};

export const ALARM_WORDS: Readonly<Record<AlarmLanguage, typeof EN>> = { en: EN, fr: FR };

/** The words of an alarm, its facts in their places. */
export function alarmWords(language: AlarmLanguage, rule: RuleName | "test", facts: AlarmFacts): Words {
  const { detail, action } = ALARM_WORDS[language][rule];
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? "")).trim();
  return { detail: filled(detail), action: filled(action) };
}
