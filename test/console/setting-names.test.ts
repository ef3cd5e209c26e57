/** The settings of an operator have a name for people beside their key, and the form that connects one calls them the same. */
import { expect, test } from "vitest";
import type { Shape } from "../../src/config/expectation.ts";
import { OperatorSchema } from "../../src/config/operator-schema.ts";
import { CONNECT_FR } from "../../src/console/ui/words/connect-fr.ts";
import { SETTINGS_EN, SETTINGS_FR, settingName } from "../../src/console/ui/words/setting-names.ts";

function keysOf({ properties }: Shape, above = ""): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, shape]) => {
    const key = `${above}${name}`;
    if (shape.items?.properties) return keysOf(shape.items, `${key}[0].`);
    return shape.properties ? keysOf(shape, `${key}.`) : [key];
  });
}

test("every setting of an operator has a name in both languages", () => {
  const keys = keysOf(OperatorSchema as Shape);
  expect(keys.length).toBeGreaterThan(40);
  for (const names of [SETTINGS_EN, SETTINGS_FR]) {
    expect(keys.filter((key) => settingName(names, key) === null)).toEqual([]);
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length);
  }
});

test("one thing has one name, in the form, in a change and in the configuration", () => {
  for (const key of [
    "connections[0].host",
    "operators.orange.connections[1].host",
    'operators."a.b".connections[0].host',
  ]) {
    expect(settingName(SETTINGS_FR, key)).toBe(CONNECT_FR.host);
  }
  expect(settingName(SETTINGS_FR, "storage.directory")).toBeNull();
  expect(settingName(SETTINGS_FR, "operators.orange")).toBeNull();
});
