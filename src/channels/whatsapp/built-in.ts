/**
 * What test keys go by where nobody has connected a number, or no template of it is known yet: four templates that are always there,
 * and a number of no telephone, which costs nothing (docs/behaviour.md#test-keys).
 */

import { toWhatsAppOperator } from "../../config/whatsapp-codes.ts";
import type { Reader } from "../../db/read.ts";
import { isRegistered } from "../../domain/accounts/senders.ts";
import { type Matcher, templateMatcher } from "./match-template.ts";
import { readTemplate } from "./read-template.ts";
import type { NumberRoute } from "./route.ts";
import type { TemplateRecord } from "./template-rows.ts";

const CODE_BUTTON = { type: "BUTTONS", buttons: [{ type: "URL", text: "Copier le code" }] };

const LISTED = [
  {
    name: "code_de_verification",
    category: "AUTHENTICATION",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "*{{1}}* est votre code de vérification." }, CODE_BUTTON],
  },
  {
    name: "commande_prete",
    category: "UTILITY",
    parameter_format: "NAMED",
    components: [{ type: "BODY", text: "Bonjour {{nom}}, votre commande {{commande}} est prête." }],
  },
  {
    name: "offre_du_jour",
    category: "MARKETING",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "Bonjour {{1}}, profitez de {{2}} dès aujourd'hui chez nous." }],
  },
  {
    name: "rendez_vous",
    category: "UTILITY",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "Bonjour {{1}}, nous vous attendons le {{2}} à {{3}}. À bientôt !" }],
  },
];

const NEVER_MOVED = { isPriceStopped: false, movesTo: null, movesAtMs: null };

/** The four, as any others are kept, by name. */
export const BUILT_IN_TEMPLATES: readonly TemplateRecord[] = LISTED.flatMap((each) => {
  const template = readTemplate({ ...each, language: "fr", status: "APPROVED" });
  return template === null ? [] : [{ ...template, wabaId: "", ...NEVER_MOVED, firstSeenMs: 0, syncedMs: 0 }];
});

export const matchSandboxTemplate: Matcher<TemplateRecord> = templateMatcher(BUILT_IN_TEMPLATES);

/** The code of the number of no telephone. */
export const SANDBOX_NUMBER = toWhatsAppOperator("test");

/** The number that a sandbox goes by where there is none: the sender of all sandboxes is known to it. */
export function toSandboxRoute(read: Reader, accountId: number, sender: string): NumberRoute {
  return {
    operator: SANDBOX_NUMBER,
    isRegistered: isRegistered(read, accountId, sender, SANDBOX_NUMBER),
    number: {
      phone_number_id: "0",
      waba_id: "",
      token: "-",
      throughput: 1,
      recipients_per_day: 0,
      portfolio: "",
      direct_send: false,
      countries: [],
      enabled: true,
      price: { OTP: 0, TRANSACTIONAL: 0, MARKETING: 0 },
    },
  };
}
