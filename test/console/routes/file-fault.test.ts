import { expect, test } from "vitest";
import { toQuotedFault } from "../../../src/console/server/routes/appliance.ts";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import { renderIn } from "../../../src/i18n/text.ts";

test("a line that a fault quotes, and the key that it is about, stand apart from it", () => {
  const [found, expected] = [said("1"), phrase("config.expects.true_or_false")];
  const key = 'operators."a.b".connections[0].tls';
  const broken = { place: "c.toml:3:8", why: phrase("config.toml.value_expected") };
  const faults = [
    phrase("config.no_toml.quoted", { ...broken, line: "port =" }),
    phrase("config.no_toml", { ...broken, place: "c.toml" }),
    phrase("config.fault.of_key", { place: "c.toml:5", key, found, expected }),
    phrase("config.fault", { place: "c.toml", found, expected }),
  ];
  expect(faults.map(toQuotedFault((words) => renderIn("fr", words).replaceAll("\u00a0", " ")))).toEqual([
    { text: "c.toml:3:8 : TOML incorrect : il manque une valeur", key: null, line: "port =" },
    { text: "c.toml : TOML incorrect : il manque une valeur", key: null, line: null },
    { text: "c.toml:5 : trouvé 1, attendu true ou false", key, line: null },
    { text: "c.toml : trouvé 1, attendu true ou false", key: null, line: null },
  ]);
});
