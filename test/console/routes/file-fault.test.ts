import { expect, test } from "vitest";
import { faultsIn, fileFault } from "../../../src/console/routes/file-fault.ts";

test("a line that a fault quotes belongs to it, and what quotes none stands alone", () => {
  const refused =
    'nothing was changed\nc.toml:3:8: not valid TOML: Expected a value\n    port =\nc.toml:5: price: found 1, expected none\nc.toml: operators."a.b".connections[0].host: found nothing, expected a host';
  const [, ...faults] = faultsIn(refused);
  expect(faults.map(fileFault((words) => `fr ${words}`))).toEqual([
    { text: "fr c.toml:3:8: not valid TOML: Expected a value", key: null, line: "port =" },
    { text: "fr c.toml:5: found 1, expected none", key: "price", line: null },
    {
      text: "fr c.toml: found nothing, expected a host",
      key: 'operators."a.b".connections[0].host',
      line: null,
    },
  ]);
});
