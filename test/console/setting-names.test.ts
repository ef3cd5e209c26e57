/** Every setting has a name for people beside its key, and the form that connects an operator calls its own the same. */

import { expect, test } from "vitest";
import type { Shape } from "../../src/config/faults.ts";
import { OperatorSchema } from "../../src/config/operator-schema.ts";
import { ConfigSchema } from "../../src/config/schema.ts";
import { renderSettingName } from "../../src/console/ui/words/setting-names.ts";
import type { ConnectWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";

const CONNECT_FR = wordsIn<ConnectWords>("fr", "connect");

function keysOf({ properties }: Shape, above = ""): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, shape]) => {
    const key = `${above}${name}`;
    if (shape.items?.properties) return keysOf(shape.items, `${key}[0].`);
    return shape.properties ? keysOf(shape, `${key}.`) : [key];
  });
}

const LANGUAGES = ["en", "fr"] as const;

function named(keys: readonly string[]): void {
  for (const language of LANGUAGES) {
    expect(keys.filter((key) => renderSettingName(language, key) === null)).toEqual([]);
    expect(new Set(keys.map((key) => renderSettingName(language, key))).size).toBe(keys.length);
  }
}

test("every setting of an operator has a name in both languages", () => {
  const keys = keysOf(OperatorSchema as Shape);
  expect(keys.length).toBeGreaterThan(40);
  named(keys);
});

test("every setting outside of operators has a name in both languages", () => {
  const numbers = /^whatsapp\.numbers$/;
  const keys = keysOf(ConfigSchema as Shape).filter((key) => key !== "operators" && !numbers.test(key));
  expect(keys.length).toBeGreaterThan(100);
  named(keys);
  const ofNumber = ["phone_number_id", "price.OTP", "enabled"].map((key) => `whatsapp.numbers.main.${key}`);
  named(ofNumber);
});

test("one thing has one name, in the form, in a change and in the configuration", () => {
  for (const key of [
    "connections[0].host",
    "operators.orange.connections[1].host",
    'operators."a.b".connections[0].host',
  ]) {
    expect(renderSettingName("fr", key)).toBe(CONNECT_FR.host);
  }
});

test("what is added or gone as a whole is named with its code", () => {
  expect(
    ["operators.orange", "operators.orange.connections[1]", "whatsapp.numbers.main"].map((key) =>
      renderSettingName("fr", key),
    ),
  ).toEqual(["Opérateur orange", "Connexion 2 de orange", "Numéro WhatsApp main"]);
  expect(renderSettingName("fr", "alerts.rules.disk.enabled")).toBe(
    "Alarme «\u00a0Peu de place sur le disque\u00a0»\u00a0: surveillée",
  );
  expect(renderSettingName("fr", "nothing.known")).toBeNull();
});
