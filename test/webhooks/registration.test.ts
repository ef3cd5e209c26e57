import { expect, test } from "vitest";
import type { Phrase } from "../../src/i18n/phrase.ts";
import { findHostFault } from "../../src/webhooks/registration.ts";
import { testClock } from "../kit/test-clock.ts";

// Keeps: behaviour 8.33
test("a name that nobody answers for is taken after three seconds as one that does not resolve yet", async () => {
  const clock = testClock();
  const resolve = () => new Promise<readonly string[]>(() => {});
  let fault: Phrase | null | undefined;
  const asked = findHostFault(
    { clock, resolve, own: () => new Set(), allowPrivate: () => false },
    "https://hook.example.test/",
  ).then((said) => {
    fault = said;
  });
  await clock.advance(2999);
  expect(fault).toBeUndefined();
  await clock.advance(1);
  expect(fault).toBeNull();
  await asked;
});
