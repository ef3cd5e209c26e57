import { EVENTS_IN_FRENCH } from "./reference-french-events.ts";
import { FIELDS_IN_FRENCH } from "./reference-french-fields.ts";
import { QUOTES_IN_FRENCH } from "./reference-french-quote.ts";

/**
 * The French of what the OpenAPI document says of operations and fields, by the English sentence. Whole sentences that stand
 * side by side in several descriptions ("Whole XOF.") stand here once.
 */
const REFERENCE_FRENCH: Readonly<Record<string, string>> = {
  Batches: "Lots",
  Messages: "Messages",
  Account: "Compte",
  Webhooks: "Webhooks",
  Health: "Santé",
  "Submit texts and see what became of them.": "Envoyer des textes et voir ce qu’ils sont devenus.",
  "Single messages and the feed of their changes.":
    "Les messages un par un, et le flux de leurs changements.",
  "Balance and sender identities.": "Le solde et les expéditeurs.",
  "Endpoints that are told what happens.": "Les adresses qui sont averties de ce qui se passe.",
  "For load balancers and supervisors.": "Pour les répartiteurs de charge et la supervision.",
  "Submit a batch": "Envoyer un lot",
  "Prices the batch, reserves the money and queues every accepted recipient, all or nothing. Filtered recipients are reported in `rejections` with a 202: never rely on the HTTP status alone. The same Idempotency-Key with an equal JSON body replays the first 202; errors release the key. Above 10,000 recipients the batch is priced, and its money reserved, after its 202, which stays remembered even if the batch then is FAILED: use a new key after a top-up.":
    "Calcule le prix du lot, réserve l’argent et met en file chaque destinataire accepté, tout ou rien. Les destinataires écartés sont donnés dans `rejections` avec un 202 : ne vous fiez jamais au code HTTP seul. La même Idempotency-Key avec un corps JSON égal redonne le premier 202 ; une erreur libère la clé. Au-dessus de 10 000 destinataires, son prix est calculé et réservé après son 202, qui reste en mémoire même si le lot finit FAILED : prenez une nouvelle clé après une recharge.",
  "Any word of yours for this submission, kept for 7 days per API key.":
    "Un mot à vous pour cet envoi, gardé 7 jours pour la clé d’API.",
  "Accepted, its price reserved, not delivered yet.": "Accepté, son prix réservé, pas encore distribué.",
  "Fetch a batch": "Lire un lot",
  "The batch as it stands, with the full list of its rejected recipients.":
    "Le lot tel qu’il est, avec la liste complète de ses destinataires rejetés.",
  "The batch.": "Le lot.",
  "Poll for status changes": "Lire les changements d’état",
  "Messages whose status changed at or after `status_changed_since`, oldest first. Follow `next_status_changed_since` until `has_more` is false. A parameter that is not known is ignored.":
    "Les messages dont l’état a changé à partir de `status_changed_since`, le plus ancien d’abord. Suivez `next_status_changed_since` jusqu’à ce que `has_more` soit faux. Un paramètre inconnu est ignoré.",
  "ISO 8601, with `Z` or an offset. One before the maximum lookback is clamped to it.":
    "ISO 8601, avec `Z` ou un décalage. Un moment trop ancien est avancé jusqu’à la limite.",
  "Restricts the page to one batch.": "Limite la page à un lot.",
  "How many a page has at most.": "Le nombre maximal par page.",
  "As an answer told it.": "Comme une réponse l’a donné.",
  "A page of the feed.": "Une page du flux.",
  "Fetch a message": "Lire un message",
  "One message. Its text is not shown.": "Un message. Son texte n’est pas montré.",
  "The message.": "Le message.",
  "Read the balance": "Lire le solde",
  "Monitor `spendable`, not `balance`.": "Suivez `spendable`, pas `balance`.",
  "The balance.": "Le solde.",
  "List webhook endpoints": "Lister les adresses de webhook",
  "Every endpoint of the account, newest first. Secrets are not shown.":
    "Toutes les adresses du compte, la plus récente d’abord. Les secrets ne sont pas montrés.",
  "The endpoints.": "Les adresses.",
  "Register a webhook endpoint": "Enregistrer une adresse de webhook",
  "It receives what happens from now on, signed with `secret`, which is shown here and never again. An account has 100 at most, disabled ones included. See [/docs/webhooks](/docs/webhooks) for what is sent and how to verify it.":
    "Elle reçoit ce qui se passe à partir de maintenant, signé avec `secret`, qui n’est montré qu’ici. Un compte en a 100 au plus, désactivées comprises. Voir [/docs/fr/webhooks](/docs/fr/webhooks) : ce qui est envoyé et comment le vérifier.",
  "Post a test event to an endpoint": "Envoyer un événement d’essai",
  "Posts one event of the type `WEBHOOK_TEST`, signed like any other, and answers with what came of it: 200 also when nobody was there. It counts neither for nor against the endpoint, is never repeated, and is posted to a disabled endpoint too. At most 6 a minute for an endpoint.":
    "Envoie un événement `WEBHOOK_TEST`, signé comme les autres, et répond ce qu’il en est advenu : 200 même si personne n’était là. Il ne compte ni pour ni contre l’adresse, n’est jamais réessayé, et part aussi vers une adresse désactivée. 6 par minute au plus pour une adresse.",
  "Give an endpoint a new secret": "Donner un nouveau secret à une adresse",
  "The previous secret keeps verifying for 24 hours: until then every event carries a signature of each, the new one first.":
    "L’ancien secret reste valable 24 heures : jusque-là chaque événement porte une signature de chacun, la nouvelle d’abord.",
  "The endpoint and its new secret.": "L’adresse et son nouveau secret.",
  "Enable an endpoint": "Activer une adresse",
  "Its failures are forgotten. What happened while it was disabled is not sent: recover it from `GET /messages`.":
    "Ses échecs sont oubliés. Ce qui s’est passé pendant qu’elle était désactivée n’est pas envoyé : retrouvez-le par `GET /messages`.",
  "The endpoint, enabled.": "L’adresse, active.",
  "Disable an endpoint": "Désactiver une adresse",
  "What waits for it is dropped, and what happens while it is disabled is not kept for it.":
    "Ce qui l’attend est abandonné, et ce qui se passe pendant qu’elle est désactivée n’est pas gardé pour elle.",
  "The endpoint, disabled.": "L’adresse, désactivée.",
  "Whether anything needs a person": "Faut-il que quelqu’un intervienne ?",
  "For monitoring: `ok`; `degraded` when somebody should look, such as while an operator is away; `down`, with 503, exactly while submissions cannot be taken. Needs no API key. What was looked at is only told on the appliance's own machine.":
    "Pour la supervision : `ok` ; `degraded` quand quelqu’un devrait regarder, un opérateur absent par exemple ; `down`, avec 503, exactement tant qu’aucun envoi ne peut être pris. Sans clé d’API. Ce qui a été regardé n’est dit que sur la machine même du service.",
  "Submissions are taken.": "Les envois sont pris.",
  "Submissions are not taken.": "Les envois ne sont pas pris.",
  "Whether the process is alive": "Le programme fonctionne-t-il ?",
  "Needs no API key.": "Sans clé d’API.",
  "Live.": "Il fonctionne.",
  "Whether requests are accepted": "Les requêtes sont-elles acceptées ?",
  "Ready.": "Prêt.",
  "Not ready.": "Pas prêt.",
  "What was looked at; only told to requests made on the appliance's own machine.":
    "Ce qui a été regardé ; dit seulement aux requêtes faites sur la machine même du service.",
  "Since when it has this status.": "Depuis quand il est dans cet état.",
  "What to do; null where nothing is.": "Que faire ; null s’il n’y a rien à faire.",
  "At or below zero by design when postpaid.": "Zéro ou au-dessous, par nature, en postpayé.",
  "Whole XOF.": "XOF entiers.",
  "Part of the balance that is set aside for accepted messages.":
    "Part du solde mise de côté pour les messages acceptés.",
  "0 when prepaid.": "0 en prépayé.",
  "balance + credit_limit − reserved, never below 0: the figure to monitor.":
    "balance + credit_limit − reserved, jamais sous 0 : le chiffre à suivre.",
  "When the figures were read.": "Quand les chiffres ont été lus.",
  "VALIDATING, SCHEDULED, QUEUED or SENDING; SETTLED, REJECTED, FAILED and CANCELLED are final.":
    "VALIDATING, SCHEDULED, QUEUED ou SENDING ; SETTLED, REJECTED, FAILED et CANCELLED sont finaux.",
  "Recipients that were accepted.": "Destinataires acceptés.",
  "Recipients that were filtered out.": "Destinataires écartés.",
  "When it is to leave, in the batch's timezone; null when at once.":
    "Quand il doit partir, dans le fuseau du lot ; null si c’est tout de suite.",
  "When it was accepted, in the batch's timezone.": "Quand il a été accepté, dans le fuseau du lot.",
  "Cumulative: how many messages ever reached each state.":
    "Cumulatif : combien de messages ont un jour atteint chaque état.",
  "The accepted recipients.": "Les destinataires acceptés.",
  "Messages that ever were QUEUED.": "Messages qui ont été QUEUED.",
  "Messages that ever were SUBMITTED.": "Messages qui ont été SUBMITTED.",
  "Messages that ever were SENT.": "Messages qui ont été SENT.",
  "Messages that are DELIVERED.": "Messages DELIVERED.",
  "Messages that are FAILED.": "Messages FAILED.",
  "Messages that are CANCELLED.": "Messages CANCELLED.",
  "Message segments in the batch.": "Segments du lot.",
  "Set aside when it was accepted.": "Mis de côté à l’acceptation.",
  "Charged so far.": "Débité jusqu’ici.",
  "Given back so far.": "Rendu jusqu’ici.",
  "Why a batch is FAILED; null otherwise. `code` is that of an error, or VALIDATION_TIMEOUT. The 202 stays remembered: to submit the batch again, use a new Idempotency-Key.":
    "Pourquoi un lot est FAILED ; sinon null. `code` est celui d’une erreur, ou VALIDATION_TIMEOUT. Le 202 reste en mémoire : pour renvoyer le lot, prenez une nouvelle Idempotency-Key.",
  "While `status` is VALIDATING, every figure is 0: not yet computed.":
    "Tant que `status` est VALIDATING, tous les chiffres sont à 0 : pas encore calculés.",
  "Recipients that were filtered out: read it, and `rejections`, whatever the HTTP status.":
    "Destinataires écartés : lisez-le, avec `rejections`, quel que soit le code HTTP.",
  "Set aside for the batch.": "Mis de côté pour le lot.",
  "Lengths are counted in Unicode code points.": "Les longueurs se comptent en points de code Unicode.",
  "A sender identity of the account, its upper and lower case as in GET /sender-ids, which says `is_sendable`; a name on SMS has 11 characters at most.":
    "Un expéditeur du compte, majuscules et minuscules comme dans GET /sender-ids, qui dit `is_sendable` ; sur un SMS, un nom a 11 caractères au plus.",
  "The text, not blank. `{tag}` is filled in from each recipient's attributes. By WhatsApp: the text of a template that Meta has approved.":
    "Le texte, pas blanc. `{balise}` est remplie avec les attributs de chaque destinataire. Par WhatsApp : le texte d’un modèle que Meta a approuvé.",
  "Above 10000 the batch is validated after the answer.":
    "Au-dessus de 10 000, le lot est vérifié après la réponse.",
  "ISO 8601, in the future, at most 365 days ahead. Without an offset: local time in `timezone`.":
    "ISO 8601, dans l’avenir, 365 jours au plus. Sans décalage : heure locale de `timezone`.",
  "IANA name; the account's by default. Only meaningful with `scheduled_at`.":
    "Nom IANA ; par défaut celui du compte. N’a de sens qu’avec `scheduled_at`.",
  "Only excludes the batch from campaign statistics: it is billed and delivered.":
    "Sort seulement le lot des statistiques de campagne : il est facturé et distribué.",
  "Each message once, at its latest change, oldest first.":
    "Chaque message une fois, à son dernier changement, le plus ancien d’abord.",
  "The cursor: `status_changed_since` of the next page.":
    "Le curseur : `status_changed_since` de la page suivante.",
  "Whether it was asked with a test key. Missing where no key was recognised.":
    "Si la demande a été faite avec une clé d'essai. Absent quand aucune clé n'a été reconnue.",
  "Whether it is of a sandbox: sent or asked with a test key.":
    "S’il s’agit du bac à sable : envoyé ou demandé avec une clé d’essai.",
  "Whether the next page has messages already.": "Si la page suivante a déjà des messages.",
  'Why it is not ready, such as "starting" or "stopping".':
    "Pourquoi il n’est pas prêt : « starting », « stopping »…",
  "Its batch.": "Son lot.",
  "Only what you called so.": "Seulement ce que vous avez nommé ainsi.",
  "What you called it; null when you called it nothing.":
    "Le nom que vous lui avez donné ; null s’il n’en a pas.",
  "What you called the recipient; null when you called it nothing.":
    "Le nom que vous avez donné au destinataire ; null s’il n’en a pas.",
  "What you called its batch; null when you called it nothing.":
    "Le nom que vous avez donné à son lot ; null s’il n’en a pas.",
  "Yours: it comes back with messages, events and rejections. 1 to 64 letters, marks, numbers, punctuation, symbols and spaces, not only spaces; a number is taken as text. Need not be unique, and makes nothing happen once only.":
    "À vous : il revient avec les messages, les événements et les rejets. De 1 à 64 lettres, signes, chiffres, ponctuations, symboles et espaces, pas seulement des espaces ; un nombre est pris comme texte. Il n’a pas à être unique et ne protège d’aucun doublon.",
  "Zero-based place of the recipient in the submission.":
    "Place du destinataire dans l’envoi, à partir de 0.",
  "E.164.": "E.164.",
  "QUEUED, SUBMITTED, SENT, DELIVERED, FAILED or CANCELLED. Others may be added.":
    "QUEUED, SUBMITTED, SENT, DELIVERED, FAILED ou CANCELLED. D’autres peuvent s’ajouter.",
  "Whether the status can still change.": "Si l’état ne peut plus changer.",
  "Still set aside.": "Encore mis de côté.",
  "What went wrong; null when nothing did.": "Ce qui n’a pas marché ; null si tout va bien.",
  "When it was accepted.": "Quand il a été accepté.",
  "When it was handed to the operator.": "Quand il a été remis à l’opérateur.",
  "When the operator had accepted every segment.": "Quand l’opérateur a fini de prendre tous les segments.",
  "When the operator reported the delivery.": "Quand l’opérateur a annoncé la distribution.",
  "When the status became final.": "Quand l’état est devenu final.",
  "Null before.": "Null avant.",
  "Unique and rising per account, always with six fraction digits.":
    "Unique et croissant pour un compte, toujours avec six décimales.",
  "The members of RFC 9457. Every code is explained at /docs/errors.":
    "Les membres de la RFC 9457. Chaque code est expliqué dans /docs/errors.",
  "Whether the same request may succeed later without a change. `x-errors` has it for every code. Where there is a Retry-After, wait so long.":
    "Si la même requête peut réussir plus tard sans changement. `x-errors` le dit pour chaque code. Où il y a un Retry-After, attendez ce temps-là.",
  "Quote it when contacting support.": "À donner quand vous appelez l’assistance.",
  "What exactly is wrong, with VALIDATION_FAILED.": "Ce qui est faux au juste, avec VALIDATION_FAILED.",
  "JSON Pointer (RFC 6901).": "Pointeur JSON (RFC 6901).",
  "Values of the merge tags. A tag without one becomes an empty string.":
    "Les valeurs des balises. Une balise sans valeur devient un texte vide.",
  "E.164; null when it could not be normalised.": "E.164 ; null s’il n’a pas pu être lu.",
  "Others may be added.": "D’autres peuvent s’ajouter.",
  "REQUESTED, APPROVED or REJECTED. Others may be added.":
    "REQUESTED, APPROVED ou REJECTED. D’autres peuvent s’ajouter.",
  "Approved and registered with at least one operator.": "Approuvé et enregistré chez au moins un opérateur.",
  "Codes of the operators it is registered with.": "Les codes des opérateurs où il est enregistré.",
  "Why it is REJECTED; null otherwise.": "Pourquoi il est REJECTED ; sinon null.",
  "When it was requested.": "Quand il a été demandé.",
  "The endpoint.": "L’adresse.",
  "Empty when it has none.": "Vide s’il n’y en a pas.",
  "What it receives. Other types may be added.": "Ce qu’elle reçoit. D’autres types peuvent s’ajouter.",
  "ENABLED, DISABLED_BY_USER or DISABLED_AFTER_FAILURES.":
    "ENABLED, DISABLED_BY_USER ou DISABLED_AFTER_FAILURES.",
  "Null when enabled.": "Null quand elle est active.",
  "When an event was last delivered.": "Quand un événement est arrivé pour la dernière fois.",
  "When an attempt last failed.": "Quand un essai a échoué pour la dernière fois.",
  "When it was registered.": "Quand elle a été enregistrée.",
  "`whsec_` and the base64 of the key. Shown this once.":
    "`whsec_` et le base64 de la clé. Montré cette seule fois.",
  "An https: URL without credentials. It must not resolve to a private, loopback or link-local address, unless whoever runs the service allows these for rehearsals; a name that does not resolve yet is accepted.":
    "Une adresse https: sans identifiants. Elle ne doit pas mener à une adresse privée, de boucle locale ou de lien local, sauf si votre fournisseur le permet pour des essais ; un nom qui ne mène encore nulle part est accepté.",
  "A label.": "Une étiquette.",
  "What to receive, repeats ignored. Left out, null or an empty list: MESSAGE_TERMINAL, BATCH_SETTLED.":
    "Ce qu’elle doit recevoir ; les doublons sont ignorés. Omis, null ou liste vide : MESSAGE_TERMINAL, BATCH_SETTLED.",
  "When the previous secret stops verifying.": "Quand l’ancien secret cesse d’être valable.",
  "The event: `webhook-id` of the request.": "L’événement : `webhook-id` de la requête.",
  "Whether it was answered with a 2xx in time.": "Si un 2xx est venu à temps.",
  "`delivered`, or why not in words.": "`delivered`, ou pourquoi non, en mots.",
  "The HTTP status of the answer; null when there was none.":
    "Le code HTTP de la réponse ; null s’il n’y en a pas eu.",
  "From the request to the end of its answer, in milliseconds.":
    "De la requête à la fin de sa réponse, en millisecondes.",
  "What was in force for its texts: as_is, rewrite or gsm_only.":
    "Ce qui valait pour ses textes : as_is, rewrite ou gsm_only.",
  "What was in force for tags without a value: empty or reject.":
    "Ce qui valait pour les balises sans valeur : empty ou reject.",
  "What its client should know, such as a slip in the tags, never an error; empty while `status` is VALIDATING.":
    "Ce que le client devrait savoir, comme une faute dans les balises, jamais une erreur ; vide tant que `status` est VALIDATING.",
  "What becomes of a text that GSM-7 lacks characters of: `as_is` (UCS-2, half the room), `rewrite` (`ç` becomes `c`, and so on, where all of the text fits then and has no more segments) or `gsm_only` (rewritten, and rejected with NOT_GSM7 where it can't be). The account's by default.":
    "Ce que devient un texte dont le GSM-7 n’a pas toutes les lettres : `as_is` (UCS-2, moitié moins de place), `rewrite` (`ç` devient `c`, et ainsi de suite, quand tout le texte tient alors sans un segment de plus) ou `gsm_only` (réécrit, et rejeté avec NOT_GSM7 quand c’est impossible). Par défaut, le réglage du compte.",
  "What becomes of a recipient without a value for a tag: `empty` (nothing stands in its place) or `reject` (MISSING_ATTRIBUTE). The account's by default.":
    "Ce que devient un destinataire sans valeur pour une balise : `empty` (rien à sa place) ou `reject` (MISSING_ATTRIBUTE). Par défaut, le réglage du compte.",
  "MISSING_ATTRIBUTE: a tag has no value. UNUSED_ATTRIBUTE: of recipients with a missing one, an attribute that no tag asks for. TEXT_IN_BRACES: what stands in braces is sent as it stands, for no attribute is called so; of batches with attributes. LONG_TEXT: texts take more than 10 segments. TEMPLATE_MOVES: Meta has announced another category for the template, which this class cannot be sent by.":
    "MISSING_ATTRIBUTE : une balise n’a pas de valeur. UNUSED_ATTRIBUTE : chez des destinataires à qui il en manque une, un attribut qu’aucune balise ne demande. TEXT_IN_BRACES : ce qui est entre accolades part tel quel, aucun attribut ne s’appelle ainsi ; dans les lots avec attributs. LONG_TEXT : des textes prennent plus de 10 segments. TEMPLATE_MOVES : Meta a annoncé pour le modèle une autre catégorie, qui ne va pas avec cette classe.",
  "What is the matter, in words.": "Ce qu’il y a, en mots.",
  "Only of LONG_TEXT: how many the longest takes.":
    "Seulement pour LONG_TEXT : combien en prend le plus long.",
  "The tag without a value, the attribute that no tag asks for, or the text in braces; empty where it is about none of them.":
    "La balise sans valeur, ou l’attribut qu’aucune balise ne demande ; vide quand il ne s’agit ni de l’un ni de l’autre.",
  "What may be meant: the attribute or the tag whose name is nearest, without case and accents; null where none is near.":
    "Ce qu’on a peut-être voulu dire : l’attribut ou la balise au nom le plus proche, sans majuscules ni accents ; null s’il n’y en a pas.",
  "How many recipients with a routable number it is about.":
    "Combien de destinataires au numéro joignable cela concerne.",
  "List batches": "Lister les lots",
  "The account's batches, newest first, without their rejections and warnings. Follow `next_cursor` with the same filters until it is null; a page may have fewer batches than `limit` before that. An unknown parameter is refused: a misspelt filter must not list everything.":
    "Les lots du compte, le plus récent d’abord, sans leurs rejets ni avertissements. Suivez `next_cursor` avec les mêmes filtres jusqu’à null ; une page peut avoir moins de lots que `limit` avant cela. Un paramètre inconnu est refusé : un filtre mal écrit ne doit pas tout lister.",
  "Only batches in this state, or in one of several, separated by commas: VALIDATING, SCHEDULED, QUEUED, SENDING, SETTLED, REJECTED, FAILED, CANCELLED.":
    "Seulement les lots dans cet état, ou dans l’un de plusieurs séparés par des virgules : VALIDATING, SCHEDULED, QUEUED, SENDING, SETTLED, REJECTED, FAILED, CANCELLED.",
  "Only batches that were accepted at this moment or later.":
    "Seulement les lots acceptés à ce moment ou après.",
  "Only batches that were accepted before this moment.": "Seulement les lots acceptés avant ce moment.",
  "`next_cursor` of the page before, asked for with the same filters. What is in it is nobody's business.":
    "`next_cursor` de la page d’avant, demandée avec les mêmes filtres. Ne cherchez rien dedans.",
  "A page of batches.": "Une page de lots.",
  "Cancel a batch": "Annuler un lot",
  "From this answer on nothing more of the batch leaves. What waits is cancelled and its money given back; what is under way goes on. The batch is CANCELLED once every message's money is charged or given back: of a large batch, or one that was sent in part, after the answer. Repeated it is 202 again and moves nothing.":
    "À partir de cette réponse, plus rien du lot ne part. Ce qui attend est annulé et son argent rendu ; ce qui est en route continue. Le lot est CANCELLED quand l’argent de chaque message est débité ou rendu : pour un grand lot, ou un lot parti en partie, après la réponse. Répété, c’est encore 202, et rien ne bouge.",
  "The batch, called off.": "Le lot, annulé.",
  "When somebody asked for it to be cancelled, in UTC; null when nobody did. Its waiting messages are cancelled from then on.":
    "Quand quelqu’un a demandé son annulation, en UTC ; null si personne ne l’a fait. Ses messages en attente sont annulés à partir de là.",
  "Why, for the list of recorded changes that the service's operator keeps.":
    "Pourquoi, pour le registre des changements que tient votre fournisseur.",
  "Newest first.": "Le plus récent d’abord.",
  "`cursor` of the next page, with the same filters; null on the last page.":
    "`cursor` de la page suivante, avec les mêmes filtres ; null sur la dernière page.",
  "The first that applies of": "La première qui s’applique de",
  ...EVENTS_IN_FRENCH,
  ...FIELDS_IN_FRENCH,
  ...QUOTES_IN_FRENCH,
};

/** Ends of descriptions that many fields share. */
const ENDS = ["Whole XOF.", "Null before.", "Others may be added."];

/**
 * A description in French: as a whole, else its beginning and one of the ends that many share; null where the French is
 * missing. A list of codes that ends it is the same in every language.
 */
export function inFrench(description: string): string | null {
  const whole = REFERENCE_FRENCH[description];
  if (whole !== undefined) return whole;
  for (const end of ENDS) {
    if (!description.endsWith(` ${end}`)) continue;
    const beginning = inFrench(description.slice(0, -end.length - 1));
    return beginning === null ? null : `${beginning} ${REFERENCE_FRENCH[end]}`;
  }
  const [, beginning = "", codes] =
    /^(The first that applies of|For programs:) ([A-Z0-9_, ]+)\.$/.exec(description) ?? [];
  return codes === undefined ? null : `${REFERENCE_FRENCH[beginning]} ${codes}.`;
}

const SCOPE_SENTENCE = /\n\nScope: `\w+`\.$/;
const CODES = /^[A-Z][A-Z0-9_]*(?:, [A-Z][A-Z0-9_]*)*$/;

/** Whether it describes a field that is called so, rather than giving examples. */
const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && "description" in value;

/**
 * A value of the OpenAPI document with its titles and descriptions in French. What has none stays as it is, and is handed to
 * `missing`.
 */
export function documentInFrench(value: unknown, missing: (sentence: string) => void = () => {}): unknown {
  if (Array.isArray(value)) return value.map((item) => documentInFrench(item, missing));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (name === "example" || (name === "examples" && !isSchema(member))) return [name, member];
      if (typeof member === "string" && ["description", "summary"].includes(name)) {
        return [name, french(member.replace(SCOPE_SENTENCE, ""), missing)];
      }
      if (name !== "tags" || !Array.isArray(member)) return [name, documentInFrench(member, missing)];
      return [name, member.map((tag: unknown) => tagInFrench(tag, missing))];
    }),
  );
}

/** A tag as an operation names it, or as the document lists it. */
function tagInFrench(tag: unknown, missing: (sentence: string) => void): unknown {
  if (typeof tag === "string") return french(tag, missing);
  const listed = documentInFrench(tag, missing);
  if (typeof listed !== "object" || listed === null || !("name" in listed)) return listed;
  return { ...listed, name: french(String(listed.name), missing) };
}

function french(sentence: string, missing: (sentence: string) => void): string {
  if (CODES.test(sentence)) return sentence;
  const known = inFrench(sentence);
  if (known === null) missing(sentence);
  return known ?? sentence;
}
