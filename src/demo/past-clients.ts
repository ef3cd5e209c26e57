/** The companies of the demonstration's history, and what each sends. Names, numbers and texts are made up. */
import type { Chance } from "../core/chance.ts";
import type { Xof } from "../core/money.ts";
import type { MessageClass } from "../domain/accounts/message-class.ts";

/** The language of the texts that the demonstration shows. */
export type DemoLanguage = "en" | "fr";
type Worded = Readonly<Record<DemoLanguage, string>>;

/** A kind of text that a company sends. */
export type PastSending = {
  readonly messageClass: MessageClass;
  readonly body: Worded;
  readonly reference: Worded | null;
  /** About so many recipients; 1 is one exactly. */
  readonly people: number;
  /** Days of the week, 0 for Sunday. */
  readonly weekdays: readonly number[];
  readonly timesADay: number;
  readonly fromHour: number;
  readonly untilHour: number;
  readonly attributes: (chance: Chance) => Readonly<Record<string, string>>;
};

export type PastClient = {
  readonly name: string;
  readonly shortName: string;
  readonly sender: string;
  /** Paid in on the first day, XOF. */
  readonly topUp: Xof;
  /** Whom it writes to. */
  readonly numbers: readonly string[];
  readonly sendings: readonly PastSending[];
};

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const WORKING_DAYS = [1, 2, 3, 4, 5];

const NAMES = "Awa Issouf Mariam Fatou Boukari Salif Aminata Rasmata Adjara Zakaria Karidja Moussa".split(
  " ",
);

export const PAST_CLIENTS: readonly PastClient[] = [
  {
    name: "Caisse populaire de Kaya",
    shortName: "caisse",
    sender: "CAISSE",
    topUp: 400_000,
    numbers: numbersOf(["76", "70", "78", "05"], 900, 7),
    sendings: [
      {
        messageClass: "OTP",
        body: {
          fr: "Caisse populaire : {code} est votre code. Ne le donnez à personne.",
          en: "Caisse populaire: your code is {code}. Give it to nobody.",
        },
        reference: null,
        people: 1,
        weekdays: EVERY_DAY,
        timesADay: 12,
        fromHour: 6.5,
        untilHour: 21.5,
        attributes: (chance) => ({ code: String(100_000 + Math.floor(chance.fraction() * 900_000)) }),
      },
      {
        messageClass: "TRANSACTIONAL",
        body: {
          fr: "Bonjour {nom}, votre solde est de {solde} F au soir.",
          en: "Hello {nom}, your balance this evening is {solde} F.",
        },
        reference: { fr: "Soldes de la semaine", en: "Balances of the week" },
        people: 160,
        weekdays: [5],
        timesADay: 1,
        fromHour: 17,
        untilHour: 18,
        attributes: (chance) => ({ nom: nameOf(chance), solde: amountOf(chance) }),
      },
    ],
  },
  {
    name: "Pharmacie du Sahel",
    shortName: "pharmacie",
    sender: "PHARMACIE",
    topUp: 150_000,
    numbers: numbersOf(["74", "71", "58", "65"], 600, 11),
    sendings: [
      {
        messageClass: "TRANSACTIONAL",
        body: {
          fr: "Bonjour {nom}, votre commande est prête au comptoir jusqu'à 20 h.",
          en: "Hello {nom}, your order is ready at the counter until 8 p.m.",
        },
        reference: null,
        people: 1,
        weekdays: [1, 2, 3, 4, 5, 6],
        timesADay: 6,
        fromHour: 7.5,
        untilHour: 19.5,
        attributes: (chance) => ({ nom: nameOf(chance) }),
      },
      {
        messageClass: "MARKETING",
        body: {
          fr: "Pharmacie du Sahel : -15 % sur les soins de la peau jusqu'à samedi. STOP au 7070",
          en: "Pharmacie du Sahel: 15% off skin care until Saturday. STOP to 7070",
        },
        reference: { fr: "Soins de la peau", en: "Skin care" },
        people: 220,
        weekdays: [3],
        timesADay: 1,
        fromHour: 10,
        untilHour: 11,
        attributes: () => ({}),
      },
    ],
  },
  {
    name: "École Wend Panga",
    shortName: "ecole",
    sender: "WENDPANGA",
    topUp: 100_000,
    numbers: numbersOf(["57", "61", "79", "67"], 180, 13),
    sendings: [
      {
        messageClass: "TRANSACTIONAL",
        body: {
          fr: "École Wend Panga : réunion des parents de la classe de {classe} jeudi à 17 h.",
          en: "École Wend Panga: parents of class {classe} meet on Thursday at 5 p.m.",
        },
        reference: { fr: "Réunions des parents", en: "Parents' meetings" },
        people: 90,
        weekdays: [1],
        timesADay: 1,
        fromHour: 9,
        untilHour: 10,
        attributes: (chance) => ({
          classe: `${"CP CE CM".split(" ")[Math.floor(chance.fraction() * 3)]}${1 + Math.floor(chance.fraction() * 2)}`,
        }),
      },
      {
        messageClass: "TRANSACTIONAL",
        body: {
          fr: "École Wend Panga : {nom} n'est pas en classe ce matin. Appelez-nous.",
          en: "École Wend Panga: {nom} is not in class this morning. Please call us.",
        },
        reference: null,
        people: 1,
        weekdays: WORKING_DAYS,
        timesADay: 3,
        fromHour: 8,
        untilHour: 9.5,
        attributes: (chance) => ({ nom: nameOf(chance) }),
      },
    ],
  },
];

/** National numbers of the given ranges, which repeat in no order that one sees. */
function numbersOf(ranges: readonly string[], count: number, step: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const range = ranges[at % ranges.length] ?? "";
    return `${range}${String((at * step * 7919 + 104_729) % 1_000_000).padStart(6, "0")}`;
  });
}

function nameOf(chance: Chance): string {
  return NAMES[Math.floor(chance.fraction() * NAMES.length)] ?? "Awa";
}

/** A sum in groups of three. */
function amountOf(chance: Chance): string {
  const thousands = 2 + Math.floor(chance.fraction() * 400);
  return `${thousands} ${String(Math.floor(chance.fraction() * 200) * 5).padStart(3, "0")}`;
}
