import { expect, test } from "vitest";
import { rough } from "./whatsapp-rough.ts";

test("a thousand messages of WhatsApp end as Meta said, are paid so and told so, through lost answers, lost and doubled statuses, and kills", async () => {
  const { faults, figures } = await rough({ messages: 1000, kills: 2, seed: 7 });
  expect(faults).toEqual([]);
  expect(figures.DELIVERED).toBeGreaterThan(700);
  expect(figures["FAILED UNKNOWN_SUBSCRIBER"]).toBeGreaterThan(20);
  // Some were posted again; what was claimed when the server died may not have left, and waits as SUBMITTED.
  expect((figures.posts ?? 0) + (figures.SUBMITTED ?? 0)).toBeGreaterThan(1000);
});

test("what WhatsApp does not deliver goes on as an SMS, once, and one of the two is paid, through the same and kills", async () => {
  const { faults, figures } = await rough({ messages: 1000, kills: 2, seed: 8, isFallingBack: true });
  expect(faults).toEqual([]);
  expect(figures.DELIVERED).toBeGreaterThan(950);
  expect(figures["by SMS"]).toBeGreaterThan(50);
  expect(figures["by WhatsApp"]).toBeGreaterThan(700);
});
