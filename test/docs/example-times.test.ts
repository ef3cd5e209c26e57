import { expect, test } from "vitest";
import { useComingEvening } from "../../src/docs/site/own-examples.ts";

test("an example for later is for tomorrow evening, and other times stay", () => {
  const page = '"scheduled_at": "2026-03-01T18:00:00", `2026-03-01T18:00`, 2026-03-01T09:30:00+00:00';
  expect(useComingEvening(page, Date.parse("2027-12-31T23:59:59Z"))).toBe(
    '"scheduled_at": "2028-01-01T18:00:00", `2026-03-01T18:00`, 2026-03-01T09:30:00+00:00',
  );
});
