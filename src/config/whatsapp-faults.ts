import { Value } from "typebox/value";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { type Fault, keyText, NOTHING } from "./fault.ts";
import { WhatsappSchema } from "./whatsapp-schema.ts";

/** What a number needs and has not, codes that are none, and one number under two codes. */
export function whatsappFaults(whatsapp: unknown): Fault[] {
  if (!Value.Check(WhatsappSchema, whatsapp)) return [];
  const numbers = Object.entries(whatsapp.numbers);
  if (numbers.length === 0) return [];
  const faults: Fault[] = [];
  const missing = (key: string, expected: Phrase) => faults.push({ key, found: NOTHING, expected });
  if (whatsapp.app_secret === "") missing("whatsapp.app_secret", phrase("config.expects.app_secret"));
  if (whatsapp.verify_token === "") {
    missing("whatsapp.verify_token", phrase("config.expects.verify_token"));
  }
  const owners = new Map<string, string>();
  for (const [code, { phone_number_id: phone }] of numbers) {
    const steps = ["whatsapp", "numbers", code];
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,22}$/.test(code)) {
      const expected = phrase("config.expects.number_code");
      faults.push({ key: keyText(steps), found: said(JSON.stringify(code)), expected });
    }
    const key = keyText([...steps, "phone_number_id"]);
    const owner = owners.get(phone);
    if (owner === undefined) owners.set(phone, key);
    else {
      const expected = phrase("config.expects.free_number", { owner });
      faults.push({ key, found: said(`"${phone}"`), expected });
    }
  }
  return faults;
}
