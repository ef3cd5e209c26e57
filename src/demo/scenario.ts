/**
 * Data of `bendre demo`: three simulated operators with quirks, a WhatsApp number, the configuration, and the sample
 * batches.
 */
import type { Quirks } from "../simulator/quirks.ts";
import type { SimTemplate } from "../simulator/whatsapp/templates.ts";
import type { DemoLanguage } from "./past-clients.ts";

/**
 * One of the simulated operators: ranges as in docs/behaviour.md#9-burkina-faso-ranges, an illustrative price, quirks
 * of its own.
 */
type DemoOperator = {
  readonly code: string;
  readonly name: string;
  /** The first two digits of its national numbers. */
  readonly ranges: readonly string[];
  /** Whole XOF per segment. */
  readonly price: number;
  readonly quirks: Partial<Quirks>;
};

/** Three networks that write their ids and receipts in three ways. */
export const DEMO_OPERATORS: readonly DemoOperator[] = [
  {
    code: "orange",
    name: "Orange Burkina Faso",
    ranges: "04 05 06 07 44 45 46 54 55 56 57 64 65 66 67 74 75 76 77".split(" "),
    price: 15,
    quirks: { idFormat: "decimal" },
  },
  {
    code: "moov",
    name: "Moov Africa Burkina Faso",
    ranges: "01 02 03 50 51 52 53 60 61 62 63 70 71 72 73".split(" "),
    price: 14,
    quirks: { idFormat: "hex_response_decimal_receipt" },
  },
  {
    code: "telecel",
    name: "Telecel Faso",
    ranges: "58 68 69 78 79".split(" "),
    price: 12,
    quirks: { idFormat: "uuid", noTlvs: true },
  },
];

/** The number of WhatsApp: its operator code, its name, and what a message costs. */
export const DEMO_NUMBER = { code: "whatsapp:main", name: "WhatsApp", price: 5 };
export const CLOUD_SECRETS = { appSecret: "demo", verifyToken: "demo" };

/** What a segment costs at an operator. */
export function priceAt(code: string): number {
  return [...DEMO_OPERATORS, DEMO_NUMBER].find((operator) => operator.code === code)?.price ?? 0;
}

/** A WhatsApp number whose Cloud API is on a port of this machine. */
function demoNumber(port: number): object {
  return {
    api: `http://127.0.0.1:${port}`,
    app_secret: CLOUD_SECRETS.appSecret,
    verify_token: CLOUD_SECRETS.verifyToken,
    numbers: {
      main: {
        phone_number_id: "100000000000001",
        waba_id: "200000000000002",
        token: "demo",
        price: { OTP: 6, TRANSACTIONAL: DEMO_NUMBER.price, MARKETING: 21 },
      },
    },
  };
}

type DemoPlaces = {
  readonly directory: string;
  /** The API's port; 0 for a free one. */
  readonly port: number;
  /** The operators' ports, by their codes. */
  readonly ports: ReadonlyMap<string, number>;
  /** Once there is a stand-in for Meta. */
  readonly cloudPort?: number;
};

/** The configuration document of the demonstration, as the file would say it. */
export function demoConfig({ directory, port, ports, cloudPort }: DemoPlaces): unknown {
  return {
    ...(cloudPort === undefined ? {} : { whatsapp: demoNumber(cloudPort) }),
    server: { listen: `127.0.0.1:${port}` },
    metrics: { listen: "" },
    smpp_server: { listen: "127.0.0.1:0" },
    storage: { directory },
    operators: Object.fromEntries(
      DEMO_OPERATORS.map(({ code, name, ranges, price }) => [
        code,
        {
          name,
          price,
          prefixes: ranges.map((range) => `226${range}`),
          connections: [
            {
              host: "127.0.0.1",
              port: ports.get(code),
              system_id: "bendre",
              password: "demo",
              reconnect_seconds: 1,
            },
          ],
        },
      ]),
    ),
  };
}

/** One recipient of a sample batch. */
export type Sample = { readonly msisdn: string; readonly attributes: Readonly<Record<string, string>> };

/** Batches that the demonstration sends by itself, by their channels. */
export type SampleBatch = {
  readonly channel: "SMS" | "WHATSAPP";
  readonly body: string;
  /** The fallback of messages that do not arrive. */
  readonly fallback?: { readonly channel: "SMS"; readonly after_seconds: number; readonly body: string };
  readonly recipients: readonly Sample[];
};

/**
 * Twelve people at three operators. GSM 03.38 with letters that are free (é è à ù Ç), UCS-2 because of the letters that are not
 * (ç ê î ï œ, curly quotes) or of a name alone, an extension-table character, one part, two parts and more.
 */
const IN_FRENCH: readonly Sample[] = [
  to("76 10 20 01", "Awa", "votre colis est arrivé à Ouaga. Retrait avant 18 h, bureau de Gounghin."),
  to("+226 70 10 20 02", "Issouf", "le marché de Rood-Woko ouvre à 7 h dès lundi."),
  to("78102003", "Mariam", "ça y est, le forage de Kaya est prêt !"),
  to(
    "65 10 20 04",
    "Fatou",
    "votre rendez-vous à la clinique est lundi à 9 h 30. Apportez votre carnet, merci.",
  ),
  to(
    "71102005",
    "Boukari",
    "la coopérative a vendu toute la récolte de sésame. La réunion de partage se tient samedi à 9 h à Bobo, " +
      "derrière la gare. Venez avec votre carnet et votre carte de membre, merci.",
  ),
  to("+22668102006", "Noëlle", "le code de votre casier est 4417."),
  to("05 10 20 07", "Salif", "votre transfert de 50 € est confirmé. Solde : 12 500 F {ref: B-7}."),
  to("50102008", "Aminata", "bon anniversaire de la part de toute l’équipe du Faso 🎉"),
  to(
    "79 10 20 09",
    "Rasmané",
    "le garçon de la boutique a trouvé votre sac à l’entrée du grand marché ; il vous attend jusqu’à la fermeture, " +
      "peut-être même un peu après. Prière d’apporter une pièce d’identité. Bonne soirée à tous.",
  ),
  to(
    "57 10 20 10",
    "Adjara",
    "la rentrée est le 1er octobre. Les tenues sont chez le tailleur, 2 500 F pièce.",
  ),
  to("73 10 20 11", "Zakaria", "Ça commence à 20 h au Ciné Burkina: FESPACO, salle 2, places limitées."),
  to("58 10 20 12", "Karidja", "votre crédit agricole de 75 000 F est accordé. Bonne saison des pluies !"),
];

/** The same people, and texts that weigh about the same. */
const IN_ENGLISH: readonly Sample[] = [
  inEnglish(
    "76 10 20 01",
    "Awa",
    "your parcel is in Ouaga. Collect it before 6 p.m. at the Gounghin office.",
  ),
  inEnglish("+226 70 10 20 02", "Issouf", "Rood-Woko market opens at 7 a.m. from Monday."),
  inEnglish("78102003", "Mariam", "it’s done: the borehole in Kaya is ready!"),
  inEnglish(
    "65 10 20 04",
    "Fatou",
    "your appointment at the clinic is on Monday at 9:30. Please bring your card.",
  ),
  inEnglish(
    "71102005",
    "Boukari",
    "the cooperative has sold the whole sesame harvest. The sharing meeting is on Saturday at 9 a.m. in Bobo, " +
      "behind the station. Please bring your booklet and your membership card.",
  ),
  inEnglish("+22668102006", "Noëlle", "the code of your locker is 4417."),
  inEnglish("05 10 20 07", "Salif", "your transfer of 50 € is confirmed. Balance: 12,500 F {ref: B-7}."),
  inEnglish("50102008", "Aminata", "happy birthday from everybody at the Faso team 🎉"),
  inEnglish(
    "79 10 20 09",
    "Rasmané",
    "the boy from the shop found your bag at the gate of the big market; he’s waiting for you until they close, " +
      "perhaps even a little longer. Please bring something that says who you are. Have a good evening, everybody.",
  ),
  inEnglish(
    "57 10 20 10",
    "Adjara",
    "school starts on 1 October. Uniforms are ready at the tailor's, 2,500 F each.",
  ),
  inEnglish("73 10 20 11", "Zakaria", "FESPACO starts at 8 p.m. at Ciné Burkina, room 2. Seats are limited."),
  inEnglish("58 10 20 12", "Karidja", "your farm loan of 75,000 F is granted. Have a good rainy season!"),
];

/** The number that is not on WhatsApp in the stand-in: E.164 digits. */
export const NOT_ON_WHATSAPP = "22605102007";

/** Four people of all three operators, and their orders. The last is not on WhatsApp. */
const ORDERS = [
  { msisdn: "76 10 20 01", name: "Awa", order: "4521" },
  { msisdn: "70102002", name: "Issouf", order: "4522" },
  { msisdn: "+226 79 10 20 09", name: "Rasmané", order: "4523" },
  { msisdn: "05 10 20 07", name: "Salif", order: "4524" },
] as const;

export const BY_SMS: Readonly<Record<DemoLanguage, SampleBatch>> = {
  fr: { channel: "SMS", body: "Bonjour {prenom}, {texte}", recipients: IN_FRENCH },
  en: { channel: "SMS", body: "Hello {name}, {text}", recipients: IN_ENGLISH },
};
/** By templates that the stand-in for Meta has approved. */
export const BY_WHATSAPP: Readonly<Record<DemoLanguage, SampleBatch>> = {
  fr: {
    channel: "WHATSAPP",
    body: "Bonjour {nom}, votre commande {commande} est prête.",
    fallback: { channel: "SMS", after_seconds: 300, body: "Bonjour {nom}, commande {commande} prête." },
    recipients: ORDERS.map(({ msisdn, name, order }) => ({
      msisdn,
      attributes: { nom: name, commande: order },
    })),
  },
  en: {
    channel: "WHATSAPP",
    body: "Hello {name}, your order {order} is ready.",
    fallback: { channel: "SMS", after_seconds: 300, body: "Hello {name}, order {order} is ready." },
    recipients: ORDERS.map(({ msisdn, name, order }) => ({ msisdn, attributes: { name, order } })),
  },
};

/** The English template beside those that the stand-in has of its own, which are French. */
export const ENGLISH_TEMPLATE: SimTemplate = {
  id: "900000000000004",
  name: "order_ready",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  parameter_format: "NAMED",
  quality_score: { score: "GREEN" },
  components: [
    {
      type: "BODY",
      text: "Hello {{name}}, your order {{order}} is ready.",
      example: {
        body_text_named_params: [
          { param_name: "name", example: "Awa" },
          { param_name: "order", example: "4521" },
        ],
      },
    },
  ],
};

/** A sample as its handset should show it. */
export function renderedSample(body: string, { attributes }: Sample): string {
  return Object.entries(attributes).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => value),
    body,
  );
}

function to(msisdn: string, prenom: string, texte: string): Sample {
  return { msisdn, attributes: { prenom, texte } };
}

function inEnglish(msisdn: string, name: string, text: string): Sample {
  return { msisdn, attributes: { name, text } };
}
