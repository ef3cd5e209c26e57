/** Who submitted a batch is told by the answer that is kept: a large batch is validated later, by another process perhaps, under the same rules. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { findAccount } from "../../../src/admin/operations/account-names.ts";
import { isByAdministrators } from "../../../src/domain/submission/idempotency.ts";
import { type Corrections, correctionsFixture } from "../../console/routes/corrections-fixture.ts";

let corrections: Corrections;
beforeEach(async () => {
  corrections = await correctionsFixture();
});
afterEach(() => corrections.sending.place.close());

test("a batch that was sent in the console is known as administrators' by its account alone, and no other batch is", () => {
  const { sending, first } = corrections;
  const { read } = sending.place.context.store;
  const account = findAccount(read, sending.account);
  if (!account.ok) throw new Error("the account of the fixture is there");
  const { id } = account.value;
  expect(isByAdministrators(read, { accountId: id, ulid: first })).toBe(true);
  expect(isByAdministrators(read, { accountId: id, ulid: sending.account })).toBe(false);
  expect(isByAdministrators(read, { accountId: id + 1, ulid: first })).toBe(false);
  expect(isByAdministrators(read, { accountId: -id, ulid: first })).toBe(false);
});
