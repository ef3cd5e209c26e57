/**
 * Data of `bendre demo`: three simulated operators with quirks, a WhatsApp number, the configuration, and the sample
 * batches.
 */
import type { Quirks } from "../simulator/quirks.ts";

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

/** The configuration document of the demonstration, as the file would say it; `cloudPort` once there is a stand-in for Meta. */
export function demoConfig(
  directory: string,
  ports: ReadonlyMap<string, number>,
  cloudPort: number | null = null,
): unknown {
  return {
    ...(cloudPort === null ? {} : { whatsapp: demoNumber(cloudPort) }),
    server: { listen: "127.0.0.1:0" },
    metrics: { listen: "" },
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

/** The template of every sample text. */
const SAMPLE_BODY = "Bonjour {prenom}, {texte}";

/**
 * Twelve people at three operators. GSM-7 with French letters that are free (é è à ù Ç), UCS-2 because of the letters
 * that are not (ç ê î ï œ) or of a name alone, an extension-table character, one part, two parts and more.
 */
const SAMPLES: readonly Sample[] = [
  to("76 10 20 01", "Awa", "votre colis est arrivé à Ouaga. Retrait avant 18 h, bureau de Gounghin."),
  to("+226 70 10 20 02", "Issouf", "le marché de Rood-Woko ouvre à 7 h dès lundi."),
  to("78102003", "Mariam", "ça y est, le forage de Kaya est prêt !"),
  to("65 10 20 04", "Fatou", "your appointment at the clinic is on Monday at 9:30. Please bring your card."),
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
    "school starts on 1 October. Uniforms are ready at the tailor's, 2 500 F each.",
  ),
  to("73 10 20 11", "Zakaria", "Ça commence à 20 h au Ciné Burkina: FESPACO, salle 2, places limitées."),
  to("58 10 20 12", "Karidja", "votre crédit agricole de 75 000 F est accordé. Bonne saison des pluies !"),
];

/** The number that is not on WhatsApp in the stand-in: E.164 digits. */
export const NOT_ON_WHATSAPP = "22605102007";

/** Four people of all three operators, by a template that the stand-in for Meta has approved. The last is not on WhatsApp. */
const ORDERS: readonly Sample[] = [
  order("76 10 20 01", "Awa", "4521"),
  order("70102002", "Issouf", "4522"),
  order("+226 79 10 20 09", "Rasmané", "4523"),
  order("05 10 20 07", "Salif", "4524"),
];

export const BY_SMS: SampleBatch = { channel: "SMS", body: SAMPLE_BODY, recipients: SAMPLES };
export const BY_WHATSAPP: SampleBatch = {
  channel: "WHATSAPP",
  body: "Bonjour {nom}, votre commande {commande} est prête.",
  fallback: { channel: "SMS", after_seconds: 300, body: "Bonjour {nom}, commande {commande} prête." },
  recipients: ORDERS,
};

/** A sample as its handset should show it. */
export function renderedSample(body: string, { attributes }: Sample): string {
  return Object.entries(attributes).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => value),
    body,
  );
}

function order(msisdn: string, nom: string, commande: string): Sample {
  return { msisdn, attributes: { nom, commande } };
}

function to(msisdn: string, prenom: string, texte: string): Sample {
  return { msisdn, attributes: { prenom, texte } };
}
