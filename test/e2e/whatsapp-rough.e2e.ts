import { expect, test } from "vitest";
import { rough } from "./whatsapp-rough.ts";

test("a thousand messages of WhatsApp end as Meta said, are paid so and told so, through lost answers, lost and doubled statuses, and kills", async () => {
  const { faults, figures } = await rough({ messages: 1000, kills: 2, seed: 7 });
  expect(faults).toEqual([]);
  expect(figures.DELIVERED).toBeGreaterThan(700);
  expect(figures["FAILED UNKNOWN_SUBSCRIBER"]).toBeGreaterThan(20);
  expect(figures.posts).toBeGreaterThan(1000);
}, 120_000);
