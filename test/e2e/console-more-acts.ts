/** Acts beside the main one of a page, and those of roles that have few, by the keyboard alone. */
import { expect } from "vitest";
import { phoneNumber } from "../../src/console/ui/format.ts";
import type { Role } from "../../src/domain/accounts/roles.ts";
import { poll } from "./api.ts";
import { type Act, accountPage, audited, listed, MAIN_ACTS, type Place } from "./console-acts.ts";
import type { Keyboard } from "./console-keyboard.ts";

const suppressed = async ({ bendre, shop }: Place): Promise<unknown[]> =>
  listed(await bendre.ask("suppression list", { ACCOUNT: shop.accountId }), "suppressions").map(
    ({ msisdn }) => msisdn,
  );

/** Puts a number on the list of the account, and lifts it again. */
async function putAndLift(keys: Keyboard, place: Place, number: string): Promise<void> {
  await keys.page("x");
  await keys.fill("main form [name=msisdn]", number);
  await keys.press("Enter");
  await keys.sees("main td", phoneNumber(`+226${number}`));
  await keys.enter(`main button[aria-label$="+226${number}"]`);
  await keys.enter("dialog .danger");
  await keys.seesNo("dialog");
  await poll(
    async () => await suppressed(place),
    (numbers) => !numbers.includes(`+226${number}`),
  );
}

const MORE: readonly Act[] = [
  {
    page: "invoice: what was sent this month",
    role: "FINANCE",
    act: async (keys, place) => {
      await accountPage(keys, place, "/consumption");
      await keys.sees("main td", "orange");
      await keys.to("main .filters select");
      await keys.press("ArrowDown");
      await keys.seesNo("main td");
      await keys.press("ArrowUp");
      await keys.sees("main td", "orange");
    },
  },
  {
    page: "webhook: events are told again, and it gets another secret",
    role: "ACCOUNT_ADMIN",
    act: async (keys, place) => {
      const count = async (action: string): Promise<number> => (await audited(place, action)).length;
      const [told, rotated] = [await count("webhook replay"), await count("webhook rotate")];
      await keys.page("w");
      await keys.enter("main td a");
      await keys.enter(".tools .button:nth-of-type(2)");
      await keys.to("dialog [name=since]");
      await keys.press("ArrowUp");
      await keys.enter("dialog .primary");
      await keys.seesNo("dialog");
      await poll(
        () => count("webhook replay"),
        (now) => now === told + 1,
      );
      await keys.enter(".tools .button:nth-of-type(4)");
      await keys.enter("dialog .primary");
      await keys.confirmed(".once code");
      expect(await count("webhook rotate")).toBe(rotated + 1);
    },
  },
  {
    page: "users: the owner lets somebody in by a link",
    role: "OWNER",
    act: async (keys, { bendre, tag }) => {
      await keys.page("u");
      await keys.enter("main .section-head .button");
      await keys.fill("dialog [name=login]", `support-of-${tag}@example.bf`);
      await keys.press("Enter");
      await keys.confirmed(".once code");
      expect(listed(await bendre.ask("user list", {}), "users")).toContainEqual(
        expect.objectContaining({ login: `support-of-${tag}@example.bf`, role: "SUPPORT" }),
      );
    },
  },
  {
    page: "batches: what failed for a reason that passes is sent again",
    role: "ACCOUNT_SENDER",
    act: async (keys, { bendre, shop, failed, tag }, { page }) => {
      const texts = (): number => bendre.seen("orange").filter(({ to }) => to === "22605199002").length;
      const before = texts();
      await poll(
        async () => await bendre.ask("batch show", { BATCH: failed }),
        ({ status }) => status === "SETTLED",
      );
      await keys.page("b");
      await keys.fill("[name=reference]", `failed-${tag}`);
      await keys.enter(`main td a[href*="${failed}"]`);
      await keys.enter(".page-head button");
      await keys.enter("dialog .primary");
      await page.waitForURL((url) => url.pathname.includes("/batches/") && !url.pathname.includes(failed));
      await poll(texts, (count) => count > before);
      const named = listed(await bendre.ask("batch list", { ACCOUNT: shop.accountId }), "batches").filter(
        ({ client_reference }) => client_reference === `failed-${tag}`,
      );
      expect(named.map(({ accepted }) => accepted)).toEqual([1, 1]);
    },
  },
  {
    page: "suppressions: a number is put on the list, and lifted",
    role: "ACCOUNT_SENDER",
    act: (keys, place) => putAndLift(keys, place, place.next.replace("0544556", "0544558")),
  },
  {
    page: "batches and messages are read, down to the life of one",
    role: "ACCOUNT_READER",
    act: async (keys) => {
      await keys.page("b");
      await keys.enter("main td a");
      await keys.sees("main .stats");
      await keys.enter("main p a[href*='messages?batch=']");
      await keys.enter("main td a");
      await keys.sees(".timeline .moment");
    },
  },
];

/** Every act, by role; those of a role in an order in which each can be done. */
export const ACTS: ReadonlyMap<Role, readonly Act[]> = Map.groupBy(
  // What changes the password of its visitor is done last.
  [...MAIN_ACTS, ...MORE].toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))),
  ({ role }) => role,
);

function isLast({ page }: Act): boolean {
  return page.startsWith("you:");
}
