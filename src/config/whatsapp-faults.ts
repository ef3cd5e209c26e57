import { Value } from "typebox/value";
import { type Fault, keyText } from "./fault.ts";
import { WhatsappSchema } from "./whatsapp-schema.ts";

/** What a number needs and has not, codes that are none, and one number under two codes. */
export function whatsappFaults(whatsapp: unknown): Fault[] {
  if (!Value.Check(WhatsappSchema, whatsapp)) return [];
  const numbers = Object.entries(whatsapp.numbers);
  if (numbers.length === 0) return [];
  const faults: Fault[] = [];
  const missing = (key: string, expected: string) => faults.push({ key, found: "nothing", expected });
  if (whatsapp.app_secret === "")
    missing("whatsapp.app_secret", "the secret of the app that Meta signs with");
  if (whatsapp.verify_token === "") {
    missing("whatsapp.verify_token", "a word that the webhook is registered with");
  }
  const owners = new Map<string, string>();
  for (const [code, { phone_number_id: phone }] of numbers) {
    const steps = ["whatsapp", "numbers", code];
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,22}$/.test(code)) {
      const expected = "a code of 1 to 23 letters, digits, _ and -, starting with a letter or digit";
      faults.push({ key: keyText(steps), found: JSON.stringify(code), expected });
    }
    const key = keyText([...steps, "phone_number_id"]);
    const owner = owners.get(phone);
    if (owner === undefined) owners.set(phone, key);
    else faults.push({ key, found: `"${phone}"`, expected: `a number that is not listed yet (${owner})` });
  }
  return faults;
}
