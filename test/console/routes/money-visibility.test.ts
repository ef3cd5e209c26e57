import { expect, test } from "vitest";
import { hideSetting } from "../../../src/console/server/routes/money-visibility.ts";

test("prices of the configuration are hidden from those who see none, also within an operator that is told whole", () => {
  const orange = { name: "Orange", price: 15, connections: [{ port: 2775 }] };
  expect(hideSetting(false, "operators.orange", orange)).toEqual({ ...orange, price: "(hidden)" });
  expect(hideSetting(false, "operators.orange.price", 15)).toBe("(hidden)");
  expect(hideSetting(false, "whatsapp.numbers.one.price.OTP", 8)).toBe("(hidden)");
  expect(hideSetting(false, "operators.orange.price", null)).toBe(null);
  expect(hideSetting(true, "operators.orange", orange)).toBe(orange);
  expect(hideSetting(false, "server.listen", "127.0.0.1:8080")).toBe("127.0.0.1:8080");
});
